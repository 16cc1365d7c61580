package reference

import (
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

// Step is one named change to a text. A normalizer is a list of steps, and a
// variation exchanges, moves or drops one of them by its name.
type Step struct {
	Name  string
	Apply func(text string) string
}

// articles are what squad's pattern \b(a|an|the)\b and the article's set name.
var articles = []string{"a", "an", "the"}

// isPunctuation says whether r is in Python's string.punctuation: the 32 ASCII
// characters. It has $ + < = > ^ ` | ~, and no dash, quote or apostrophe
// outside ASCII.
func isPunctuation(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
}

var (
	lower             = Step{"lower", pystr.Lower}
	casefold          = Step{"casefold", pystr.Casefold}
	decompose         = Step{"nfd", pystr.NFD}
	dropMarks         = Step{"drop-marks", func(text string) string { return drop(text, func(r rune) bool { return pystr.CombiningClass(r) != 0 }) }}
	removePunctuation = Step{"remove-punctuation", func(text string) string { return drop(text, isPunctuation) }}
	// articlesToSpace is squad's: a whole word that is an article becomes a space.
	articlesToSpace = Step{"remove-articles", articlesToSpaceIn}
	// dropArticleTokens is the article's: of the tokens, those that are articles go.
	dropArticleTokens = Step{"remove-articles", func(text string) string {
		tokens := slices.DeleteFunc(pystr.Fields(text), func(token string) bool { return slices.Contains(articles, token) })
		return strings.Join(tokens, " ")
	}}
	collapseSpace = Step{"collapse-whitespace", func(text string) string { return strings.Join(pystr.Fields(text), " ") }}
)

func drop(text string, out func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if out(r) {
			return -1
		}
		return r
	}, text)
}

// articlesToSpaceIn is re.sub(r"\b(a|an|the)\b", " ", text) with Python's \b:
// an article goes where it is a whole run of word characters.
func articlesToSpaceIn(text string) string {
	var out strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return !pystr.IsWord(r) })
		if end < 0 {
			end = len(text)
		}
		if word := text[:end]; slices.Contains(articles, word) {
			out.WriteByte(' ')
		} else {
			out.WriteString(word)
		}
		text = text[end:]
		next := strings.IndexFunc(text, pystr.IsWord)
		if next < 0 {
			next = len(text)
		}
		out.WriteString(text[:next])
		text = text[next:]
	}
	return out.String()
}

func apply(steps []Step, text string) string {
	for _, step := range steps {
		text = step.Apply(text)
	}
	return text
}
