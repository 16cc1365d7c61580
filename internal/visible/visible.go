// Package visible draws strings so that a reader sees what is in them.
package visible

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/normcert/normcert/internal/pystr"
)

// Quote draws text between quotes. Whatever cannot be seen, or would change
// how the rest is seen, is drawn by its number in angle brackets, ⟨U+00A0⟩:
// controls, odd spaces, zero-width and bidi characters, and combining marks
// that lead, that follow an ASCII letter, or that make the text differ from its composed form; and, between
// Latin letters, those of scripts that look like them. The quotes
// are single ones where the text has double ones. A quote or a bracket of the
// text itself needs no escape: the drawing is for reading, not for reading back.
func Quote(text string) string {
	composed := pystr.NFC(text) == text
	latin := strings.ContainsFunc(text, func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) })
	var out strings.Builder
	quote := quoteFor(text)
	out.WriteByte(quote)
	before := ' '
	for _, r := range text {
		leads := before == ' ' || hidden(before)
		mark := pystr.CombiningClass(r) != 0 && !composed || unicode.In(r, unicode.Mn, unicode.Me) && (leads || before < 0x80 && unicode.IsLetter(before))
		if hidden(r) || mark || latin && unicode.In(r, lookAlikes...) {
			fmt.Fprintf(&out, "⟨U+%04X⟩", r)
		} else {
			out.WriteRune(r)
		}
		before = r
	}
	out.WriteByte(quote)
	return out.String()
}

// Line draws one line of a program's own words as Quote does, without quotes.
func Line(text string) string {
	drawn := Quote(text)
	return drawn[1 : len(drawn)-1]
}

// quoteFor is the double quote, unless the text has one and no single quote.
func quoteFor(text string) byte {
	if strings.ContainsRune(text, '"') && !strings.ContainsRune(text, '\'') {
		return '\''
	}
	return '"'
}

// lookAlikes are the scripts with letters that cannot be told from Latin ones.
var lookAlikes = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee}

// unseen are letters, marks and signs without a shape of their own: fillers,
// the grapheme joiner, variation selectors, the blank of Braille.
var unseen = []*unicode.RangeTable{unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, {R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}}}}

func hidden(r rune) bool {
	return r != ' ' && (pystr.IsSpace(r) || unicode.Is(unicode.C, r) || unicode.In(r, unseen...) || !unicode.IsPrint(r))
}
