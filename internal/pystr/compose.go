package pystr

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// compose applies the canonical composition algorithm (Unicode Standard 3.11,
// D117) to fully decomposed text.
func (t *Tables) compose(text []byte) []byte {
	out := make([]rune, 0, len(text))
	starter := -1    // where in out the last starter is
	last := uint8(0) // the class of the last character of out
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		p := t.property(r)
		adjacent := starter == len(out)-1
		if starter >= 0 && p.flags&composesLeft != 0 && (adjacent || last < p.class) {
			if composed, ok := t.pair(out[starter], r); ok {
				out[starter] = composed
				continue
			}
		}
		if p.class == 0 {
			starter = len(out)
		}
		last = p.class
		out = append(out, r)
	}
	return []byte(string(out))
}

// pair returns the primary composite of two characters.
func (t *Tables) pair(first, second rune) (rune, bool) {
	if composed, ok := composeHangul(first, second); ok {
		return composed, true
	}
	i, ok := slices.BinarySearchFunc(t.compositions, composition{first: first, second: second}, func(a, b composition) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second))
	})
	if !ok {
		return 0, false
	}
	return t.compositions[i].composed, true
}
