package runner_test

import (
	"math"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

func TestDecide(t *testing.T) {
	const yes, no, either = cases.Match, cases.NoMatch, cases.Ambiguous
	intents := func(list ...cases.Intent) []cases.Intent { return list }
	tests := []struct {
		shows   string
		intents []cases.Intent
		scale   float64
		score   float64
		want    runner.Decision
	}{
		{"the top is accepted", intents(yes), 100, 100, runner.Agrees},
		{"the top on a scale of 1", intents(yes), 1, 1, runner.Agrees},
		{"the top but for rounding", intents(yes), 100, 99.99999999, runner.Agrees},
		{"anything below the top is rejected", intents(yes), 100, 99.9, runner.WrongReject},
		{"1 is not the top of 100", intents(yes), 100, 1, runner.WrongReject},
		{"nothing", intents(yes), 1, 0, runner.WrongReject},
		{"accepted, and should not be", intents(no), 100, 100, runner.WrongAccept},
		{"part of the scale is not accepted", intents(no), 100, 50, runner.Agrees},
		{"rejected, and should be", intents(no), 1, 0, runner.Agrees},
		{"two honest readings, accepted", intents(either), 1, 1, runner.Undecided},
		{"two honest readings, rejected", intents(either), 1, 0, runner.Undecided},
		{"NaN", intents(yes), 1, math.NaN(), runner.Undecided},
		{"no items", nil, 1, 1, runner.Undecided},
		{"a batch adds up", intents(yes, no, no), 100, 100 / 3.0, runner.Agrees},
		{"a batch adds up but for rounding", intents(yes, no, no), 1, float64(float32(1) / 3), runner.Agrees},
		{"a batch of matches", intents(yes, yes), 100, 100, runner.Agrees},
		{"a batch of none", intents(no, no), 100, 0, runner.Agrees},
		{"a batch that scores above", intents(yes, no, no), 1, 2 / 3.0, runner.WrongAccept},
		{"a batch that scores below", intents(yes, yes, no), 1, 1 / 3.0, runner.WrongReject},
		{"a batch that scores nothing", intents(yes, no), 1, 0, runner.WrongReject},
		{"a batch with an ambiguous item", intents(yes, either), 1, 1, runner.Undecided},
		{"a batch with an ambiguous item and a wrong score", intents(no, no, either), 1, 1, runner.Undecided},
		{"a batch of NaN", intents(yes, no), 1, math.NaN(), runner.Undecided},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			pin := golden.Pin{Metrics: []golden.Coverage{{Name: "squad", Scale: test.scale}}}
			record := golden.Record{Scores: metric.Scores{"exact_match": test.score, "f1": 100}}
			if got := runner.Decide(caseOf(test.intents...), metric.Setup{Metric: "squad"}, pin, record); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestDecideNeedsAnExactMatchScoreOfTheMetric(t *testing.T) {
	pin := golden.Pin{Metrics: []golden.Coverage{{Name: "squad", Scale: 100}, {Name: "squad_v2", Scale: 100}}}
	tests := []struct {
		shows  string
		setup  string
		record golden.Record
		want   runner.Decision
	}{
		{"a refusal", "squad", golden.Record{Error: metric.NoReferences}, runner.Undecided},
		{"F1 alone decides nothing", "squad", golden.Record{Scores: metric.Scores{"f1": 100}}, runner.Undecided},
		{"squad_v2 decides by exact", "squad_v2", golden.Record{Scores: metric.Scores{"exact": 100}}, runner.Agrees},
		{"not by best_exact", "squad_v2", golden.Record{Scores: metric.Scores{"best_exact": 100}}, runner.Undecided},
		{"a metric that the pin does not cover", "exact_match", golden.Record{Scores: metric.Scores{"exact_match": 1}}, runner.Undecided},
		{"an unknown metric", "bleu", golden.Record{Scores: metric.Scores{"": 1}}, runner.Undecided},
	}
	for _, test := range tests {
		if got := runner.Decide(caseOf(cases.Match), metric.Setup{Metric: test.setup}, pin, test.record); got != test.want {
			t.Errorf("%s: %s, want %s", test.shows, got, test.want)
		}
	}
}

// Right or not is counted against the intents, beside upstream and the floors.
//
// Of the seven checks of squad, two are undecided: upstream refuses one, and
// that one is ambiguous too. Upstream accepts one it should not (two articles)
// and rejects one it should accept (the accent).
func TestRight(t *testing.T) {
	config := small(t)
	got := claim(t, certify(t, only("squad"), config))
	upstream := runner.RightCount{WrongAccepts: 1, WrongRejects: 1}
	if got.Decided != 6 || got.Right != upstream || got.Upstream != upstream || got.Better != 0 || got.Worse != 0 {
		t.Errorf("the reference: %d decided, %+v, upstream %+v, %d better, %d worse", got.Decided, got.Right, got.Upstream, got.Better, got.Worse)
	}

	floors := floorsOf(got)
	// never-match rejects the article, the accent and the batch; always-match
	// accepts the half, the two articles and the batch (nobody's answer never
	// comes to be matched); identity rejects what is spelled otherwise.
	for name, want := range map[string]runner.RightCount{
		"never-match": {WrongRejects: 3}, "always-match": {WrongAccepts: 3}, "identity": {WrongRejects: 2},
	} {
		if floor := floors[name]; floor.WrongAccepts != want.WrongAccepts || floor.WrongRejects != want.WrongRejects {
			t.Errorf("%s: %+v, want %+v", name, floor, want)
		}
	}

	// Better where upstream is wrong, worse where it is right: both are said.
	adapter := only("squad")
	adapter.change = func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		switch first(request) {
		case "Caf\u00e9":
			answer.Scores["exact_match"] = 100
		case "red car":
			answer.Scores["exact_match"] = 100
		case "x":
			return adapters.Answer{}, &adapters.Fault{Kind: adapters.Crash}
		}
		return answer, err
	}
	got = claim(t, certify(t, adapter, config))
	want := runner.RightCount{WrongAccepts: 2}
	if got.Decided != 5 || got.Right != want || got.Upstream != upstream || got.Better != 1 || got.Worse != 1 {
		t.Errorf("%d decided, %+v, upstream %+v, %d better, %d worse", got.Decided, got.Right, got.Upstream, got.Better, got.Worse)
	}
	if d := result(t, got, "trap/thirds"); d.Decision != runner.Undecided || d.Upstream != runner.Agrees {
		t.Errorf("after a crash: %s, upstream %s", d.Decision, d.Upstream)
	}

	// The floors are counted on the same decisions: without the batch, one less each.
	if floors := floorsOf(got); floors["never-match"].WrongRejects != 2 || floors["always-match"].WrongAccepts != 2 {
		t.Errorf("floors of five decisions: %+v", floors)
	}
}

func floorsOf(c *runner.ClaimReport) map[string]runner.FloorCount {
	floors := map[string]runner.FloorCount{}
	for _, floor := range c.Floors {
		floors[floor.Name] = floor
	}
	return floors
}

// Where only normalize is answered, decisions are those that the normalizer
// leads to in the reference's scorer; nothing but normalize is compared.
func TestNormalizeOnly(t *testing.T) {
	adapter := newFake(map[string]adapters.Support{"squad": {Answers: []string{"normalize"}, Handles: []string{"batch", "unanswered", "no-references"}}})
	adapter.change = func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if request.Op != adapters.Normalize {
			t.Errorf("the adapter was asked to %s", request.Op)
		}
		return adapters.Answer{Text: strings.NewReplacer("caf\u00e9", "cafe").Replace(strings.ToLower(request.Text))}, nil
	}
	got := claim(t, certify(t, adapter, small(t)))
	// It keeps articles: "the car" is not "car", "a" is not "the"; and it takes
	// the accent off, so that it accepts what upstream rejects.
	want := map[string]runner.Decision{
		"trap/article": runner.WrongReject, "trap/half": runner.Agrees, "trap/two-articles": runner.Agrees, "trap/no-reference": runner.Undecided,
		"trap/thirds": runner.Agrees, "trap/nobody-answered": runner.Agrees, "trap/accent": runner.Agrees,
	}
	for id, decision := range want {
		if one := result(t, got, id); one.Decision != decision {
			t.Errorf("%s: %s, want %s", id, one.Decision, decision)
		}
	}
	if got.DecidesBy() != "normalize" || got.Better != 2 || got.Worse != 1 {
		t.Errorf("decides by %q, %d better, %d worse", got.DecidesBy(), got.Better, got.Worse)
	}
	for _, one := range got.Results {
		if len(one.Things) != 1 || one.Things[0].Name != "normalize" {
			t.Errorf("%s: compared %+v", one.Case.ID, one.Things)
		}
	}
	if got.Verdict != runner.NotConformant || got.Answered() != 7 {
		t.Errorf("%s, %v", got.Verdict, got.Outcomes)
	}
}

// A crash of the normalizer decides nothing.
func TestNormalizeOnlyThatFails(t *testing.T) {
	adapter := newFake(map[string]adapters.Support{"squad": {Answers: []string{"normalize"}}})
	adapter.change = failing(&adapters.Fault{Kind: adapters.Timeout})
	got := claim(t, certify(t, adapter, small(t)))
	if got.Decided != 0 || got.Verdict != runner.Unfinished {
		t.Errorf("%d decisions, %s", got.Decided, got.Verdict)
	}
}

func TestDecidesBy(t *testing.T) {
	tests := []struct {
		shows   string
		answers []string
		want    string
		decided int // of the four single answered checks with a reference
	}{
		{"exact match alone", []string{"exact_match"}, "exact_match", 4},
		{"exact match beside normalize", []string{"normalize", "exact_match"}, "exact_match", 4},
		{"normalize alone", []string{"normalize"}, "normalize", 4},
		{"F1 alone decides nothing", []string{"f1"}, "", 0},
		{"F1 beside normalize decides nothing", []string{"normalize", "f1"}, "", 0},
	}
	for _, test := range tests {
		got := claim(t, certify(t, newFake(map[string]adapters.Support{"squad": {Answers: test.answers}}), small(t)))
		if got.DecidesBy() != test.want || got.Decided != test.decided || got.Verdict != runner.Conformant {
			t.Errorf("%s: by %q, %d decisions, %s", test.shows, got.DecidesBy(), got.Decided, got.Verdict)
		}
	}
}
