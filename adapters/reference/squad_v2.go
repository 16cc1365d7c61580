package reference

import (
	"cmp"
	"math"
	"slices"

	"github.com/normcert/normcert/metric"
)

// squadV2 is metrics/squad_v2; between the pins only the place of its article
// pattern moved.
func squadV2() *Pipeline {
	p := questionAnswering()
	p.F1, p.score, p.fast = tokenF1EmptyAgrees, scoreSquadV2, (*Scorer).SquadV2
	p.Items.DropErased, p.Items.NoneLeft = true, ExpectBlank
	return p
}

// question is what _compute of metrics/squad_v2/squad_v2.py keeps under an id,
// in dictionaries in which a repeated id overwrites what was there and keeps
// its place.
type question struct {
	noAnswer      float64 // no_answer_probability
	exact, f1     float64 // before the threshold
	firstAnswered int32   // its place among the predictions
	hasAnswer     bool
	answered      bool
	blank         bool // the prediction is ""
}

func scoreSquadV2(p *Pipeline, options metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	threshold := p.threshold(options)
	questions, err := p.ask(batch, threshold, each)
	if err != nil {
		return nil, err
	}
	asked := len(questions)
	questions = slices.DeleteFunc(questions, func(q question) bool { return !q.answered })
	switch {
	case len(questions) == 0:
		return p.noItems(divisionByZero)
	case len(questions) < asked && !p.Items.SkipUnanswered:
		return nil, &metric.Refusal{Kind: metric.MissingPrediction, Message: "a question has no prediction"}
	}
	scores := metric.Scores{}
	p.evaluate(scores, "", threshold, questions, func(*question) bool { return true })
	p.evaluate(scores, "HasAns_", threshold, questions, func(q *question) bool { return q.hasAnswer })
	p.evaluate(scores, "NoAns_", threshold, questions, func(q *question) bool { return !q.hasAnswer })
	byProbability := make([]int32, len(questions))
	for i := range byProbability {
		byProbability[i] = int32(i)
	}
	// sorted() is stable over the order of the predictions.
	slices.SortFunc(byProbability, func(a, b int32) int {
		x, y := &questions[a], &questions[b]
		return cmp.Or(cmp.Compare(x.noAnswer, y.noAnswer), cmp.Compare(x.firstAnswered, y.firstAnswered))
	})
	scores["best_exact"], scores["best_exact_thresh"] = p.bestThreshold(questions, byProbability, func(q *question) float64 { return q.exact })
	scores["best_f1"], scores["best_f1_thresh"] = p.bestThreshold(questions, byProbability, func(q *question) float64 { return q.f1 })
	return scores, nil
}

// ask is make_qid_to_has_ans and get_raw_scores. Has-answer is decided on the
// references as they came; only then are those dropped that normalize to
// nothing, and where none is left the only reference is "".
func (p *Pipeline) ask(batch Batch, threshold float64, each func(Row)) ([]question, error) {
	again, n, err := repeated(batch)
	if err != nil {
		return nil, err
	}
	if p.Items.Answers == OwnAnswer {
		again = nil
	}
	var scorer Scorer
	questions := make([]question, 0, n)
	places := make(map[string]int, len(again))
	index := -1
	for item, err := range batch {
		index++
		if err != nil {
			return nil, err
		}
		own := answer{prediction: item.Prediction, noAnswer: item.NoAnswerProbability, firstAnswered: index, last: index}
		place := len(questions)
		if a, there := again[item.ID]; there {
			own = *a
			if earlier, known := places[item.ID]; known {
				place = earlier
			}
			places[item.ID] = place
		}
		if place == len(questions) {
			questions = append(questions, question{})
		}
		q := &questions[place]
		if q.hasAnswer, err = p.hasAnswer(item.References); err != nil {
			return nil, err
		}
		q.noAnswer, q.firstAnswered = own.noAnswer, int32(own.firstAnswered)
		if own.prediction != nil {
			q.answered, q.blank = true, *own.prediction == ""
			if q.exact, q.f1, err = p.item(&scorer, *own.prediction, item.References); err != nil {
				return nil, err
			}
		}
		if each != nil {
			exact, f1 := q.counts(threshold)
			f1 *= p.Scale
			each(Row{Index: index, ID: item.ID, Exact: p.Scale * exact, F1: &f1, Superseded: own.last != index})
		}
	}
	return questions, nil
}

// hasAnswer is make_qid_to_has_ans: upstream asks the references as they come.
func (p *Pipeline) hasAnswer(references []string) (bool, error) {
	if !p.Items.HasAnswerAfterDropping {
		return len(references) > 0, nil
	}
	counting, err := p.counting(references)
	return len(counting) > 0, err
}

// threshold is the no-answer probability that is not yet over the option's.
func (p *Pipeline) threshold(options metric.Options) float64 {
	threshold := options.Number("no_answer_threshold", 1)
	switch {
	case p.Items.ThresholdIgnored:
		return math.Inf(1)
	case p.Items.ThresholdInclusive:
		return math.Nextafter(threshold, math.Inf(-1))
	}
	return threshold
}

// counts is apply_no_ans_threshold: a question whose no-answer probability is
// above the threshold scores as if left unanswered.
func (q *question) counts(threshold float64) (exact, f1 float64) {
	if q.noAnswer > threshold {
		return one(!q.hasAnswer), one(!q.hasAnswer)
	}
	return q.exact, q.f1
}

// evaluate is make_eval_dict over the questions that are of a part; of none,
// there is no key. The sums run left to right in the order of the ids, as
// Python 3.11's sum does.
func (p *Pipeline) evaluate(scores metric.Scores, prefix string, threshold float64, questions []question, of func(*question) bool) {
	var exact, f1, total float64
	for i := range questions {
		if q := &questions[i]; of(q) {
			e, f := q.counts(threshold)
			exact += e
			f1 += f
			total++
		}
	}
	if total > 0 {
		scores[prefix+"exact"] = p.share(exact, total)
		scores[prefix+"f1"] = p.share(f1, total)
		scores[prefix+"total"] = total
	}
}

// bestThreshold is find_best_thresh: from "no question is answered" on, lets
// in the predictions by rising no-answer probability and keeps the best sum.
func (p *Pipeline) bestThreshold(questions []question, order []int32, raw func(*question) float64) (best, threshold float64) {
	var current float64
	for i := range questions {
		current += one(!questions[i].hasAnswer)
	}
	best = current
	for _, i := range order {
		q := &questions[i]
		switch {
		case q.hasAnswer:
			current += raw(q)
		case !q.blank:
			current--
		}
		if current > best {
			best, threshold = current, q.noAnswer
		}
	}
	return p.share(best, float64(len(questions))), threshold
}
