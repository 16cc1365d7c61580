package reference

import (
	"fmt"
	"slices"

	"github.com/normcert/normcert/metric"
)

// squadV2 is metrics/squad_v2; between the pins only the place of its article
// pattern moved.
func squadV2() *Pipeline {
	return &Pipeline{Scale: 100, Steps: squadSteps(), Match: equal, F1: tokenF1EmptyAgrees, score: scoreSquadV2}
}

// questions is what _compute of metrics/squad_v2/squad_v2.py makes of the
// items: dictionaries by id, in which a repeated id overwrites what was there
// and keeps its place.
type questions struct {
	ids           []string // in the order of their first item
	hasAnswer     map[string]bool
	answered      []string // ids that have a prediction, in the order of their first
	prediction    map[string]string
	noAnswer      map[string]float64 // no_answer_probability
	exact, f1     map[string]float64 // of each answered question, before the threshold
	withThreshold float64
}

func scoreSquadV2(p *Pipeline, options metric.Options, items []metric.Item) (metric.Scores, error) {
	q, err := p.ask(items)
	if err != nil {
		return nil, err
	}
	q.withThreshold = options.Number("no_answer_threshold", 1)
	// make_eval_dict over all questions that were answered.
	if len(q.exact) == 0 {
		return nil, divisionByZero()
	}
	scores := metric.Scores{}
	var scored []string
	for _, id := range q.ids {
		if _, there := q.exact[id]; there {
			scored = append(scored, id)
		}
	}
	q.evaluate(scores, "", p.Scale, scored)
	for _, part := range []struct {
		prefix    string
		hasAnswer bool
	}{{"HasAns_", true}, {"NoAns_", false}} {
		ids := slices.DeleteFunc(slices.Clone(q.ids), func(id string) bool { return q.hasAnswer[id] != part.hasAnswer })
		if len(ids) == 0 {
			continue
		}
		for _, id := range ids {
			if _, there := q.exact[id]; !there {
				return nil, &metric.Refusal{Kind: metric.MissingPrediction, Message: fmt.Sprintf("no prediction for %q", id)}
			}
		}
		q.evaluate(scores, part.prefix, p.Scale, ids)
	}
	scores["best_exact"], scores["best_exact_thresh"] = q.bestThreshold(q.exact, p.Scale)
	scores["best_f1"], scores["best_f1_thresh"] = q.bestThreshold(q.f1, p.Scale)
	return scores, nil
}

// ask is make_qid_to_has_ans and get_raw_scores. Has-answer is decided on the
// references as they came; only then are those dropped that normalize to
// nothing, and where none is left the only reference is "".
func (p *Pipeline) ask(items []metric.Item) (*questions, error) {
	q := &questions{
		hasAnswer: map[string]bool{}, prediction: map[string]string{}, noAnswer: map[string]float64{},
		exact: map[string]float64{}, f1: map[string]float64{},
	}
	for _, item := range items {
		if _, again := q.hasAnswer[item.ID]; !again {
			q.ids = append(q.ids, item.ID)
		}
		q.hasAnswer[item.ID] = len(item.References) > 0
		if item.Prediction == nil {
			continue
		}
		if _, again := q.prediction[item.ID]; !again {
			q.answered = append(q.answered, item.ID)
		}
		q.prediction[item.ID] = *item.Prediction
		q.noAnswer[item.ID] = item.NoAnswerProbability
	}
	for _, item := range items {
		prediction, answered := q.prediction[item.ID]
		if !answered {
			continue
		}
		references, err := p.answering(item.References)
		if err != nil {
			return nil, err
		}
		if q.exact[item.ID], q.f1[item.ID], err = p.best(prediction, references); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// answering drops the references that normalize to nothing.
func (p *Pipeline) answering(references []string) ([]string, error) {
	var kept []string
	for _, reference := range references {
		normalized, err := p.Normalize(reference)
		if err != nil {
			return nil, err
		}
		if normalized != "" {
			kept = append(kept, reference)
		}
	}
	if len(kept) == 0 {
		return []string{""}, nil
	}
	return kept, nil
}

// evaluate is make_eval_dict with apply_no_ans_threshold: a question whose
// no-answer probability is above the threshold scores as if left unanswered.
// The sums run left to right in the order of the ids, as Python 3.11's sum does.
func (q *questions) evaluate(scores metric.Scores, prefix string, scale float64, ids []string) {
	var exact, f1 float64
	for _, id := range ids {
		if q.noAnswer[id] > q.withThreshold {
			if !q.hasAnswer[id] {
				exact++
				f1++
			}
			continue
		}
		exact += q.exact[id]
		f1 += q.f1[id]
	}
	total := float64(len(ids))
	scores[prefix+"exact"] = scale * exact / total
	scores[prefix+"f1"] = scale * f1 / total
	scores[prefix+"total"] = total
}

// bestThreshold is find_best_thresh: from "no question is answered" on, lets
// in the predictions by rising no-answer probability and keeps the best sum.
func (q *questions) bestThreshold(raw map[string]float64, scale float64) (best, threshold float64) {
	var current float64
	for _, has := range q.hasAnswer {
		if !has {
			current++
		}
	}
	best = current
	ids := slices.Clone(q.answered)
	slices.SortStableFunc(ids, func(a, b string) int {
		switch x, y := q.noAnswer[a], q.noAnswer[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, id := range ids {
		switch {
		case q.hasAnswer[id]:
			current += raw[id]
		case q.prediction[id] != "":
			current--
		}
		if current > best {
			best, threshold = current, q.noAnswer[id]
		}
	}
	return scale * best / float64(len(raw)), threshold
}
