package conformance_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/conformance"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

// TestMain refuses what lets goldie write: upstream writes truth, and the
// table of outcomes follows from it and from the intents.
func TestMain(m *testing.M) {
	flag.Parse()
	for _, name := range []string{"update", "clean", "template"} {
		if set := flag.Lookup(name); set != nil && set.Value.String() == "true" {
			fmt.Fprintf(os.Stderr, "conformance: -%s (or GOLDIE_%s) is refused: goldens are truth from upstream; record them with normcert regen --from DIR\n",
				name, map[string]string{"update": "UPDATE", "clean": "CLEAN", "template": "TEMPLATE"}[name])
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

func load(t *testing.T) (cases.Corpus, *golden.Set) {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	set, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return corpus, set
}

// TestReferenceEqualsGoldens records every pin from the reference and holds
// each file to the one that upstream wrote, byte for byte.
func TestReferenceEqualsGoldens(t *testing.T) {
	corpus, set := load(t)
	for _, goldens := range set.Pins() {
		t.Run(goldens.Pin.Name(), func(t *testing.T) {
			records, err := runner.Record(t.Context(), reference.New(), goldens.Pin, corpus)
			if err != nil {
				t.Fatal(err)
			}
			g := goldie.New(t, goldie.WithFixtureDir(filepath.Join("..", "golden", goldens.Pin.Upstream, goldens.Pin.Short)), goldie.WithDiffEngine(goldie.ClassicDiff))
			for hazard, list := range records {
				g.Assert(t, hazard, golden.Encode(list))
			}
			for _, hazard := range goldens.Hazards() {
				if records[hazard] == nil {
					t.Errorf("%s.golden belongs to no case of the corpus; normcert regen removes it", hazard)
				}
			}
			t.Logf("%d golden files are what the reference returns", len(records))
		})
	}
}

// TestGoldensAreConfirmed: every golden file is as upstream wrote it, and was
// recorded for the cases as they are now.
func TestGoldensAreConfirmed(t *testing.T) {
	corpus, set := load(t)
	for _, goldens := range set.Pins() {
		covers := func(name string) bool { _, covered := goldens.Pin.Covers(name); return covered }
		for _, hazard := range corpus.Hazards {
			if slices.Contains(goldens.Hazards(), hazard.Name) && !goldens.Confirmed(hazard.Name, hazard.Inputs(covers)) {
				t.Errorf("%s of %s is unconfirmed; normcert regen --from DIR records it", hazard.Name, goldens.Pin.Name())
			}
		}
	}
}

// TestOutcomes holds the decisions of every pin, and the intents, to the
// committed table. Written by:
//
//	go run ./cmd/normcert list --outcomes > conformance/testdata/outcomes.golden
func TestOutcomes(t *testing.T) {
	corpus, set := load(t)
	var table bytes.Buffer
	if err := runner.OutcomesTable(&table, corpus, set); err != nil {
		t.Fatal(err)
	}
	goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, "outcomes", table.Bytes())
}

// TestReference is what a Go author writes, for the reference itself.
func TestReference(t *testing.T) {
	conformance.Test(t, reference.New())
}
