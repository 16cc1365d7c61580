package cases

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/internal/visible"
)

// escapes are the short escapes of a basic string. \b and \f are read, but not
// written: few know them, and \b is something else in a pattern.
var (
	escapes   = map[rune]string{'\t': `\t`, '\n': `\n`, '\r': `\r`, '"': `\"`, '\\': `\\`}
	unescapes = map[string]rune{`\b`: '\b', `\f`: '\f', `\t`: '\t', `\n`: '\n', `\r`: '\r', `\"`: '"', `\\`: '\\'}
)

func escaped(r rune) string {
	if short, there := escapes[r]; there {
		return short
	}
	if r > 0xFFFF {
		return fmt.Sprintf(`\U%08X`, r)
	}
	return fmt.Sprintf(`\u%04X`, r)
}

func isMark(r rune) bool { return strings.HasPrefix(pystr.Category(r), "M") }

// unclear says why a character that follows literal, the text written as it is
// since the last escape, has to be escaped itself; "" where it need not. A
// reader cannot see what is hidden, a mark that has nothing of the same string
// to stand on, or another spelling of the same text.
func unclear(literal string, r rune) string {
	switch {
	case r != ' ' && visible.Hidden(r):
		return "cannot be seen"
	case isMark(r) && (literal == "" || strings.HasSuffix(literal, " ")):
		return "is a combining mark without a letter before it"
	case pystr.NFC(literal+string(r)) != literal+string(r):
		return "is not in its composed form (NFC)"
	}
	return ""
}

// basicString writes text as a basic string: what is unclear is escaped.
func basicString(text string) string { return respell(toRaw(text)) }

// toRaw escapes only what TOML itself wants escaped.
func toRaw(text string) string {
	var raw strings.Builder
	for _, r := range text {
		if r == '"' || r == '\\' || r < 0x20 && r != '\t' || r == 0x7F {
			raw.WriteString(escaped(r))
		} else {
			raw.WriteRune(r)
		}
	}
	return raw.String()
}

// respell brings the inside of a basic string to its canonical spelling, with
// its quotes. An escape for a character that could be written as it is stays,
// except for ASCII: whoever wrote it wanted it to be seen.
func respell(raw string) string {
	var out strings.Builder
	out.WriteByte('"')
	since := out.Len() // where the text since the last escape begins
	escape := func(r rune) {
		out.WriteString(escaped(r))
		since = out.Len()
	}
	for raw != "" {
		r, size, wasEscaped := oneCharacter(raw)
		raw = raw[size:]
		printable := r >= 0x20 && r < 0x7F && r != '"' && r != '\\'
		if wasEscaped && !printable || unclear(out.String()[since:], r) != "" {
			escape(r)
		} else {
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// oneCharacter reads the first character of the inside of a basic string.
func oneCharacter(raw string) (r rune, size int, wasEscaped bool) {
	if raw[0] != '\\' || len(raw) < 2 {
		r, size = utf8.DecodeRuneInString(raw)
		return r, size, false
	}
	digits := map[byte]int{'u': 4, 'U': 8}[raw[1]]
	if digits > 0 && len(raw) >= 2+digits {
		if n, err := strconv.ParseUint(raw[2:2+digits], 16, 32); err == nil {
			return rune(n), 2 + digits, true
		}
	}
	if r, there := unescapes[raw[:2]]; there {
		return r, 2, true
	}
	return utf8.RuneError, 1, false
}

// Unescape reads text as the inside of a basic string of TOML. The error names
// an escape that TOML does not have.
func Unescape(text string) (string, error) {
	var out strings.Builder
	for text != "" {
		r, size, wasEscaped := oneCharacter(text)
		if !wasEscaped && text[0] == '\\' || !utf8.ValidRune(r) {
			return "", fmt.Errorf("%q begins with no escape of TOML; a backslash is written \\\\", text)
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String(), nil
}
