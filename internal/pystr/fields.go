package pystr

import "unicode/utf8"

// Fields is str.split() without arguments: the runs of s that hold no white
// space ([Tables.IsSpace]). It is nil when there are none.
func (t *Tables) Fields(s string) []string { return t.AppendFields(nil, s) }

// AppendFields appends [Tables.Fields] of s to dst and returns the extended
// slice. The fields share s's memory.
func (t *Tables) AppendFields(dst []string, s string) []string {
	for i := t.skip(s, 0, true); i < len(s); i = t.skip(s, i, true) {
		start := i
		i = t.skip(s, i, false)
		dst = append(dst, s[start:i])
	}
	return dst
}

// skip returns where, from s[i], the run of white space ends, or of what is none.
func (t *Tables) skip(s string, i int, space bool) int {
	for i < len(s) {
		if c := s[i]; c < runeSelf {
			if asciiSpace(c) != space {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if t.property(r).flags&isSpace != 0 != space {
			return i
		}
		i += size
	}
	return i
}

// IsBlank reports whether s is empty or only white space: what not s.strip() is.
func (t *Tables) IsBlank(s string) bool { return t.skip(s, 0, true) == len(s) }
