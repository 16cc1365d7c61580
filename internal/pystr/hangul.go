package pystr

import "unicode/utf8"

// Hangul is composed and decomposed by arithmetic (Unicode Standard, section 3.12).
const (
	hangulSyllable  = 0xAC00
	hangulLead      = 0x1100
	hangulVowel     = 0x1161
	hangulTail      = 0x11A7 // one before the first: a syllable may have none
	hangulLeads     = 19
	hangulVowels    = 21
	hangulTails     = 28
	hangulSyllables = hangulLeads * hangulVowels * hangulTails
)

func isHangulSyllable(r rune) bool { return uint32(r-hangulSyllable) < hangulSyllables }

// appendJamo appends the two or three letters of a syllable.
func appendJamo(dst []byte, syllable rune) []byte {
	n := syllable - hangulSyllable
	dst = utf8.AppendRune(dst, hangulLead+n/(hangulVowels*hangulTails))
	dst = utf8.AppendRune(dst, hangulVowel+n/hangulTails%hangulVowels)
	if tail := n % hangulTails; tail != 0 {
		dst = utf8.AppendRune(dst, hangulTail+tail)
	}
	return dst
}

// composeHangul joins a lead and a vowel, or a syllable without a tail and a tail.
func composeHangul(first, second rune) (rune, bool) {
	if lead, vowel := first-hangulLead, second-hangulVowel; uint32(lead) < hangulLeads && uint32(vowel) < hangulVowels {
		return hangulSyllable + (lead*hangulVowels+vowel)*hangulTails, true
	}
	tail := second - hangulTail
	if isHangulSyllable(first) && (first-hangulSyllable)%hangulTails == 0 && 0 < tail && tail < hangulTails {
		return first + tail, true
	}
	return 0, false
}
