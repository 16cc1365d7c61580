package runner

import (
	"errors"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Explained is what a metric at a pin does to a batch, step by step.
type Explained struct {
	Setup metric.Setup
	// Pins are those at which scores and decision are the same; the steps are
	// those of the first.
	Pins   []string
	Scale  float64
	Traces []reference.ItemTrace
	// Scores are the pin's, or Refusal is why it refuses.
	Scores  metric.Scores
	Refusal string
	// Accepts says of a single item whether it is accepted.
	Accepts bool
	// Conditions are what is special about the batch.
	Conditions []string
	// TurnsOn are the variations under which a single item would be decided
	// the other way.
	TurnsOn []reference.Variation
}

// Hazards are those that the variations which would turn the decision have to
// do with, the most frequent first.
func (e Explained) Hazards() []string {
	counts := map[string]int{}
	var hazards []string
	for _, variation := range e.TurnsOn {
		for _, hazard := range variation.Hazards {
			if counts[hazard] == 0 {
				hazards = append(hazards, hazard)
			}
			counts[hazard]++
		}
	}
	slices.SortStableFunc(hazards, func(a, b string) int { return counts[b] - counts[a] })
	return hazards
}

// DefaultSetups are the setups that a pair is explained under where none is
// named: every metric without options, and exact_match with all its flags.
func DefaultSetups() []metric.Setup {
	var setups []metric.Setup
	for _, name := range []string{"squad", "squad_v2", "exact_match", "nfd_exact_match"} {
		setups = append(setups, metric.Setup{Metric: name})
		if name == "exact_match" {
			setups = append(setups, metric.Setup{Metric: name, Options: metric.Options{"ignore_case": true, "ignore_punctuation": true}})
		}
	}
	return setups
}

// Explain says step by step what a setup does to items at every pin that the
// reference has; pins that agree are told together. An item that the metric
// cannot take is a *UsageError.
func Explain(setup metric.Setup, items []metric.Item, set *golden.Set) ([]Explained, error) {
	m, err := metric.Lookup(setup.Metric)
	if err != nil {
		return nil, &UsageError{err}
	}
	for i, item := range items {
		if err := item.Validate(m); err != nil {
			return nil, usage("item %d: %w", i, err)
		}
	}
	var list []Explained
	for _, pin := range pinsByDefault(m.Name, set) {
		one, err := explainAt(setup, pin, items)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(e Explained) bool { return e.sameAs(one) })
		if at >= 0 {
			list[at].Pins = append(list[at].Pins, pin)
			continue
		}
		list = append(list, one)
	}
	return list, nil
}

// pinsByDefault are the reference's pins of a metric, the default one first.
func pinsByDefault(name string, set *golden.Set) []string {
	pins := reference.Pins(name)
	fallback, err := set.Default(name)
	if err != nil {
		return pins
	}
	slices.SortStableFunc(pins, func(a, b string) int {
		switch {
		case a == fallback.Pin.Name():
			return -1
		case b == fallback.Pin.Name():
			return 1
		}
		return 0
	})
	return pins
}

func (e Explained) sameAs(other Explained) bool {
	if e.Refusal != other.Refusal || e.Accepts != other.Accepts || len(e.Scores) != len(other.Scores) {
		return false
	}
	for key, score := range e.Scores {
		if compareDoubles(score, other.Scores[key]) != Same {
			return false
		}
	}
	return true
}

func explainAt(setup metric.Setup, pin string, items []metric.Item) (Explained, error) {
	pipeline, err := reference.For(setup.Metric, pin)
	if err != nil {
		return Explained{}, err
	}
	e := Explained{
		Setup: setup, Pins: []string{pin}, Scale: pipeline.Scale,
		Conditions: append(adapters.StructuralOf(setup, items), adapters.StringsOf(items)...),
	}
	var refusal *metric.Refusal
	e.Scores, err = pipeline.Score(setup.Options, items)
	switch {
	case errors.As(err, &refusal):
		e.Refusal = string(refusal.Kind) + ": " + refusal.Message
		return e, nil
	case err != nil:
		return e, err
	}
	if e.Traces, err = pipeline.Trace(setup.Options, items); err != nil {
		return e, err
	}
	if len(items) != 1 {
		return e, nil
	}
	e.Accepts = near(e.Scores[pipeline.Metric.DecisionKey()], pipeline.Scale)
	for _, variation := range reference.Catalogue() {
		if variation.Floor || !variation.AppliesTo(setup.Metric, pin) {
			continue
		}
		varied, err := reference.For(setup.Metric, pin, variation)
		if err != nil {
			return e, err
		}
		scores, err := varied.Score(setup.Options, items)
		if err == nil && near(scores[pipeline.Metric.DecisionKey()], varied.Scale) != e.Accepts {
			e.TurnsOn = append(e.TurnsOn, variation)
		}
	}
	return e, nil
}

// ExplainCase explains a case under each of its setups.
func ExplainCase(one cases.Case, set *golden.Set) ([]Explained, error) {
	var list []Explained
	for _, setup := range one.Setups {
		explained, err := Explain(setup, one.Batch(), set)
		if err != nil {
			return nil, err
		}
		list = append(list, explained...)
	}
	return list, nil
}
