package reference

import (
	"fmt"

	"github.com/normcert/normcert/metric"
)

// Traced is a text after a step.
type Traced struct {
	// Step is its name; "" is the text as it came.
	Step string
	Text string
}

// ItemTrace is what the steps make of an item's texts.
type ItemTrace struct {
	// Prediction is nil for an unanswered item.
	Prediction []Traced
	References [][]Traced
}

// Trace returns the texts of every item after every step. In exact_match the
// steps depend on the whole batch, whose widths their names mention.
func (p *Pipeline) Trace(options metric.Options, items []metric.Item) ([]ItemTrace, error) {
	prediction, reference := p.traceText, p.traceText
	if !p.Metric.Normalizes {
		if p.Arrays.comparesLists(options) {
			prediction, reference = traceNothing, traceNothing
		} else {
			predictions, references := p.Arrays.array(options), p.Arrays.array(options)
			if err := measure(BatchOf(items), predictions, references); err != nil {
				return nil, err
			}
			prediction, reference = predictions.trace, references.trace
		}
	}
	traces := make([]ItemTrace, len(items))
	for i, item := range items {
		var err error
		if item.Prediction != nil {
			if traces[i].Prediction, err = prediction(*item.Prediction); err != nil {
				return nil, err
			}
		}
		for _, text := range item.References {
			traced, err := reference(text)
			if err != nil {
				return nil, err
			}
			traces[i].References = append(traces[i].References, traced)
		}
	}
	return traces, nil
}

func (p *Pipeline) traceText(text string) ([]Traced, error) {
	traced := []Traced{{Text: text}}
	for _, step := range p.Steps {
		text = step.Apply(text)
		traced = append(traced, Traced{step.Name, text})
	}
	return traced, nil
}

func traceNothing(text string) ([]Traced, error) {
	return []Traced{{Text: text}, {"compared as lists", text}}, nil
}

func (a *array) trace(text string) ([]Traced, error) {
	traced := []Traced{{Text: text}}
	for i, operation := range a.operations {
		changed, err := a.upTo(i+1, text)
		if err != nil {
			return nil, err
		}
		name := operation.name
		if operation.fresh && a.widths[i] > 0 {
			name += fmt.Sprintf(", array of width %d", a.widths[i])
		}
		traced = append(traced, Traced{name, changed})
	}
	return traced, nil
}
