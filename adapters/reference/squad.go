package reference

import (
	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// squadSteps are normalize_answer of metrics/squad/compute_score.py and
// metrics/squad_v2/compute_score.py, which are the same function.
func squadSteps() []Step {
	return []Step{lower, removePunctuation, articlesToSpace, collapseSpace}
}

// squad is metrics/squad, the same file at both pins.
func squad() *Pipeline {
	return &Pipeline{Scale: 100, Steps: squadSteps(), Match: equal, F1: tokenF1, score: scoreSquad}
}

// scoreSquad is compute_score of metrics/squad/compute_score.py behind _compute
// of squad.py. Predictions are keyed by id, so that of a repeated id the last
// one stands for all; every item counts, and an unanswered one scores 0.
func scoreSquad(p *Pipeline, _ metric.Options, items []metric.Item) (metric.Scores, error) {
	predictions := map[string]string{}
	for _, item := range items {
		if item.Prediction != nil {
			predictions[item.ID] = *item.Prediction
		}
	}
	var exact, f1 float64
	for _, item := range items {
		prediction, answered := predictions[item.ID]
		if !answered {
			continue
		}
		if len(item.References) == 0 {
			return nil, &metric.Refusal{Kind: metric.NoReferences, Message: "max() arg is an empty sequence"}
		}
		e, f, err := p.best(prediction, item.References)
		if err != nil {
			return nil, err
		}
		exact += e
		f1 += f
	}
	if len(items) == 0 {
		return nil, divisionByZero()
	}
	total := float64(len(items))
	return metric.Scores{"exact_match": p.Scale * exact / total, "f1": p.Scale * f1 / total}, nil
}

// best returns the best exact match and the best F1 of a prediction over its
// references, each 0 to 1.
func (p *Pipeline) best(prediction string, references []string) (exact, f1 float64, err error) {
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

func divisionByZero() error {
	return &metric.Refusal{Kind: metric.EmptyInput, Message: "float division by zero"}
}
