package reference

import (
	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// ItemRules say which references of an item count, which items of a batch, and
// what is made of those without a prediction or a reference.
type ItemRules struct {
	// Choose returns the references that count; nil lets all of them.
	Choose func(references []string) []string
	// MostItems is how many items of a batch count; 0 is all of them.
	MostItems int
	// DropBlank drops references that are empty or only white space.
	DropBlank bool
	// DropErased drops references that normalize to nothing (squad_v2).
	DropErased bool
	// NoneLeft is what is made of an item without a reference.
	NoneLeft NoneLeft
	// BlankScoresZero scores a prediction 0 that is empty or only white space.
	BlankScoresZero bool
	// Answers says which answer stands for an item whose id occurs again.
	Answers Answers
	// SkipUnanswered leaves items without a prediction out of every count.
	SkipUnanswered bool
	// EmptyScoresZero scores a batch without items 0 instead of what upstream
	// makes of it: an exception, or NaN.
	EmptyScoresZero bool
	// ThresholdInclusive takes a no-answer probability at the threshold for over
	// it, ThresholdIgnored takes none for over it, and HasAnswerAfterDropping
	// looks for an answer among the references that count (squad_v2).
	ThresholdInclusive, ThresholdIgnored, HasAnswerAfterDropping bool
}

// NoneLeft is what is made of an item without a reference.
type NoneLeft int

const (
	// Raise refuses the batch (squad: max() of nothing).
	Raise NoneLeft = iota
	// ExpectBlank puts "" in the place of the references (squad_v2).
	ExpectBlank
	// ScoreZero scores the item 0.
	ScoreZero
	// ScoreTop scores the item as a match.
	ScoreTop
)

// Answers says which answer stands for an item whose id occurs again.
type Answers int

const (
	// LastAnswer is the last prediction under the id, for each of its items
	// (squad), or for all of them as one (squad_v2).
	LastAnswer Answers = iota
	// OwnAnswer is the item's own: ids are ignored.
	OwnAnswer
	// LastItem counts only the last item of an id.
	LastItem
)

// item scores one item, 0 to 1. s is used where nothing was varied.
func (p *Pipeline) item(s *Scorer, prediction string, references []string) (exact, f1 float64, err error) {
	if p.fast != nil {
		if len(references) == 0 && p.Items.NoneLeft == Raise {
			return 0, 0, noReferences()
		}
		matched, f1 := p.fast(s, prediction, references)
		return one(matched), f1, nil
	}
	if p.Items.BlankScoresZero && pystr.IsBlank(prediction) {
		return 0, 0, nil
	}
	if references, err = p.counting(references); err != nil {
		return 0, 0, err
	}
	if len(references) == 0 {
		switch p.Items.NoneLeft {
		case Raise:
			return 0, 0, noReferences()
		case ExpectBlank:
			references = []string{""}
		case ScoreTop:
			return 1, 1, nil
		}
	}
	return p.best(prediction, references)
}

// counting returns the references that count.
func (p *Pipeline) counting(references []string) ([]string, error) {
	if p.Items.Choose != nil {
		references = p.Items.Choose(references)
	}
	if !p.Items.DropBlank && !p.Items.DropErased {
		return references, nil
	}
	var kept []string
	for _, reference := range references {
		if p.Items.DropBlank && pystr.IsBlank(reference) {
			continue
		}
		if p.Items.DropErased {
			normalized, err := p.Normalize(reference)
			if err != nil {
				return nil, err
			}
			if normalized == "" {
				continue
			}
		}
		kept = append(kept, reference)
	}
	return kept, nil
}

// best returns the best exact match and the best F1 of a prediction over its
// references.
func (p *Pipeline) best(prediction string, references []string) (exact, f1 float64, err error) {
	normalized, err := p.Normalize(prediction)
	if err != nil {
		return 0, 0, err
	}
	var tokens []string
	if p.F1 != nil {
		tokens = p.Tokens(normalized)
	}
	for _, text := range references {
		reference, err := p.Normalize(text)
		if err != nil {
			return 0, 0, err
		}
		if p.Match(normalized, reference) {
			exact = 1
		}
		if p.F1 != nil {
			f1 = max(f1, p.F1(tokens, p.Tokens(reference)))
		}
	}
	return exact, f1, nil
}

func noReferences() error {
	return &metric.Refusal{Kind: metric.NoReferences, Message: "max() arg is an empty sequence"}
}

// noItems is what a batch without items comes to, where upstream raises.
func (p *Pipeline) noItems(message string) (metric.Scores, error) {
	if !p.Items.EmptyScoresZero {
		return nil, &metric.Refusal{Kind: metric.EmptyInput, Message: message}
	}
	scores := metric.Scores{}
	for _, key := range p.Metric.Keys {
		if !key.Sometimes {
			scores[key.Name] = 0
		}
	}
	return scores, nil
}

const divisionByZero = "float division by zero"

func one(matched bool) float64 {
	if matched {
		return 1
	}
	return 0
}

// Means is how the scores of items become those of a batch.
type Means struct {
	// First divides before it multiplies by the scale (np.mean(…) * 100); else
	// the scale comes first (100.0 * sum / total).
	First bool
	// Round, where it is not nil, is applied to every share, on the pipeline's scale.
	Round func(share float64) float64
}

// share is the mean of n scores that add up to sum, on the pipeline's scale.
func (p *Pipeline) share(sum, n float64) float64 {
	var share float64
	if p.Means.First {
		share = sum / n * p.Scale
	} else {
		share = p.Scale * sum / n
	}
	if p.Means.Round != nil {
		share = p.Means.Round(share)
	}
	return share
}
