package pystr

import (
	"cmp"
	"slices"
)

// SimpleLower is _sre.unicode_tolower: the one-character lower case that re's
// IGNORECASE compares by. U+0130 becomes "i".
func (t *Tables) SimpleLower(r rune) rune { return r + t.casing(r).lower }

// IsCased is _sre.unicode_iscased: r has another lower or upper case. Under
// IGNORECASE, re compares what is not cased as it stands.
func (t *Tables) IsCased(r rune) bool { return t.property(r).flags&isReCased != 0 }

// ExtraCases is re._casefix._EXTRA_CASES: for a character that is its own
// [Tables.SimpleLower], the others, also lower case, that re's IGNORECASE
// takes for the same. The result belongs to the tables and must not be written to.
func (t *Tables) ExtraCases(r rune) []rune {
	i, ok := slices.BinarySearchFunc(t.extraCases, r, func(e extraCase, r rune) int { return cmp.Compare(e.of, r) })
	if !ok {
		return nil
	}
	return t.extraCases[i].others
}
