package runner

import (
	"context"
	"slices"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Twins returns the cases of a corpus that already show what a new one shows: they
// have the same strings, or, under a setup of the new case, the same normalized
// forms and the same decision at every pin.
func Twins(ctx context.Context, corpus cases.Corpus, set *golden.Set, fresh cases.Case) (same, alike []string, err error) {
	records := map[string]map[string]golden.Record{} // by pin and setup
	for _, goldens := range set.Pins() {
		one := cases.Corpus{Hazards: []cases.Hazard{{Name: fresh.Hazard(), Cases: []cases.Case{fresh}}}}
		recorded, err := Record(ctx, reference.New(), goldens.Pin, one)
		if err != nil {
			return nil, nil, err
		}
		records[goldens.Pin.Name()] = map[string]golden.Record{}
		for _, record := range recorded[fresh.Hazard()] {
			records[goldens.Pin.Name()][record.Setup] = record
		}
	}
	for other := range corpus.Cases {
		switch {
		case other.ID == fresh.ID:
		case sameStrings(other, fresh):
			same = append(same, other.ID)
		case alikeIn(other, fresh, set, records):
			alike = append(alike, other.ID)
		}
	}
	return same, alike, nil
}

func sameStrings(a, b cases.Case) bool {
	return slices.EqualFunc(a.Items, b.Items, func(x, y cases.Item) bool {
		px, py := x.Prediction, y.Prediction
		return (px == nil) == (py == nil) && (px == nil || *px == *py) && slices.Equal(x.References, y.References) && x.NoAnswerProbability == y.NoAnswerProbability
	})
}

// alikeIn asks for a normalizing metric that both are put to: what is left of
// the strings is what a metric compares. Cases of which nothing is left are
// not alike for that.
func alikeIn(other, fresh cases.Case, set *golden.Set, records map[string]map[string]golden.Record) bool {
	compared := false
	for _, setup := range fresh.Setups {
		if m, err := metric.Lookup(setup.Metric); err != nil || !m.Normalizes {
			continue
		}
		for _, goldens := range set.Pins() {
			mine, there := records[goldens.Pin.Name()][setup.String()]
			if !there {
				continue
			}
			theirs, recorded := goldens.Record(other.ID, setup.String())
			if !recorded || len(mine.Normalized) == 0 {
				return false
			}
			shape := func(r golden.Record) string { return string(metric.ASCIIJSON(r.Normalized)) }
			if shape(mine) != shape(theirs) || Decide(fresh, setup, goldens.Pin, mine) != Decide(other, setup, goldens.Pin, theirs) {
				return false
			}
			compared = compared || hasText(mine)
		}
	}
	return compared
}

// hasText reports whether anything is left of a record's strings.
func hasText(record golden.Record) bool {
	return slices.ContainsFunc(record.Normalized, func(n golden.Normalized) bool {
		return n.Prediction != nil && *n.Prediction != "" || slices.ContainsFunc(n.References, func(text string) bool { return text != "" })
	})
}
