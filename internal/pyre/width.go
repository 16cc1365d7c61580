package pyre

const (
	// maxRepeatCount is Python's MAXREPEAT, which stands for no upper limit; a
	// count that large cannot be written.
	maxRepeatCount = 1<<32 - 1
	// widest is where widths stop growing; only their equality matters from there.
	widest = 1 << 40
	// maxLookbehind is the widest look-behind that every release of 3.11 takes.
	maxLookbehind = 1<<31 - 1
)

// width is the least and the greatest number of characters that s can match.
// groups gives the widths of the groups closed so far.
func (s *sequence) width(groups []groupWidth) (lo, hi int64) {
	if s.measured {
		return s.lo, s.hi
	}
	for i := range s.items {
		l, h := s.items[i].width(groups)
		lo, hi = min(lo+l, widest), min(hi+h, widest)
	}
	s.measured, s.lo, s.hi = true, lo, hi
	return lo, hi
}

func (it *item) width(groups []groupWidth) (lo, hi int64) {
	switch it.kind {
	case literal, notLiteral, anyChar, set:
		return 1, 1
	case backref:
		return groups[it.group].lo, groups[it.group].hi
	case conditional:
		lo, hi = it.subs[0].width(groups)
		if len(it.subs) == 1 {
			return 0, hi
		}
		l, h := it.subs[1].width(groups)
		return min(lo, l), max(hi, h)
	case branch:
		lo = widest
		for _, sub := range it.subs {
			l, h := sub.width(groups)
			lo, hi = min(lo, l), max(hi, h)
		}
		return lo, hi
	case group, atomic:
		return it.subs[0].width(groups)
	case maxRepeat, minRepeat, possessive:
		lo, hi = it.subs[0].width(groups)
		return times(lo, it.min), times(hi, it.max)
	}
	return 0, 0
}

func times(a, b int64) int64 {
	if a != 0 && b > widest/a {
		return widest
	}
	return min(a*b, widest)
}
