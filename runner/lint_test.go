package runner_test

import (
	"testing"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

// TestCorpusShows is the linter on the corpus and its goldens.
func TestCorpusShows(t *testing.T) {
	corpus, set := corpusAndGoldens(t)
	problems, err := runner.Lint(t.Context(), corpus, set)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("cases/%v", problem)
	}
}

// TestGoldensAreComplete prints what a contribution that has only the TOML
// still lacks.
func TestGoldensAreComplete(t *testing.T) {
	corpus, set := corpusAndGoldens(t)
	missing, stray, err := runner.MissingGoldens(t.Context(), corpus, set)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		if m.Stands != nil {
			t.Errorf("%s: the reference gives\n%s\nwhere there is\n%s", m.File(), m.Line(), m.StandsLine())
		} else {
			t.Errorf("%s: the line to add, sorted by case and setup, is\n%s", m.File(), m.Line())
		}
	}
	for _, m := range stray {
		t.Errorf("%s: the line is of no case or setup, remove it:\n%s", m.File(), m.Line())
	}
}

func corpusAndGoldens(t *testing.T) (cases.Corpus, *golden.Set) {
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
