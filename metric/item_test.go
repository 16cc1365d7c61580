package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/normcert/normcert/metric"
)

func TestItemValidate(t *testing.T) {
	unanswered := metric.Item{ID: "0", References: []string{"a"}}
	withProbability := func(p float64) metric.Item {
		item := metric.Answered("a", "b")
		item.NoAnswerProbability = p
		return item
	}
	tests := []struct {
		shows   string
		item    metric.Item
		metrics []string // those that take it
		want    string   // in the error of the others
	}{
		{"one reference", metric.Answered("a", "b"), []string{"exact_match", "nfd_exact_match", "squad", "squad_v2"}, ""},
		{"empty strings are strings", metric.Answered("", ""), []string{"exact_match", "nfd_exact_match", "squad", "squad_v2"}, ""},
		{"two references", metric.Answered("a", "b", "c"), []string{"nfd_exact_match", "squad", "squad_v2"}, "exactly one reference, not 2"},
		{"no references", metric.Answered("a"), []string{"squad", "squad_v2"}, "reference"},
		{"no prediction", unanswered, []string{"squad", "squad_v2"}, "prediction is missing"},
		{"a probability", withProbability(0.5), []string{"exact_match", "nfd_exact_match", "squad", "squad_v2"}, ""},
		{"a probability that is NaN", withProbability(math.NaN()), nil, "no_answer_probability"},
		{"an infinite probability", withProbability(math.Inf(1)), nil, "no_answer_probability"},
	}
	for _, test := range tests {
		for _, m := range metric.All() {
			t.Run(test.shows+", "+m.Name, func(t *testing.T) {
				err := test.item.Validate(m)
				switch takes := slices.Contains(test.metrics, m.Name); {
				case takes && err != nil:
					t.Errorf("refused: %v", err)
				case !takes && err == nil:
					t.Error("taken")
				case !takes:
					contains(t, err, test.want)
				}
			})
		}
	}
}

func TestItemTexts(t *testing.T) {
	item := metric.Answered("p", "r", "s")
	if got := slices.Collect(item.Texts); !slices.Equal(got, []string{"p", "r", "s"}) {
		t.Errorf("texts %q", got)
	}
	for stop := range 3 {
		seen := 0
		for range item.Texts {
			if seen++; seen > stop {
				break
			}
		}
		if seen != stop+1 {
			t.Errorf("the loop was left after %d texts and saw %d", stop+1, seen)
		}
	}
	if got := slices.Collect(metric.Item{References: []string{"r"}}.Texts); !slices.Equal(got, []string{"r"}) {
		t.Errorf("texts of an unanswered item %q", got)
	}
}

func TestRefusalSaysWhatItKnows(t *testing.T) {
	tests := []struct {
		refusal metric.Refusal
		want    string
	}{
		{metric.Refusal{Kind: metric.NoReferences}, "refused: no_references"},
		{metric.Refusal{Message: "max() of nothing"}, "refused: max() of nothing"},
		{metric.Refusal{Kind: metric.NoReferences, Message: "max() of nothing"}, "refused: no_references: max() of nothing"},
	}
	for _, test := range tests {
		if got := test.refusal.Error(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The tables are data that everyone relies on being sorted and complete.
func TestMetricTables(t *testing.T) {
	decisions := map[string]string{"exact_match": "exact_match", "nfd_exact_match": "exact_match", "squad": "exact_match", "squad_v2": "exact"}
	if !slices.IsSorted(metric.Names()) || len(metric.Names()) != len(decisions) {
		t.Errorf("metrics %v", metric.Names())
	}
	for _, m := range metric.All() {
		if got := m.DecisionKey(); got != decisions[m.Name] {
			t.Errorf("%s decides by %q, want %q", m.Name, got, decisions[m.Name])
		}
		if !slices.IsSortedFunc(m.Options, func(a, b metric.Option) int {
			if a.Name < b.Name {
				return -1
			}
			return 1
		}) {
			t.Errorf("options of %s are not sorted", m.Name)
		}
		for _, key := range m.Keys {
			if got, there := m.Key(key.Name); !there || got != key {
				t.Errorf("%s: key %s is found as %v", m.Name, key.Name, got)
			}
		}
	}
	if kinds := metric.ErrorKinds(); !slices.IsSorted(kinds) || len(kinds) != 4 {
		t.Errorf("kinds %v", kinds)
	}
}
