// Package conformance holds a Go implementation to the pins in its own go
// test, as normcert certify does on the command line.
package conformance

import (
	"context"
	"fmt"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

// Test certifies an adapter on the embedded corpus. Claims are
// METRIC@UPSTREAM@COMMIT, such as squad@hf-evaluate@a7dd338; without one, each
// metric of the adapter's hello is judged at the pins that it names, else at
// the metric's default pin.
//
// Each claim is a subtest, and in it every deviation is one, named by case,
// setup and what was answered; all of them are reported, not only the first.
// A claim that is incomplete fails too. Rounding (within 1e-6 relative) is
// logged and does not fail. See adapters.Functions for an adapter made of
// plain functions.
func Test(t *testing.T, adapter adapters.Adapter, claims ...string) {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	set, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	report, err := runner.Certify(context.Background(), adapter, runner.Config{Corpus: corpus, Goldens: set, Claims: claims})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range report.Claims {
		t.Run(claim.Name(), func(t *testing.T) { testClaim(t, claim) })
	}
	t.Log(report.Signature)
}

func testClaim(t *testing.T, claim *runner.ClaimReport) {
	for _, result := range claim.Results {
		for _, thing := range result.Things {
			if !claim.Deviates(thing) && !thing.Outcome.Incomplete() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%s", result.Case.ID, result.Setup, thing.Name), func(t *testing.T) {
				t.Error(describe(result, thing))
			})
		}
	}
	if claim.Verdict != runner.Conformant {
		t.Error(claim.Sentence(nil))
		return
	}
	t.Logf("%s; %d answers are the same, %d differ by rounding", claim.Sentence(nil), claim.Outcomes[runner.Same], claim.Outcomes[runner.Rounding])
}

// describe says what deviates, with what it takes to see it.
func describe(result *runner.Result, thing runner.Thing) string {
	text := string(thing.Outcome)
	if thing.Text != "" {
		text += " for " + visible.Quote(thing.Text)
	}
	if !thing.Outcome.Incomplete() {
		text += fmt.Sprintf(": upstream %s, adapter %s", thing.Want, thing.Got)
	}
	if thing.Detail != "" {
		text += ": " + thing.Detail
	}
	for i, item := range result.Case.Items {
		prediction := "no prediction"
		if item.Prediction != nil {
			prediction = visible.Quote(*item.Prediction)
		}
		text += fmt.Sprintf("\n  item %d: %s for", i, prediction)
		for _, reference := range item.References {
			text += " " + visible.Quote(reference)
		}
	}
	return text + "\n  why: " + result.Case.Why
}
