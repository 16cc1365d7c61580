package metric

import (
	"fmt"
	"math"
	"strconv"
)

// Item is a prediction and its references.
type Item struct {
	// ID is the question's id. Ids may repeat; squad and squad_v2 key by them.
	ID string
	// Prediction is nil for a question nobody answered (squad, squad_v2).
	Prediction *string
	// References are the accepted answers; empty where there is none.
	References []string
	// NoAnswerProbability is squad_v2's; 0 where it is left out.
	NoAnswerProbability float64
}

// Answered returns an item with a prediction, under the id "0".
func Answered(prediction string, references ...string) Item {
	return Item{ID: "0", Prediction: &prediction, References: references}
}

// Texts calls yield for each string of the item: its prediction, where there
// is one, then its references.
func (i Item) Texts(yield func(string) bool) {
	if i.Prediction != nil && !yield(*i.Prediction) {
		return
	}
	for _, r := range i.References {
		if !yield(r) {
			return
		}
	}
}

// DefaultID is the id of an item that names none: its index in the batch.
func DefaultID(index int) string { return strconv.Itoa(index) }

// Scores are what a metric returns, by score key, on the scale of whoever
// returned them. A mean of nothing is NaN.
type Scores map[string]float64

// ErrorKind says why a metric refuses an input.
type ErrorKind string

// The kinds of refusal, and what upstream raises for each.
const (
	// InvalidRegex is re.error: a pattern of regexes_to_ignore does not compile.
	InvalidRegex ErrorKind = "invalid_regex"
	// NoReferences is max() of nothing: squad's item without a reference.
	NoReferences ErrorKind = "no_references"
	// EmptyInput is ZeroDivisionError (no items; in squad_v2 nothing answered
	// too), and numpy's TypeError on an empty array.
	EmptyInput ErrorKind = "empty_input"
	// MissingPrediction is squad_v2's KeyError for an unanswered item.
	MissingPrediction ErrorKind = "missing_prediction"
)

// ErrorKinds are all kinds of refusal.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{EmptyInput, InvalidRegex, MissingPrediction, NoReferences}
}

// Refusal is the error of a metric that refuses an input, as upstream does by
// raising. It says nothing against the implementation that returns it.
type Refusal struct {
	// Kind may be empty: an adapter need not say.
	Kind ErrorKind
	// Message is for people and never compared.
	Message string
}

func (r *Refusal) Error() string {
	switch {
	case r.Kind == "":
		return "refused: " + r.Message
	case r.Message == "":
		return "refused: " + string(r.Kind)
	}
	return "refused: " + string(r.Kind) + ": " + r.Message
}

// Validate checks that a metric takes the item at all: upstream has no shape
// in which it could be handed over otherwise.
func (i Item) Validate(m Metric) error {
	switch {
	case i.Prediction == nil && !m.Questions:
		return fmt.Errorf("prediction is missing; only squad and squad_v2 take an unanswered item, not %s", m.Name)
	case m.OneReference && len(i.References) != 1:
		return fmt.Errorf("%s takes exactly one reference, not %d", m.Name, len(i.References))
	case len(i.References) == 0 && !m.Questions:
		return fmt.Errorf("references is empty; only squad and squad_v2 take an item without one, not %s", m.Name)
	case math.IsNaN(i.NoAnswerProbability) || math.IsInf(i.NoAnswerProbability, 0):
		return fmt.Errorf("no_answer_probability is not a finite number")
	}
	return nil
}
