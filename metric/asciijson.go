package metric

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// ASCIIJSON returns the JSON of value with every character outside ASCII, and
// DEL, written as an escape, so that it can be read, diffed and sent anywhere.
// The value must be one that encoding/json takes; it panics otherwise.
func ASCIIJSON(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("encoding %T: %v", value, err))
	}
	text := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if c := text[0]; c < 0x7f {
			out = append(out, c)
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		out = appendEscape(out, r)
		text = text[size:]
	}
	return out
}

// AppendASCIIString appends text as a string of ASCII JSON, as ASCIIJSON writes it.
func AppendASCIIString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20 && c < 0x7f:
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c == '\f':
			dst = append(dst, '\\', 'f')
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			dst = appendEscape(dst, r)
			i += size
			continue
		}
		i++
	}
	return append(dst, '"')
}

// appendEscape appends \uXXXX, or two of them for a character above U+FFFF.
func appendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
