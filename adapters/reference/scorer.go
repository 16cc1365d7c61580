package reference

import (
	"bytes"
	"unicode/utf8"

	"github.com/normcert/normcert/internal/pystr"
)

// Scorer scores squad and squad_v2 one pair at a time. It keeps its buffers
// from one call to the next, so that strings in ASCII take no allocation. The
// zero value is ready; it must not be used by two goroutines at once.
type Scorer struct {
	lower                 []byte
	prediction, reference []byte
	left, right           []span
	used                  []bool
}

// span is where a token lies in a normalized text.
type span struct{ start, end int32 }

// AppendNormalized appends squad's normalize_answer of text (see squadSteps for
// the steps that it is) to dst and returns the extended slice.
func (s *Scorer) AppendNormalized(dst []byte, text string) []byte {
	s.lower = pystr.AppendLower(s.lower[:0], text)
	return appendNormalized(dst, s.lower)
}

// class says what normalize_answer does with an ASCII byte.
type class uint8

const (
	word  class = iota // a letter or a digit: kept, and part of an article
	other              // kept, and no part of a word: the controls that are not white space
	space              // separates
	sign               // string.punctuation: dropped
)

// asciiClass is what pystr.IsSpace, pystr.IsWord and isPunctuation say of ASCII.
var asciiClass = func() (table [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		switch {
		case isPunctuation(r):
			table[r] = sign
		case pystr.IsSpace(r):
			table[r] = space
		case !pystr.IsWord(r):
			table[r] = other
		}
	}
	return table
}()

// appendNormalized is what comes after lower(): one pass in which punctuation
// is dropped, a run of word characters that is an article becomes a separator,
// and separators collapse to one space between what is left.
func appendNormalized(dst, lower []byte) []byte {
	begin := len(dst)
	// A run is the word characters from runAt on; mark is where it began,
	// together with the space before it.
	inRun, runAt, mark := false, 0, 0
	separate := false
	for i := 0; i < len(lower); {
		c, size := word, 1
		if b := lower[i]; b < utf8.RuneSelf {
			c = asciiClass[b]
		} else {
			c, size = wideClass(lower[i:])
		}
		switch c {
		case sign:
			i += size
			continue
		case word:
			if !inRun {
				inRun, mark = true, len(dst)
				if separate && len(dst) > begin {
					dst = append(dst, ' ')
				}
				separate, runAt = false, len(dst)
			}
			dst = append(dst, lower[i:i+size]...)
			i += size
			continue
		}
		if inRun && isArticle(dst[runAt:]) {
			dst, separate = dst[:mark], true
		}
		inRun = false
		if c == space {
			separate = true
		} else {
			if separate && len(dst) > begin {
				dst = append(dst, ' ')
			}
			separate = false
			dst = append(dst, lower[i:i+size]...)
		}
		i += size
	}
	if inRun && isArticle(dst[runAt:]) {
		dst = dst[:mark]
	}
	return dst
}

func wideClass(text []byte) (class, int) {
	r, size := utf8.DecodeRune(text)
	switch {
	case pystr.IsWord(r):
		return word, size
	case pystr.IsSpace(r):
		return space, size
	}
	return other, size
}

func isArticle(run []byte) bool {
	switch len(run) {
	case 1:
		return run[0] == 'a'
	case 2:
		return run[0] == 'a' && run[1] == 'n'
	case 3:
		return run[0] == 't' && run[1] == 'h' && run[2] == 'e'
	}
	return false
}

// Squad returns whether a prediction matches any of the references, and its
// best F1 over them, 0 to 1: metrics/squad/compute_score.py. Both are 0 where
// there is no reference; upstream raises then.
func (s *Scorer) Squad(prediction string, references []string) (exact bool, f1 float64) {
	s.take(prediction)
	for _, reference := range references {
		s.reference = s.AppendNormalized(s.reference[:0], reference)
		e, f := s.compare(0)
		exact, f1 = exact || e, max(f1, f)
	}
	return exact, f1
}

// SquadV2 is Squad by metrics/squad_v2/compute_score.py: references that
// normalize to nothing are dropped, "" stands where none is left, and two
// texts that normalize to nothing have F1 1.
func (s *Scorer) SquadV2(prediction string, references []string) (exact bool, f1 float64) {
	s.take(prediction)
	dropped := true
	for _, reference := range references {
		s.reference = s.AppendNormalized(s.reference[:0], reference)
		if len(s.reference) == 0 {
			continue
		}
		dropped = false
		e, f := s.compare(1)
		exact, f1 = exact || e, max(f1, f)
	}
	if dropped {
		s.reference = s.reference[:0]
		return s.compare(1)
	}
	return exact, f1
}

func (s *Scorer) take(prediction string) {
	s.prediction = s.AppendNormalized(s.prediction[:0], prediction)
	s.left = tokens(s.left[:0], s.prediction)
}

// compare scores the normalized prediction against the normalized reference;
// empty is the F1 of two empty texts.
func (s *Scorer) compare(empty float64) (exact bool, f1 float64) {
	switch {
	case bytes.Equal(s.prediction, s.reference) && len(s.left) == 0:
		return true, empty
	case bytes.Equal(s.prediction, s.reference):
		// Precision and recall are 1, and so is 2*1*1/(1+1).
		return true, 1
	}
	s.right = tokens(s.right[:0], s.reference)
	return false, f1Of(s.common(), len(s.left), len(s.right))
}

func tokens(dst []span, text []byte) []span {
	for start := 0; start < len(text); {
		end := len(text)
		if at := bytes.IndexByte(text[start:], ' '); at >= 0 {
			end = start + at
		}
		dst = append(dst, span{int32(start), int32(end)})
		start = end + 1
	}
	return dst
}

// few is up to how many pairs of tokens are compared one by one.
const few = 1 << 12

// common is the size of the multiset intersection of both token lists.
func (s *Scorer) common() int {
	if len(s.left)*len(s.right) > few {
		return s.commonOfMany()
	}
	s.used = append(s.used[:0], make([]bool, len(s.left))...)
	same := 0
	for _, right := range s.right {
		token := s.reference[right.start:right.end]
		for i, left := range s.left {
			if !s.used[i] && bytes.Equal(token, s.prediction[left.start:left.end]) {
				s.used[i] = true
				same++
				break
			}
		}
	}
	return same
}

func (s *Scorer) commonOfMany() int {
	left := make(map[string]int, len(s.left))
	for _, token := range s.left {
		left[string(s.prediction[token.start:token.end])]++
	}
	same := 0
	for _, token := range s.right {
		if key := string(s.reference[token.start:token.end]); left[key] > 0 {
			left[key]--
			same++
		}
	}
	return same
}
