package visible_test

import (
	"strings"
	"testing"

	"github.com/normcert/normcert/internal/visible"
)

func TestQuote(t *testing.T) {
	tests := []struct{ shows, text, want string }{
		{"nothing", "", `""`},
		{"plain text", "The car, 3.5!", `"The car, 3.5!"`},
		{"a quote and a backslash need no escape", `say "\n"`, `'say "\n"'`},
		{"spaces are spaces", "  a ", `"  a "`},
		{"composed letters", "caf\u00e9", "\"caf\u00e9\""},
		{"letters of another script by themselves", "\u041c\u043e\u0441\u043a\u0432\u0430 \u0395\u03bb\u03bb\u03ac\u03b4\u03b1", "\"\u041c\u043e\u0441\u043a\u0432\u0430 \u0395\u03bb\u03bb\u03ac\u03b4\u03b1\""},
		{"CJK and an emoji", "\u65e5\u672c \U0001F600", "\"\u65e5\u672c \U0001F600\""},
		{"typographic signs can be seen", "\u2019 \u2013 \u2014", "\"\u2019 \u2013 \u2014\""},

		{"a decomposed letter", "cafe\u0301", `"cafe⟨U+0301⟩"`},
		{"a leading mark", "\u0301a", `"⟨U+0301⟩a"`},
		{"a mark after a space", "a \u0301", `"a ⟨U+0301⟩"`},
		{"a mark after what is hidden", "a\u00a0\u0301", `"a⟨U+00A0⟩⟨U+0301⟩"`},
		{"an enclosing mark that leads", "\u20e3", `"⟨U+20E3⟩"`},
		{"a mark that no letter composes with", "\u0645\u064f", "\"\u0645\u064f\""},
		{"a singleton that looks like another letter", "\u212b", "\"\u212b\""},

		{"line breaks and a tab", "a\r\n\tb", `"a⟨U+000D⟩⟨U+000A⟩⟨U+0009⟩b"`},
		{"NUL and ESC", "\x00\x1b[31m", `"⟨U+0000⟩⟨U+001B⟩[31m"`},
		{"DEL and a C1 control", "\u007f\u0085\u009b", `"⟨U+007F⟩⟨U+0085⟩⟨U+009B⟩"`},
		{"the separators that are white space in Python only", "\x1c\x1f", `"⟨U+001C⟩⟨U+001F⟩"`},
		{"odd spaces", "\u00a0\u2003\u202f\u3000\u1680", `"⟨U+00A0⟩⟨U+2003⟩⟨U+202F⟩⟨U+3000⟩⟨U+1680⟩"`},
		{"line and paragraph separators", "\u2028\u2029", `"⟨U+2028⟩⟨U+2029⟩"`},
		{"zero width", "a\u200b\u200c\u200d\u2060\ufeffb", `"a⟨U+200B⟩⟨U+200C⟩⟨U+200D⟩⟨U+2060⟩⟨U+FEFF⟩b"`},
		{"bidi controls", "\u200e\u200f\u202e\u2066\u2069", `"⟨U+200E⟩⟨U+200F⟩⟨U+202E⟩⟨U+2066⟩⟨U+2069⟩"`},
		{"a soft hyphen", "co\u00adop", `"co⟨U+00AD⟩op"`},
		{"variation selectors", "\u2764\ufe0f \U000E0100", "\"\u2764⟨U+FE0F⟩ ⟨U+E0100⟩\""},
		{"tags", "\U000E0041", `"⟨U+E0041⟩"`},
		{"private use and unassigned", "\ue000\U0010FFFF\u0378", `"⟨U+E000⟩⟨U+10FFFF⟩⟨U+0378⟩"`},
		{"the grapheme joiner", "a\u034fb", `"a⟨U+034F⟩b"`},
		{"the fillers of Hangul, which are letters", "\u115f\u1160\u3164\uffa0", `"⟨U+115F⟩⟨U+1160⟩⟨U+3164⟩⟨U+FFA0⟩"`},
		{"the blank of Braille", "\u2800", `"⟨U+2800⟩"`},

		{"a Cyrillic letter between Latin ones", "p\u0430ypal", `"p⟨U+0430⟩ypal"`},
		{"a Greek letter between Latin ones", "\u0391pple", `"⟨U+0391⟩pple"`},
		{"a Greek letter beside a digit only", "\u0391 1", "\"\u0391 1\""},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			if got := visible.Quote(test.text); got != test.want {
				t.Errorf("%+q is drawn %s, want %s", test.text, got, test.want)
			}
		})
	}
}

// Nothing that a terminal obeys comes through.
func TestQuoteHoldsBackEveryControl(t *testing.T) {
	for r := rune(0); r < 0x30000; r++ {
		drawn := visible.Quote("x" + string(r) + "x")
		if strings.ContainsFunc(drawn, func(r rune) bool {
			return r < 0x20 || 0x7f <= r && r < 0xa0 || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
		}) {
			t.Errorf("U+%04X comes through", r)
		}
	}
}
