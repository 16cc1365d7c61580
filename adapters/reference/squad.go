package reference

import (
	"github.com/normcert/normcert/metric"
)

// squadSteps are normalize_answer of metrics/squad/compute_score.py and
// metrics/squad_v2/compute_score.py, which are the same function.
func squadSteps() []Step {
	return []Step{lower, removePunctuation, articlesToSpace, collapseSpace}
}

// squad is metrics/squad, the same file at both pins.
func squad() *Pipeline {
	return &Pipeline{Scale: 100, Steps: squadSteps(), Match: equal, F1: tokenF1, score: scoreSquad, fast: (*Scorer).Squad}
}

// scoreSquad is compute_score of metrics/squad/compute_score.py behind _compute
// of squad.py. Predictions are keyed by id, so that of a repeated id the last
// one stands for all; every item counts, and an unanswered one scores 0.
func scoreSquad(p *Pipeline, _ metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	again, n, err := repeated(batch)
	if err != nil {
		return nil, err
	}
	var scorer Scorer
	var exact, f1 float64
	index := -1
	for item, err := range batch {
		index++
		if err != nil {
			return nil, err
		}
		prediction := item.Prediction
		if a, there := again[item.ID]; there {
			prediction = a.prediction
		}
		var e, f float64
		if prediction != nil {
			if len(item.References) == 0 {
				return nil, &metric.Refusal{Kind: metric.NoReferences, Message: "max() arg is an empty sequence"}
			}
			if e, f, err = p.best(&scorer, *prediction, item.References); err != nil {
				return nil, err
			}
		}
		exact += e
		f1 += f
		if each != nil {
			f *= p.Scale
			each(Row{Index: index, ID: item.ID, Exact: p.Scale * e, F1: &f})
		}
	}
	if n == 0 {
		return nil, divisionByZero()
	}
	total := float64(n)
	return metric.Scores{"exact_match": p.Scale * exact / total, "f1": p.Scale * f1 / total}, nil
}

func divisionByZero() error {
	return &metric.Refusal{Kind: metric.EmptyInput, Message: "float division by zero"}
}
