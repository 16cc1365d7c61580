package pystr

// CombiningClass is unicodedata.combining: the canonical combining class, 0
// for a starter. It is not the same as being a mark (category M).
func (t *Tables) CombiningClass(r rune) uint8 {
	if r < firstCombining {
		return 0
	}
	return t.property(r).class
}

// firstCombining is U+0300; nothing below it combines in any Unicode version,
// by the stability policy.
const firstCombining = 0x300

// Category is unicodedata.category: the two letters of the general category,
// "Cn" for what is not assigned.
func (t *Tables) Category(r rune) string { return categoryNames[t.property(r).category] }

// categoryNames has the same order as CATEGORIES in gen.py.
var categoryNames = [...]string{
	"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
	"Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
}

// IsSpace is str.isspace of one character: what str.split() splits at, and
// \s in re. There are 29, among them U+001C to U+001F.
func (t *Tables) IsSpace(r rune) bool {
	if uint32(r) < runeSelf {
		return asciiSpace(byte(r))
	}
	return t.property(r).flags&isSpace != 0
}

// IsAlnum is str.isalnum of one character: a letter, or decimal, digit or
// numeric, so also ², ½ and Ⅷ. Combining marks are not.
func (t *Tables) IsAlnum(r rune) bool { return t.property(r).flags&isAlnum != 0 }

// IsWord is \w in re: [Tables.IsAlnum] or the underscore.
func (t *Tables) IsWord(r rune) bool { return r == '_' || t.IsAlnum(r) }

// IsDecimal is str.isdecimal of one character, and \d in re: category Nd.
func (t *Tables) IsDecimal(r rune) bool { return t.property(r).flags&isDecimal != 0 }

// IsPrintable is str.isprintable of one character: what repr does not escape.
func (t *Tables) IsPrintable(r rune) bool { return t.property(r).flags&isPrintable != 0 }
