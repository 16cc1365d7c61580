package reference

import (
	"fmt"
	"strings"

	"github.com/normcert/normcert/adapters"
)

// removePattern is re.sub(pattern, "", text) for patterns of literals, escaped
// punctuation and the dot. Any other is unsupported, never guessed.
func removePattern(pattern, text string) (string, error) {
	elements, err := literals(pattern)
	if err != nil || len(elements) == 0 {
		return text, err
	}
	runes := []rune(text)
	var out strings.Builder
	for at := 0; at < len(runes); {
		if !matchesAt(elements, runes[at:]) {
			out.WriteRune(runes[at])
			at++
			continue
		}
		at += len(elements)
	}
	return out.String(), nil
}

// anyButNewline stands for the dot.
const anyButNewline = -1

func literals(pattern string) ([]rune, error) {
	var elements []rune
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped && r < 0x80 && isPunctuation(r):
			elements = append(elements, r)
			escaped = false
		case escaped || strings.ContainsRune(`^$*+?{[|()`, r):
			return nil, &adapters.Unsupported{Why: fmt.Sprintf("the pattern %q has more than literals, escaped punctuation and the dot", pattern)}
		case r == '\\':
			escaped = true
		case r == '.':
			elements = append(elements, anyButNewline)
		default:
			elements = append(elements, r)
		}
	}
	if escaped {
		return nil, &adapters.Unsupported{Why: fmt.Sprintf("the pattern %q ends in a backslash", pattern)}
	}
	return elements, nil
}

func matchesAt(elements, text []rune) bool {
	if len(text) < len(elements) {
		return false
	}
	for i, element := range elements {
		if element == anyButNewline && text[i] == '\n' || element != anyButNewline && element != text[i] {
			return false
		}
	}
	return true
}
