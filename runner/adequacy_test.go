package runner_test

import (
	"context"
	"slices"
	"testing"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/runner"
)

// part is the corpus of these tests: some hazards, which together have a case
// of every metric.
func part(t *testing.T, hazards ...string) cases.Corpus {
	t.Helper()
	corpus, err := embeddedCorpus()
	if err != nil {
		t.Fatal(err)
	}
	selected, err := corpus.Select(hazards)
	if err != nil {
		t.Fatal(err)
	}
	return selected
}

func adequacy(t *testing.T, corpus cases.Corpus) *runner.Adequacy {
	t.Helper()
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	a, err := runner.CheckAdequacy(t.Context(), corpus, set, 1)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func row(t *testing.T, a *runner.Adequacy, variation, metric, pin string) runner.AdequacyRow {
	t.Helper()
	for _, row := range a.Rows {
		if row.Variation.Name == variation && row.Metric.Name == metric && row.Pin == pin {
			return row
		}
	}
	t.Fatalf("no row of %s, %s at %s", variation, metric, pin)
	return runner.AdequacyRow{}
}

// TestAdequacyFindsAHole: a variation whose cases are gone is uncaught, in the
// views where it must show.
func TestAdequacyFindsAHole(t *testing.T) {
	with, without := adequacy(t, part(t, "article-glue", "batch-shape")), adequacy(t, part(t, "batch-shape", "accents"))
	for _, pin := range reference.Pins("squad") {
		caught := row(t, with, "articles-first", "squad", pin)
		if slices.Contains(caught.Uncaught(), reference.Normalized) || slices.Contains(caught.Uncaught(), reference.Exact) {
			t.Errorf("articles-first is uncaught in %v", caught.Uncaught())
		}
		if cases := caught.Cases(); !slices.Contains(cases, "article-glue/full-stop-without-a-space") || !slices.IsSorted(cases) {
			t.Errorf("it is caught by %v", cases)
		}
		hole := row(t, without, "articles-first", "squad", pin)
		if want := hole.Variation.Shows(hole.Metric); !slices.Equal(hole.Uncaught(), want) {
			t.Errorf("without its cases, articles-first is uncaught in %v, not in %v", hole.Uncaught(), want)
		}
	}
	if !without.Found() {
		t.Error("nothing is found in a corpus with holes")
	}
	// Cases of a hazard that has nothing to do with it do not count, though they catch it.
	accents := row(t, without, "never-match", "squad", "hf-evaluate@a7dd338")
	if len(accents.Caught[reference.Exact]) == 0 || len(accents.Uncaught()) != 0 {
		t.Errorf("a floor is uncaught in %v", accents.Uncaught())
	}
	if with.Pairs != 240 && with.Pairs%4 != 0 || len(with.Missed) > with.Pairs {
		t.Errorf("%d of %d pairs are missed", len(with.Missed), with.Pairs)
	}
	if len(without.Missed) == 0 {
		t.Error("two hazards catch every pair of variations")
	}
}

// TestAdequacyRelated: a case of an unrelated hazard catches a variation, and
// that is not enough.
func TestAdequacyRelated(t *testing.T) {
	a := adequacy(t, part(t, "article-glue", "batch-shape"))
	// The cases of article-glue have upper case and punctuation.
	lower := row(t, a, "no-punctuation", "squad", "hf-evaluate@a7dd338")
	if len(lower.Caught[reference.Normalized]) == 0 || len(lower.Related[reference.Normalized]) != 0 || !slices.Contains(lower.Uncaught(), reference.Normalized) {
		t.Errorf("no-punctuation is caught by %v, related %v", lower.Caught, lower.Related)
	}
}

// TestIdleCases: a case that catches nothing is named, unless it says what
// else it is for.
func TestIdleCases(t *testing.T) {
	corpus := part(t, "batch-shape", "article-glue")
	purposeful := map[string]bool{}
	mute := cases.Corpus{}
	for _, hazard := range corpus.Hazards {
		hazard.Cases = slices.Clone(hazard.Cases)
		for i := range hazard.Cases {
			if hazard.Cases[i].Purpose != "" {
				purposeful[hazard.Cases[i].ID] = true
				hazard.Cases[i].Purpose = ""
			}
		}
		mute.Hazards = append(mute.Hazards, hazard)
	}
	const control = "batch-shape/list-against-list-all-wrong" // catches nothing, and says why it is there
	if !purposeful[control] {
		t.Fatalf("%s has no purpose", control)
	}
	for _, id := range adequacy(t, corpus).Idle {
		if purposeful[id] {
			t.Errorf("%s has a purpose and is called idle", id)
		}
	}
	if idle := adequacy(t, mute).Idle; !slices.Contains(idle, control) {
		t.Errorf("without its purpose %s is not idle, only %v are", control, idle)
	}
}

// TestAdequacySeed: the pairs follow from the seed.
func TestAdequacySeed(t *testing.T) {
	corpus := part(t, "batch-shape", "accents")
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	missed := func(seed uint64) []string {
		a, err := runner.CheckAdequacy(t.Context(), corpus, set, seed)
		if err != nil {
			t.Fatal(err)
		}
		return a.Missed
	}
	if first := missed(5); !slices.Equal(first, missed(5)) || slices.Equal(first, missed(6)) {
		t.Error("one seed gives two lists of pairs, or two seeds one")
	}
}

// TestFound counts each kind of finding.
func TestFound(t *testing.T) {
	if (&runner.Adequacy{}).Found() || !(&runner.Adequacy{Idle: []string{"a/b"}}).Found() || !(&runner.Adequacy{Missed: []string{"a with b"}}).Found() {
		t.Error("what was found, or nothing, is mistaken")
	}
}

// TestAdequacyInterrupted has an error.
func TestAdequacyInterrupted(t *testing.T) {
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runner.CheckAdequacy(ctx, part(t, "batch-shape", "accents"), set, 1); err == nil {
		t.Error("interrupted, it has no error")
	}
	if _, err := runner.CheckAdequacy(t.Context(), part(t, "batch-shape"), set, 1); err != nil && !usageError(err) {
		t.Errorf("a corpus without a case of some metric: %v", err)
	}
}
