package pyre

import (
	"cmp"
	"slices"

	"github.com/normcert/normcert/internal/pystr"
)

// charset is what one character is tested against.
type charset struct {
	ascii   [2]uint64 // the answers below 0x80
	fold    folding
	negated bool
	spans   []member // sorted, apart
	// upper are the ranges that a character's upper case may be in as well: those
	// that reach past U+FFFF, of which sre keeps no folded form.
	upper      []member
	categories []categoryTest
}

// folding is how a character is lowered before it is looked up.
type folding uint8

const (
	asIs folding = iota
	asciiFold
	unicodeFold
)

func foldingOf(f flags) folding {
	switch {
	case f&ignoreCase == 0:
		return asIs
	case f&unicodeFlag == 0:
		return asciiFold
	}
	return unicodeFold
}

func (f folding) lower(r rune) rune {
	switch {
	case f == asIs:
		return r
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	case f == unicodeFold:
		return pystr.SimpleLower(r)
	}
	return r
}

func (f folding) cased(r rune) bool {
	switch f {
	case asciiFold:
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	case unicodeFold:
		return pystr.IsCased(r)
	}
	return false
}

// others are the characters that lower, already lower case, is taken for.
func (f folding) others(lower rune) []rune {
	if f != unicodeFold {
		return nil
	}
	return pystr.ExtraCases(lower)
}

type categoryTest struct {
	test func(rune) bool
	not  bool
}

const lastBMP = 0xFFFF

// newCharset compiles the members of a character set.
func newCharset(members []member, negated bool, f flags) *charset {
	s := &charset{fold: foldingOf(f), negated: negated}
	cased := false
	for _, m := range members {
		switch {
		case m.kind != span:
			s.categories = append(s.categories, categoryTest{categoryOf(m.kind, f), m.not})
		case s.fold == asIs:
			s.spans = append(s.spans, m)
		default:
			cased = s.addFolded(m) || cased
		}
	}
	// A set without a cased character is compared with characters as they are.
	if !cased {
		s.fold = asIs
	}
	s.finish()
	return s
}

// addFolded adds a member under IGNORECASE and reports whether it has case. Up to
// U+FFFF, that is what its characters are lowered to, and what that is taken for. What
// lies beyond is kept as written, as sre does, so an upper-case letter there, in a
// set of several, is never matched.
func (s *charset) addFolded(m member) (cased bool) {
	if m.hi > lastBMP {
		cased = true
		s.spans = append(s.spans, m)
		if !m.literal() {
			s.upper = append(s.upper, m)
		}
	}
	for r := m.lo; r <= min(m.hi, lastBMP); r++ {
		lower := s.fold.lower(r)
		s.addRune(lower)
		for _, other := range s.fold.others(lower) {
			s.addRune(other)
		}
		cased = cased || s.fold.cased(r)
	}
	return cased
}

func (s *charset) addRune(r rune) {
	if n := len(s.spans); n > 0 && s.spans[n-1].hi == r-1 {
		s.spans[n-1].hi = r
		return
	}
	s.spans = append(s.spans, member{lo: r, hi: r})
}

func (s *charset) finish() {
	slices.SortFunc(s.spans, func(a, b member) int { return cmp.Compare(a.lo, b.lo) })
	merged := s.spans[:0]
	for _, m := range s.spans {
		if n := len(merged); n > 0 && m.lo <= merged[n-1].hi+1 {
			merged[n-1].hi = max(merged[n-1].hi, m.hi)
			continue
		}
		merged = append(merged, m)
	}
	s.spans = merged
	for r := range rune(0x80) {
		if s.lookUp(r) {
			s.ascii[r>>6] |= 1 << (r & 63)
		}
	}
}

// has reports whether the set matches r.
func (s *charset) has(r rune) bool {
	if r < 0x80 {
		return s.ascii[r>>6]>>(r&63)&1 != 0
	}
	return s.lookUp(r)
}

func (s *charset) lookUp(r rune) bool {
	r = s.fold.lower(r)
	return s.contains(r) != s.negated
}

func (s *charset) contains(r rune) bool {
	if within(s.spans, r) {
		return true
	}
	for _, c := range s.categories {
		if c.test(r) != c.not {
			return true
		}
	}
	return len(s.upper) > 0 && slices.ContainsFunc(s.upper, func(m member) bool {
		upper := simpleUpper(r)
		return m.lo <= upper && upper <= m.hi
	})
}

func within(spans []member, r rune) bool {
	_, found := slices.BinarySearchFunc(spans, r, func(m member, r rune) int {
		switch {
		case m.hi < r:
			return -1
		case m.lo > r:
			return 1
		}
		return 0
	})
	return found
}

func categoryOf(k memberKind, f flags) func(rune) bool {
	unicode := f&unicodeFlag != 0
	switch {
	case k == digit && unicode:
		return pystr.IsDecimal
	case k == digit:
		return func(r rune) bool { return '0' <= r && r <= '9' }
	case k == space && unicode:
		return pystr.IsSpace
	case k == space:
		return func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }
	}
	return wordTest(unicode)
}

func wordTest(unicode bool) func(rune) bool {
	if unicode {
		return pystr.IsWord
	}
	return func(r rune) bool {
		return r < 0x80 && (r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
	}
}
