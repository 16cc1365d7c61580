package pystr

import "unicode/utf8"

const (
	capitalSigma = 'Σ'
	smallSigma   = 'σ'
	finalSigma   = 'ς'
)

// Lower is str.lower: the full lower case of every character, U+0130 becoming
// two, and the final sigma where the string calls for it.
func (t *Tables) Lower(s string) string {
	if lowerPrefix(s) == len(s) {
		return s
	}
	var buffer [128]byte
	return stringUnless(s, t.AppendLower(buffer[:0], s))
}

// AppendLower appends [Tables.Lower] of s to dst and returns the extended
// slice. It allocates only when dst lacks the capacity; the lower case of an
// ASCII string is as long as the string.
func (t *Tables) AppendLower(dst []byte, s string) []byte {
	dst, i := appendLowerPrefix(dst, s)
	for i < len(s) {
		if c := s[i]; c < runeSelf {
			dst = append(dst, lowerByte(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch c := t.casing(r); {
		case r == capitalSigma:
			dst = utf8.AppendRune(dst, t.lowerSigma(s, i, i+size))
		case c.lowerLong:
			dst = append(dst, find(t.lowerLong, r)...)
		default:
			dst = utf8.AppendRune(dst, r+c.lower)
		}
		i += size
	}
	return dst
}

// lowerSigma returns the lower case of the capital sigma at s[start:end]. It
// is final when a cased character comes before it and none after it, both
// times passing over case-ignorable ones (the Unicode Standard's Final_Sigma, as
// CPython's handle_capital_sigma has it: cased and ignorable is ignorable).
func (t *Tables) lowerSigma(s string, start, end int) rune {
	for {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		flags := t.property(r).flags
		if size == 0 || flags&(isCased|isIgnorable) == 0 {
			return smallSigma
		}
		if flags&isCased != 0 {
			break
		}
		start -= size
	}
	for {
		r, size := utf8.DecodeRuneInString(s[end:])
		flags := t.property(r).flags
		if size == 0 || flags&(isCased|isIgnorable) == 0 {
			return finalSigma
		}
		if flags&isCased != 0 {
			return smallSigma
		}
		end += size
	}
}

// Casefold is str.casefold: the full case folding of every character, whatever
// is beside it.
func (t *Tables) Casefold(s string) string {
	if lowerPrefix(s) == len(s) {
		return s
	}
	var buffer [128]byte
	return stringUnless(s, t.AppendCasefold(buffer[:0], s))
}

// AppendCasefold appends [Tables.Casefold] of s to dst and returns the extended
// slice. It allocates only when dst lacks the capacity; the folding of an ASCII
// string is as long as the string.
func (t *Tables) AppendCasefold(dst []byte, s string) []byte {
	dst, i := appendLowerPrefix(dst, s)
	for i < len(s) {
		if c := s[i]; c < runeSelf {
			dst = append(dst, lowerByte(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c := t.casing(r); c.foldLong {
			dst = append(dst, find(t.foldLong, r)...)
		} else {
			dst = utf8.AppendRune(dst, r+c.fold)
		}
		i += size
	}
	return dst
}

// stringUnless returns s where b spells it, so that nothing is allocated.
func stringUnless(s string, b []byte) string {
	if string(b) == s {
		return s
	}
	return string(b)
}
