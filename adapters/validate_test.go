package adapters_test

import (
	"math"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

func TestCheckHoldsAnAnswerAgainstWhatWasSaid(t *testing.T) {
	squad := adapters.Support{Answers: []string{"normalize", "exact_match", "f1"}}
	v2 := adapters.Support{Answers: []string{"exact", "total", "HasAns_exact"}}
	tests := []struct {
		name    string
		metric  string
		support adapters.Support
		scores  metric.Scores
		says    string // empty: it holds
	}{
		{"all of it", "squad", squad, metric.Scores{"exact_match": 100, "f1": 50}, ""},
		{"NaN is a score", "squad", squad, metric.Scores{"exact_match": math.NaN(), "f1": 50}, ""},
		{"only what is named", "squad", adapters.Support{Answers: []string{"exact_match"}}, metric.Scores{"exact_match": 100}, ""},
		{"undeclared", "squad", adapters.Support{Answers: []string{"exact_match"}}, metric.Scores{"exact_match": 100, "f1": 50}, `scores hold "f1"`},
		{"unknown", "squad", squad, metric.Scores{"exact_match": 100, "f1": 50, "em": 1}, `scores hold "em"`},
		{"normalize is no score", "squad", squad, metric.Scores{"exact_match": 1, "f1": 1, "normalize": 1}, `scores hold "normalize"`},
		{"missing", "squad", squad, metric.Scores{"exact_match": 100}, `scores lack "f1"`},
		{"infinite", "squad", squad, metric.Scores{"exact_match": math.Inf(1), "f1": 0}, `"exact_match" is infinite`},
		{"upstream gives it only sometimes", "squad_v2", v2, metric.Scores{"exact": 100, "total": 1}, ""},
		{"and an adapter may", "squad_v2", v2, metric.Scores{"exact": 100, "total": 1, "HasAns_exact": 100}, ""},
		{"a total is always given", "squad_v2", v2, metric.Scores{"exact": 100}, `scores lack "total"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := adapters.Answer{Scores: test.scores}.Check(adapters.Request{Op: adapters.Score, Metric: test.metric}, test.support)
			switch {
			case test.says == "" && f != nil:
				t.Errorf("unexpected: %v", f)
			case test.says != "" && (f == nil || f.Kind != adapters.Protocol || !strings.Contains(f.What, test.says)):
				t.Errorf("%v; want %q", f, test.says)
			}
		})
	}
	if f := (adapters.Answer{Text: "x"}).Check(adapters.Request{Op: adapters.Normalize, Metric: "squad"}, squad); f != nil {
		t.Errorf("a text: %v", f)
	}
}

func TestValidateTakesWhatTheMetricHas(t *testing.T) {
	for name, handles := range map[string][]string{
		"squad":           {"batch", "no-references", "repeated-id", "unanswered"},
		"squad_v2":        {"batch", "no-references", "no_answer_threshold", "repeated-id", "unanswered"},
		"exact_match":     {"batch", "ignore_case", "ignore_numbers", "ignore_punctuation", "regexes_to_ignore"},
		"nfd_exact_match": {"batch", "no-references"},
	} {
		m, err := metric.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		hello := adapters.Hello{Name: "x", Metrics: map[string]adapters.Support{name: {Answers: m.KeyNames(), Handles: handles, Scale: 100}}}
		if err := hello.Validate(); err != nil {
			t.Error(err)
		}
	}
}
