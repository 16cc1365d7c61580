package pyre

import "slices"

// gate is the set of characters that sre's search skips ahead to, nil if it does
// not. It is made when the pattern begins with a character set, and it should be
// what the set matches. But \w, \d and \s in it are those of the whole pattern's flags even inside
// (?a:…) or (?u:…), so (?a:\W) never matches a letter beyond ASCII that stands where
// a match would begin. Without such a group the gate changes nothing.
func gate(tree *sequence, f flags, groups []groupWidth) *charset {
	if lo, _ := tree.width(groups); lo == 0 {
		return nil
	}
	inner := f
	for len(tree.items) > 0 && tree.items[0].kind == group {
		it := &tree.items[0]
		inner = inner.with(it.on, it.off)
		tree = it.subs[0]
	}
	if len(tree.items) == 0 || tree.items[0].kind != set {
		return nil
	}
	members := tree.items[0].members
	if fold := foldingOf(inner); fold != asIs && slices.ContainsFunc(members, fold.casedMember) {
		return nil
	}
	return newCharset(members, tree.items[0].negated, f&^ignoreCase)
}

// casedMember reports whether a member of a set may have case; a range that reaches past U+FFFF counts as such.
func (f folding) casedMember(m member) bool {
	if m.kind != span {
		return false
	}
	if m.literal() {
		return f.cased(m.lo)
	}
	for r := m.lo; r <= min(m.hi, lastBMP); r++ {
		if f.cased(r) {
			return true
		}
	}
	return m.hi > lastBMP
}
