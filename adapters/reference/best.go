package reference

import "github.com/normcert/normcert/internal/pystr"

// best returns the best exact match and the best F1 of a prediction over its
// references, each 0 to 1. s is used where nothing was varied.
func (p *Pipeline) best(s *Scorer, prediction string, references []string) (exact, f1 float64, err error) {
	if p.fast != nil && p.normalize == nil {
		matched, f1 := p.fast(s, prediction, references)
		return one(matched), f1, nil
	}
	normalized, err := p.Normalize(prediction)
	if err != nil {
		return 0, 0, err
	}
	tokens := pystr.Fields(normalized)
	for _, text := range references {
		reference, err := p.Normalize(text)
		if err != nil {
			return 0, 0, err
		}
		if p.Match(normalized, reference) {
			exact = 1
		}
		f1 = max(f1, p.F1(tokens, pystr.Fields(reference)))
	}
	return exact, f1, nil
}

func one(matched bool) float64 {
	if matched {
		return 1
	}
	return 0
}
