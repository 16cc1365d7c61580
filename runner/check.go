package runner

import (
	"fmt"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Check is a case under a setup at a pin: the unit that is run and judged.
type Check struct {
	Claim *Claim
	Case  cases.Case
	Setup metric.Setup
	// Record is what the pin returns.
	Record golden.Record
	// Conditions are what is special about it, structural ones first.
	Structural []string
	Strings    []string
	// Excepted are the conditions for which the claim makes an exception.
	Excepted []string
}

// Handled reports whether the adapter said that it handles every structural
// condition of the check; it is sent nothing else.
func (c *Check) Handled() bool {
	return !slices.ContainsFunc(c.Structural, func(condition string) bool {
		return !slices.Contains(c.Claim.Support.Handles, condition)
	})
}

// Asks reports whether anything of the check is put to the adapter: it handles
// the conditions, and answers something that the pin has an answer to.
func (c *Check) Asks() bool {
	return c.Handled() && (len(c.Claim.Keys()) > 0 || c.Claim.Normalizes() && len(c.texts()) > 0)
}

// texts are the strings that normalize is asked for, each once.
func (c *Check) texts() []string {
	var texts []string
	for _, item := range c.Case.Items {
		for text := range item.Texts {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// checks returns the checks of a claim over a corpus, in the order of cases
// and, within a case, of its setups.
func checks(claim *Claim, corpus cases.Corpus, except []string) ([]*Check, error) {
	var list []*Check
	for one := range corpus.Cases {
		for _, setup := range one.Setups {
			if setup.Metric != claim.Metric.Name {
				continue
			}
			structural := adapters.StructuralOf(setup, one.Batch())
			if !records(claim.Pin, one, setup) {
				continue
			}
			record, there := claim.goldens.Record(one.ID, setup.String())
			if !there {
				return nil, usage("case %s has no golden for %s at %s; normcert regen --from DIR records it", one.ID, setup, claim.Pin.Name())
			}
			check := &Check{
				Claim: claim, Case: one, Setup: setup, Record: record,
				Structural: structural, Strings: adapters.StringsOf(one.Batch()),
			}
			for _, condition := range except {
				if slices.Contains(check.Structural, condition) || slices.Contains(check.Strings, condition) {
					check.Excepted = append(check.Excepted, condition)
				}
			}
			if err := check.shape(); err != nil {
				return nil, usage("golden of %s, %s at %s: %w; was the case changed after it was recorded? normcert regen --from DIR records it", one.ID, setup, claim.Pin.Name(), err)
			}
			list = append(list, check)
		}
	}
	return list, nil
}

// records reports whether a pin has a golden for a case under a setup: it covers
// the metric and, where it is a program's, what the program answers and handles
// leaves something to record.
func records(pin golden.Pin, one cases.Case, setup metric.Setup) bool {
	coverage, covered := pin.Covers(setup.Metric)
	if !covered || !coverage.Reaches(adapters.StructuralOf(setup, one.Batch())) {
		return false
	}
	scores := slices.ContainsFunc(coverage.Answers, func(thing string) bool { return thing != adapters.NormalizeAnswer })
	return len(coverage.Answers) == 0 || scores || len(one.Items) > 0
}

// shape checks that the record has an entry for every text of the case.
func (c *Check) shape() error {
	coverage, _ := c.Claim.Pin.Covers(c.Setup.Metric)
	if !c.Claim.Metric.Normalizes || !coverage.Holds(adapters.NormalizeAnswer) {
		return nil
	}
	if len(c.Record.Normalized) != len(c.Case.Items) {
		return fmt.Errorf("it has normalized forms of %d items, the case has %d", len(c.Record.Normalized), len(c.Case.Items))
	}
	for i, item := range c.Case.Items {
		normalized := c.Record.Normalized[i]
		if (normalized.Prediction == nil) != (item.Prediction == nil) || len(normalized.References) != len(item.References) {
			return fmt.Errorf("item %d has other texts than the case", i)
		}
	}
	return nil
}

// normalized yields each text of the check with the pin's normalized form.
func (c *Check) normalized(yield func(text, want string) bool) {
	for i, item := range c.Case.Items {
		record := c.Record.Normalized[i]
		if item.Prediction != nil && !yield(*item.Prediction, *record.Prediction) {
			return
		}
		for r, reference := range item.References {
			if !yield(reference, record.References[r]) {
				return
			}
		}
	}
}
