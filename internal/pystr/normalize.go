package pystr

import "unicode/utf8"

// NFD is unicodedata.normalize("NFD", s). As in Python, a run of combining
// marks may have any length (no Stream-Safe limit).
func (t *Tables) NFD(s string) string { return t.decomposed(s, canonical) }

// NFKD is unicodedata.normalize("NFKD", s).
func (t *Tables) NFKD(s string) string { return t.decomposed(s, compatibility) }

// NFC is unicodedata.normalize("NFC", s).
func (t *Tables) NFC(s string) string { return t.composed(s, canonical) }

// NFKC is unicodedata.normalize("NFKC", s).
func (t *Tables) NFKC(s string) string { return t.composed(s, compatibility) }

// AppendNFD appends [Tables.NFD] of s to dst and returns the extended slice.
// It allocates when dst lacks the capacity, or to put marks in order.
func (t *Tables) AppendNFD(dst []byte, s string) []byte {
	return t.appendDecomposed(dst, s, canonical)
}

// form is a choice of decompositions.
type form struct {
	compatible bool
	changes    flag // set where a character's decomposition is another string
	unsure     flag // set where a character may not stand in a composed string
}

var (
	canonical     = form{false, nfdChanges, nfcUnsure}
	compatibility = form{true, nfkdChanges, nfkcUnsure}
)

func (t *Tables) decomposed(s string, f form) string {
	if t.normalPrefix(s, f.changes) == len(s) {
		return s
	}
	var buffer [128]byte
	return stringUnless(s, t.appendDecomposed(buffer[:0], s, f))
}

func (t *Tables) composed(s string, f form) string {
	if t.normalPrefix(s, f.unsure) == len(s) {
		return s
	}
	var buffer [128]byte
	return stringUnless(s, t.compose(t.appendDecomposed(buffer[:0], s, f)))
}

// normalPrefix returns len(s) when no character of s has the flag and the
// combining marks are in order, and otherwise where that was first seen to fail.
func (t *Tables) normalPrefix(s string, unless flag) int {
	last := uint8(0)
	for i := asciiPrefix(s); i < len(s); {
		if s[i] < runeSelf {
			last = 0
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		p := t.property(r)
		if p.flags&unless != 0 || p.class != 0 && p.class < last {
			return i
		}
		last = p.class
		i += size
	}
	return len(s)
}

// appendDecomposed appends the full decomposition of s, in canonical order.
func (t *Tables) appendDecomposed(dst []byte, s string, f form) []byte {
	i := asciiPrefix(s)
	o := ordered{tables: t, text: append(dst, s[:i]...)}
	for i < len(s) {
		if c := s[i]; c < runeSelf {
			o.starter()
			o.text = append(o.text, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch p := t.property(r); {
		case p.flags&f.changes == 0:
			o.add(r, p.class)
		case isHangulSyllable(r):
			o.starter()
			o.text = appendJamo(o.text, r)
		default:
			for _, part := range t.decomposition(r, f.compatible) {
				o.add(part, t.CombiningClass(part))
			}
		}
	}
	o.starter()
	return o.text
}
