package pystr

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// What is true of ASCII is true in every Unicode version, so it is written
// down here and not looked up. Eight bytes are handled at a time.

const (
	runeSelf = utf8.RuneSelf
	everyLow = 0x0101010101010101 // a 1 in each byte
	everyTop = 0x8080808080808080 // the top bit of each byte
)

// load returns eight bytes of s from i, the first lowest.
func load(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// upperBytes has the top bit set of each byte of word that is A to Z. Every
// byte of word must be ASCII.
func upperBytes(word uint64) uint64 {
	fromA := word + (0x80-'A')*everyLow
	afterZ := word + (0x7F-'Z')*everyLow
	return (fromA &^ afterZ) & everyTop
}

// asciiPrefix is the number of ASCII bytes s begins with.
func asciiPrefix(s string) int {
	i := 0
	for i+8 <= len(s) && load(s, i)&everyTop == 0 {
		i += 8
	}
	for i < len(s) && s[i] < runeSelf {
		i++
	}
	return i
}

// lowerPrefix is the number of bytes s begins with that are ASCII and not A to Z.
func lowerPrefix(s string) int {
	i := 0
	for i+8 <= len(s) {
		word := load(s, i)
		if word&everyTop != 0 || upperBytes(word) != 0 {
			break
		}
		i += 8
	}
	for i < len(s) && s[i] < runeSelf && lowerByte(s[i]) == s[i] {
		i++
	}
	return i
}

// appendLowerPrefix appends the lower case of the ASCII bytes s begins with,
// and returns how many they are. It makes room for all of s.
func appendLowerPrefix(dst []byte, s string) ([]byte, int) {
	dst = slices.Grow(dst, len(s))
	out := dst[len(dst) : len(dst)+len(s)]
	i := 0
	for i+8 <= len(s) {
		word := load(s, i)
		if word&everyTop != 0 {
			break
		}
		binary.LittleEndian.PutUint64(out[i:], word|upperBytes(word)>>2)
		i += 8
	}
	for i < len(s) && s[i] < runeSelf {
		out[i] = lowerByte(s[i])
		i++
	}
	return dst[:len(dst)+i], i
}

func lowerByte(c byte) byte {
	if c-'A' < 26 {
		return c + ('a' - 'A')
	}
	return c
}

// asciiSpace tells whether c, which is ASCII, is white space to Python: tab to
// carriage return, and U+001C to space.
func asciiSpace(c byte) bool {
	const spaces = 1<<'\t' | 1<<'\n' | 1<<'\v' | 1<<'\f' | 1<<'\r' | 1<<0x1C | 1<<0x1D | 1<<0x1E | 1<<0x1F | 1<<' '
	return c <= ' ' && uint64(spaces)>>c&1 != 0
}
