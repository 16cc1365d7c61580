package runner

import (
	"errors"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// factKey names one answer: the normalized form of a text, or a score of a check.
type factKey struct {
	check *Check
	text  string
	name  string
}

// fact is one answer of the adapter beside the pin's.
type fact struct {
	key       factKey
	got, want Value
	weight    float64 // of getting it wrong; 0 where the adapter is the same as the pin
}

// Weights of reproducing an answer: one that differs by rounding says little,
// next to one that differs.
const (
	heavy = 1.0
	light = 1e-3
)

// evidence are the answers of a claim that speak for or against a variation.
type evidence struct {
	claim *Claim
	// name and pin are what the answers are compared with: the claim's own, or
	// another metric's (see Identify).
	name, pin string
	facts     []fact
	checks    []*Check // those with score facts, in order
	texts     []string // those with a normalize fact, in order
}

// evidenceOf gathers what the adapter answered; faults and honest noes say nothing.
func (q *questions) evidenceOf(claim *Claim, checks []*Check) *evidence {
	e := &evidence{claim: claim, name: claim.Metric.Name, pin: claim.Pin.Name()}
	seen := map[string]bool{}
	for _, check := range checks {
		if !check.Asks() {
			continue
		}
		if claim.Normalizes() {
			for text, want := range check.normalized {
				one := q.text[textKey{claim, text}]
				if seen[text] || one.err != nil || !one.reached {
					continue
				}
				seen[text] = true
				e.texts = append(e.texts, text)
				e.add(factKey{text: text, name: "normalize"}, textValue(one.answer.Text), textValue(want))
			}
		}
		if one := q.score[check]; one != nil && one.spoke() {
			e.checks = append(e.checks, check)
			for _, key := range claim.Keys() {
				got := claim.scoreValue(key, one.answer.Scores, one.err)
				want := recordValue(key, check)
				e.add(factKey{check: check, name: key.Name}, got, want)
			}
		}
	}
	return e
}

// spoke reports whether the reply is an answer or a refusal.
func (a *ask) spoke() bool {
	var refusal *metric.Refusal
	return a.reached && (a.err == nil || errors.As(a.err, &refusal))
}

func (e *evidence) add(key factKey, got, want Value) {
	f := fact{key: key, got: got, want: want}
	switch distance(got, want) {
	case Rounding:
		f.weight = light
	case Different:
		f.weight = heavy
	}
	e.facts = append(e.facts, f)
}

// scoreValue is what scores, or the error in their place, say of a key.
func (c *Claim) scoreValue(key metric.Key, scores metric.Scores, err error) Value {
	score, there := scores[key.Name]
	switch {
	case err != nil:
		return Value{Error: "refused"}
	case !there:
		return noKey
	}
	return numberValue(c.convert(key, score))
}

func recordValue(key metric.Key, check *Check) Value {
	score, there := check.Record.Scores[key.Name]
	switch {
	case check.Record.Error != "":
		return Value{Error: "refused"}
	case !there:
		return noKey
	}
	return numberValue(score)
}

// distance compares two values: Same, Rounding or Different.
func distance(a, b Value) Outcome {
	switch {
	case a.Number != nil && b.Number != nil:
		return compareDoubles(float64(*a.Number), float64(*b.Number))
	case a.Text != nil && b.Text != nil && *a.Text == *b.Text:
		return Same
	case a.Text == nil && b.Text == nil && a.Number == nil && b.Number == nil && a.Error == b.Error:
		return Same
	}
	return Different
}

// deviating counts the facts in which the adapter differs from the pin.
func (e *evidence) deviating() int {
	count := 0
	for _, f := range e.facts {
		if f.weight > 0 {
			count++
		}
	}
	return count
}

// predict returns what the reference with these variations answers, in the
// order of the facts.
func (e *evidence) predict(set []reference.Variation) []Value {
	pipeline, err := reference.For(e.name, e.pin, set...)
	if err != nil {
		return make([]Value, len(e.facts))
	}
	pipeline = remembering(pipeline.StepByStep())
	own := *e.claim
	// Of an adapter that names no scale the scores are compared as they are:
	// the scale is one of the things in which pins differ.
	if own.Support.Scale != 0 {
		own.Support.Scale = e.scale()
	}
	byText := map[string]Value{}
	for _, text := range e.texts {
		normalized, err := pipeline.Normalize(text)
		if err != nil {
			continue
		}
		byText[text] = textValue(normalized)
	}
	values := make([]Value, 0, len(e.facts))
	var at *Check
	var scores metric.Scores
	for _, f := range e.facts {
		if f.key.check == nil {
			values = append(values, byText[f.key.text])
			continue
		}
		if f.key.check != at {
			at = f.key.check
			scores, err = pipeline.Score(e.options(at.Setup), at.Case.Batch())
		}
		key, _ := e.claim.Metric.Key(f.key.name)
		values = append(values, own.scoreValue(key, e.translated(scores), err))
	}
	return values
}

// remembering returns the pipeline with a normalizer that takes each text
// through the steps once: the same texts come in many checks.
func remembering(pipeline *reference.Pipeline) *reference.Pipeline {
	if !pipeline.Metric.Normalizes {
		return pipeline
	}
	known := map[string]string{}
	return pipeline.WithNormalizer(func(text string) (string, error) {
		if normalized, there := known[text]; there {
			return normalized, nil
		}
		normalized, err := pipeline.Normalize(text)
		known[text] = normalized
		return normalized, err
	})
}

// scale is that of the pin that the answers are compared with, whatever a
// variation makes of it.
func (e *evidence) scale() float64 {
	pipeline, err := reference.For(e.name, e.pin)
	if err != nil {
		return 0
	}
	return pipeline.Scale
}

// options are those of a setup that the metric in question takes.
func (e *evidence) options(setup metric.Setup) metric.Options {
	if e.name == setup.Metric {
		return setup.Options
	}
	return nil
}

// translated gives scores of another metric the names of the claim's own:
// exact match and F1 as a whole; the rest has no counterpart.
func (e *evidence) translated(scores metric.Scores) metric.Scores {
	if e.name == e.claim.Metric.Name || scores == nil {
		return scores
	}
	other, err := metric.Lookup(e.name)
	if err != nil {
		return nil
	}
	own := metric.Scores{}
	if score, there := scores[other.DecisionKey()]; there {
		own[e.claim.Metric.DecisionKey()] = score
	}
	if score, there := scores["f1"]; there {
		own["f1"] = score
	}
	return own
}

// cost is the weight of the answers that a prediction gets wrong.
func (e *evidence) cost(predicted []Value) float64 {
	var cost float64
	for i, f := range e.facts {
		switch distance(predicted[i], f.got) {
		case Rounding:
			cost += light
		case Different:
			cost += heavy
		}
	}
	return cost
}
