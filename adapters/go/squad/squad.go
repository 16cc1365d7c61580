// An example: SQuAD's exact match and F1, equal to upstream in everything.
//
//	normcert certify -- go run ./adapters/go/squad
//
// Upstream runs on CPython, so its lower case, spaces and word characters are
// Python's. Which characters are letters is the Go toolchain's Unicode version
// here; it differs from Python's for characters that one of them does not know yet.

package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func main() {
	conditions := []string{"batch", "unanswered", "repeated-id", "no-references"}
	Serve(Adapter{
		Name:      "squad-go",
		Version:   "1",
		Metrics:   map[string]Metric{"squad": {Answers: []string{"normalize", "exact_match", "f1"}, Handles: conditions, Scale: 100}},
		Normalize: func(_ string, _ map[string]any, text string) (string, error) { return normalize(text), nil },
		Score:     func(_ string, _ map[string]any, items []Item) (map[string]float64, error) { return score(items) },
	})
}

// normalize takes away case, ASCII punctuation, articles and odd spaces, in that order.
func normalize(text string) string {
	bare := strings.Map(func(r rune) rune {
		if isPunctuation(r) {
			return -1
		}
		return r
	}, lower(text))
	return strings.Join(strings.FieldsFunc(blankArticles(bare), isSpace), " ")
}

// blankArticles puts a space in the place of each run of word characters that is an article.
func blankArticles(text string) string {
	var out strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(text)
		}
		switch word := text[:end]; word {
		case "a", "an", "the":
			out.WriteByte(' ')
		default:
			out.WriteString(word)
		}
		text = text[end:]
		begin := strings.IndexFunc(text, isWord)
		if begin < 0 {
			begin = len(text)
		}
		out.WriteString(text[:begin])
		text = text[begin:]
	}
	return out.String()
}

// score is the mean over the items. Of several predictions with one id the last counts.
func score(items []Item) (map[string]float64, error) {
	if len(items) == 0 {
		return nil, Refused{"empty_input", "there is nothing to take a mean of"}
	}
	answers := map[string]string{}
	for _, item := range items {
		if item.Prediction != nil {
			answers[item.ID] = *item.Prediction
		}
	}
	var exact, f1 float64
	for _, item := range items {
		prediction, answered := answers[item.ID]
		if !answered {
			continue
		}
		if len(item.References) == 0 {
			return nil, Refused{"no_references", "the best of no references is not defined"}
		}
		var bestExact, bestF1 float64
		for _, reference := range item.References {
			left, right := normalize(prediction), normalize(reference)
			if left == right {
				bestExact = 1
			}
			bestF1 = max(bestF1, tokenF1(left, right))
		}
		exact += bestExact
		f1 += bestF1
	}
	n := float64(len(items))
	return map[string]float64{"exact_match": 100 * exact / n, "f1": 100 * f1 / n}, nil
}

// tokenF1 is 0 where no token is shared, also where there is none at all.
func tokenF1(left, right string) float64 {
	prediction, reference := strings.Fields(left), strings.Fields(right)
	rest := slices.Clone(reference)
	shared := 0.0
	for _, token := range prediction {
		if at := slices.Index(rest, token); at >= 0 {
			rest = slices.Delete(rest, at, at+1)
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	precision, recall := shared/float64(len(prediction)), shared/float64(len(reference))
	return 2 * precision * recall / (precision + recall)
}

// isSpace is what str.split() splits at: unicode.IsSpace lacks U+001C to U+001F.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// isWord is \w of a str. Combining marks are not in it.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }

// isPunctuation is string.punctuation: 32 ASCII characters, symbols among them.
func isPunctuation(r rune) bool {
	return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
}

// lower is str.lower(). strings.ToLower differs in two characters: U+0130 becomes
// two, and a sigma at the end of a word is another letter.
func lower(text string) string {
	var out strings.Builder
	for at, r := range text {
		switch {
		case r == 0x130:
			out.WriteString("i\u0307")
		case r == 0x3a3 && isFinal(text[:at], text[at+len("\u03a3"):]):
			out.WriteRune(0x3c2)
		default:
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return out.String()
}

// isFinal is the condition Final_Sigma of the Unicode Standard, section 3.13.
func isFinal(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, isCaseIgnorable))
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, isCaseIgnorable))
	return isCased(last) && !isCased(next) // of an empty string it is U+FFFD, which has no case
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func isCaseIgnorable(r rune) bool {
	const inWords = "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune(inWords, r)
}
