package reference

import "github.com/normcert/normcert/metric"

// squad is metrics/squad, the same file at both pins.
func squad() *Pipeline {
	p := questionAnswering()
	p.F1, p.score, p.fast = tokenF1, scoreSquad, (*Scorer).Squad
	return p
}

// scoreSquad is compute_score of metrics/squad/compute_score.py behind _compute
// of squad.py. Predictions are keyed by id, so that of a repeated id the last
// one stands for all; every item counts, and an unanswered one scores 0.
func scoreSquad(p *Pipeline, _ metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	again, _, err := repeated(batch)
	if err != nil {
		return nil, err
	}
	var scorer Scorer
	var exact, f1, total float64
	index := -1
	for item, err := range batch {
		index++
		if err != nil {
			return nil, err
		}
		prediction, superseded := item.Prediction, false
		if a, there := again[item.ID]; there && p.Items.Answers != OwnAnswer {
			prediction = a.prediction
			superseded = p.Items.Answers == LastItem && a.last != index
		}
		if superseded || prediction == nil && p.Items.SkipUnanswered {
			continue
		}
		var e, f float64
		if prediction != nil {
			if e, f, err = p.item(&scorer, *prediction, item.References); err != nil {
				return nil, err
			}
		}
		exact += e
		f1 += f
		total++
		if each != nil {
			f *= p.Scale
			each(Row{Index: index, ID: item.ID, Exact: p.Scale * e, F1: &f})
		}
	}
	if total == 0 {
		return p.noItems(divisionByZero)
	}
	return metric.Scores{"exact_match": p.share(exact, total), "f1": p.share(f1, total)}, nil
}
