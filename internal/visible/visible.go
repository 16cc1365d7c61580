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
// that lead or that make the text differ from its composed form. A quote or a
// bracket of the text itself needs no escape: the drawing is for reading, not
// for reading back.
func Quote(text string) string {
	composed := pystr.NFC(text) == text
	var out strings.Builder
	out.WriteByte('"')
	before := ' '
	for _, r := range text {
		if hidden(r) || pystr.CombiningClass(r) != 0 && (!composed || before == ' ') {
			fmt.Fprintf(&out, "⟨U+%04X⟩", r)
		} else {
			out.WriteRune(r)
		}
		before = r
	}
	out.WriteByte('"')
	return out.String()
}

func hidden(r rune) bool {
	return r != ' ' && (pystr.IsSpace(r) || unicode.In(r, unicode.C, unicode.Variation_Selector) || !unicode.IsPrint(r))
}
