package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Record asks an adapter for everything that a pin has to say about a corpus
// and returns the records of each hazard that has any. What the pin's coverage
// leaves out is not asked for. It is all or nothing:
// a fault, an unsupported, and a refusal of no known kind are mistakes of
// whoever answers, never something that upstream says, and end it.
func Record(ctx context.Context, adapter adapters.Adapter, pin golden.Pin, corpus cases.Corpus) (map[string][]golden.Record, error) {
	r := recorder{ctx: ctx, adapter: adapter, pin: pin, known: map[string]string{}}
	recorded := map[string][]golden.Record{}
	for _, hazard := range corpus.Hazards {
		for _, one := range hazard.Cases {
			for _, setup := range one.Setups {
				if !records(pin, one, setup) {
					continue
				}
				record, err := r.record(one, setup)
				if err != nil {
					return nil, fmt.Errorf("recording %s, %s at %s: %w", one.ID, setup, pin.Name(), err)
				}
				recorded[hazard.Name] = append(recorded[hazard.Name], record)
			}
		}
	}
	return recorded, nil
}

type recorder struct {
	ctx     context.Context
	adapter adapters.Adapter
	pin     golden.Pin
	known   map[string]string // normalized forms, by metric and text
}

func (r *recorder) record(one cases.Case, setup metric.Setup) (golden.Record, error) {
	record := golden.Record{Case: one.ID, Setup: setup.String()}
	m, err := metric.Lookup(setup.Metric)
	if err != nil {
		return record, err
	}
	coverage, _ := r.pin.Covers(setup.Metric)
	if m.Normalizes && coverage.Holds(adapters.NormalizeAnswer) {
		for _, item := range one.Items {
			normalized, err := r.normalized(setup, item)
			if err != nil {
				return record, err
			}
			record.Normalized = append(record.Normalized, normalized)
		}
	}
	keys := slices.DeleteFunc(m.KeyNames(), func(key string) bool { return !coverage.Holds(key) })
	if len(keys) == 0 {
		return record, nil
	}
	request := adapters.Request{Op: adapters.Score, Metric: setup.Metric, Pin: r.pin.Name(), Options: setup.Options, Items: one.Batch()}
	answer, err := r.adapter.Answer(r.ctx, request)
	var refusal *metric.Refusal
	switch {
	case errors.As(err, &refusal) && slices.Contains(metric.ErrorKinds(), refusal.Kind):
		record.Error = refusal.Kind
		return record, nil
	case errors.As(err, &refusal):
		return record, fmt.Errorf("an error that upstream did not raise itself, or of no known kind: %w", err)
	case err != nil:
		return record, err
	}
	if fault := answer.Check(request, adapters.Support{Answers: keys}); fault != nil {
		return record, fault
	}
	record.Scores = answer.Scores
	return record, nil
}

func (r *recorder) normalized(setup metric.Setup, item cases.Item) (golden.Normalized, error) {
	normalized := golden.Normalized{References: []string{}}
	if item.Prediction != nil {
		text, err := r.normalize(setup.Metric, *item.Prediction)
		if err != nil {
			return normalized, err
		}
		normalized.Prediction = &text
	}
	for _, reference := range item.References {
		text, err := r.normalize(setup.Metric, reference)
		if err != nil {
			return normalized, err
		}
		normalized.References = append(normalized.References, text)
	}
	return normalized, nil
}

func (r *recorder) normalize(name, text string) (string, error) {
	key := name + "\x00" + text
	if known, there := r.known[key]; there {
		return known, nil
	}
	answer, err := r.adapter.Answer(r.ctx, adapters.Request{Op: adapters.Normalize, Metric: name, Pin: r.pin.Name(), Text: text})
	if err != nil {
		return "", fmt.Errorf("normalizing %q: %w", text, err)
	}
	r.known[key] = answer.Text
	return answer.Text, nil
}
