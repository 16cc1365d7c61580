package runner_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// What the records of the small corpus are, by hand.
func TestSmallGoldens(t *testing.T) {
	set := small(t).Goldens
	pin, err := set.Find("hf-evaluate@a7dd338")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		id, setup string
		want      metric.Scores
	}{
		{"trap/article", "squad", metric.Scores{"exact_match": 100, "f1": 100}},
		{"trap/half", "squad", metric.Scores{"exact_match": 0, "f1": 50}},
		{"trap/two-articles", "squad", metric.Scores{"exact_match": 100, "f1": 0}},
		{"trap/thirds", "squad", metric.Scores{"exact_match": 100 / 3.0, "f1": 50}},
		{"trap/nobody-answered", "squad", metric.Scores{"exact_match": 0, "f1": 0}},
		{"exact/capital", "exact_match", metric.Scores{"exact_match": 0}},
		{"exact/capital", "exact_match{ignore_case=true}", metric.Scores{"exact_match": 1}},
		{"exact/half", "exact_match", metric.Scores{"exact_match": 0.5}},
	}
	for _, test := range tests {
		record, there := pin.Record(test.id, test.setup)
		if diff := cmp.Diff(test.want, record.Scores); !there || diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.id, test.setup, diff)
		}
	}
	if record, _ := pin.Record("trap/no-reference", "squad"); record.Error != metric.NoReferences {
		t.Errorf("no-reference: %+v", record)
	}
	if record, _ := pin.Record("exact/empty-batch", "exact_match"); !math.IsNaN(record.Scores["exact_match"]) {
		t.Errorf("the empty batch: %+v", record)
	}
	if record, _ := pin.Record("exact/empty-batch", "exact_match{ignore_case=true}"); record.Error != metric.EmptyInput {
		t.Errorf("the empty batch: %+v", record)
	}
}

type hook = func(adapters.Request, adapters.Answer, error) (adapters.Answer, error)

// scoring changes the scores of the request whose first prediction is the one named.
func scoring(prediction string, change hook) hook {
	return func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if request.Op == adapters.Score && first(request) == prediction {
			return change(request, answer, err)
		}
		return answer, err
	}
}

func setting(key string, value float64) hook {
	return func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		answer.Scores[key] = value
		return answer, err
	}
}

func failing(failure error) hook {
	return func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) {
		return adapters.Answer{}, failure
	}
}

func TestOutcomes(t *testing.T) {
	const allOfSquad = 21
	refusal := func(kind metric.ErrorKind) error { return &metric.Refusal{Kind: kind, Message: "no"} }
	dropping := func(key string) hook {
		return func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			delete(answer.Scores, key)
			return answer, err
		}
	}
	tests := []struct {
		shows   string
		metric  string
		change  hook
		want    map[runner.Outcome]int
		verdict runner.Verdict
		exit    int
	}{
		{"the reference", "squad", nil, map[runner.Outcome]int{runner.Same: allOfSquad}, runner.Conformant, 0},
		{"another order of operations", "squad", scoring("x", setting("exact_match", 33.33333333333333)),
			map[runner.Outcome]int{runner.Same: 20, runner.Rounding: 1}, runner.Conformant, 0},
		{"float32", "squad", scoring("x", setting("exact_match", float64(float32(100)/float32(3)))),
			map[runner.Outcome]int{runner.Same: 20, runner.Rounding: 1}, runner.Conformant, 0},
		{"just within 1e-6", "squad", scoring("x", setting("f1", 50*(1-0.99e-6))),
			map[runner.Outcome]int{runner.Same: 20, runner.Rounding: 1}, runner.Conformant, 0},
		{"just outside 1e-6, below", "squad", scoring("x", setting("f1", 50*(1-1.01e-6))),
			map[runner.Outcome]int{runner.Same: 20, runner.Different: 1}, runner.NotConformant, 1},
		{"just outside 1e-6, above", "squad", scoring("x", setting("f1", 50*(1+1.01e-6))),
			map[runner.Outcome]int{runner.Same: 20, runner.Different: 1}, runner.NotConformant, 1},
		{"nothing is near zero but zero", "squad", scoring("Caf\u00e9", setting("f1", 1e-300)),
			map[runner.Outcome]int{runner.Same: 20, runner.Different: 1}, runner.NotConformant, 1},
		{"minus zero is not the same double, and near", "squad", scoring("Caf\u00e9", setting("f1", math.Copysign(0, -1))),
			map[runner.Outcome]int{runner.Same: 20, runner.Rounding: 1}, runner.Conformant, 0},
		{"NaN for a number", "squad", scoring("x", setting("f1", math.NaN())),
			map[runner.Outcome]int{runner.Same: 20, runner.Different: 1}, runner.NotConformant, 1},
		{"a refusal where upstream answers", "squad", scoring("x", failing(refusal(metric.EmptyInput))),
			map[runner.Outcome]int{runner.Same: 19, runner.Refused: 2}, runner.NotConformant, 1},
		{"a refusal of another kind is a refusal", "squad", scoring("b", failing(refusal(metric.InvalidRegex))),
			map[runner.Outcome]int{runner.Same: allOfSquad}, runner.Conformant, 0},
		{"a refusal of no kind is a refusal", "squad", scoring("b", failing(refusal(""))),
			map[runner.Outcome]int{runner.Same: allOfSquad}, runner.Conformant, 0},
		{"an answer where upstream refuses", "squad", scoring("b", func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) {
			return adapters.Answer{Scores: metric.Scores{"exact_match": 0, "f1": 0}}, nil
		}), map[runner.Outcome]int{runner.Same: 19, runner.Answered: 2}, runner.NotConformant, 1},
		{"NaN where upstream refuses is an answer", "squad", scoring("b", func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) {
			return adapters.Answer{Scores: metric.Scores{"exact_match": math.NaN(), "f1": math.NaN()}}, nil
		}), map[runner.Outcome]int{runner.Same: 19, runner.Answered: 2}, runner.NotConformant, 1},
		{"an honest no", "squad", scoring("x", failing(&adapters.Unsupported{Why: "no batches"})),
			map[runner.Outcome]int{runner.Same: 19, runner.Unsupported: 2}, runner.Unfinished, 4},
		{"an honest no where upstream refuses is not a refusal", "squad", scoring("b", failing(&adapters.Unsupported{Why: "no"})),
			map[runner.Outcome]int{runner.Same: 19, runner.Unsupported: 2}, runner.Unfinished, 4},
		{"a timeout", "squad", scoring("x", failing(&adapters.Fault{Kind: adapters.Timeout})),
			map[runner.Outcome]int{runner.Same: 19, runner.Timeout: 2}, runner.Unfinished, 4},
		{"a crash", "squad", scoring("x", failing(&adapters.Fault{Kind: adapters.Crash})),
			map[runner.Outcome]int{runner.Same: 19, runner.Crash: 2}, runner.Unfinished, 4},
		{"a crash where upstream refuses is not a refusal", "squad", scoring("b", failing(&adapters.Fault{Kind: adapters.Crash})),
			map[runner.Outcome]int{runner.Same: 19, runner.Crash: 2}, runner.Unfinished, 4},
		{"a broken protocol", "squad", scoring("x", failing(&adapters.Fault{Kind: adapters.Protocol})),
			map[runner.Outcome]int{runner.Same: 19, runner.Protocol: 2}, runner.Unfinished, 4},
		{"any other error is a crash", "squad", scoring("x", failing(errors.New("oops"))),
			map[runner.Outcome]int{runner.Same: 19, runner.Crash: 2}, runner.Unfinished, 4},
		{"a deviation outweighs what is missing", "squad", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			switch {
			case request.Op == adapters.Score && first(request) == "x":
				return adapters.Answer{}, &adapters.Fault{Kind: adapters.Crash}
			case request.Op == adapters.Score && first(request) == "a":
				answer.Scores["f1"] = 100
			}
			return answer, err
		}, map[runner.Outcome]int{runner.Same: 18, runner.Crash: 2, runner.Different: 1}, runner.NotConformant, 1},
		{"a score key too many", "squad", scoring("x", setting("recall", 1)),
			map[runner.Outcome]int{runner.Same: 19, runner.Protocol: 2}, runner.Unfinished, 4},
		{"a score key too few", "squad", scoring("x", dropping("f1")),
			map[runner.Outcome]int{runner.Same: 19, runner.Protocol: 2}, runner.Unfinished, 4},
		{"an infinite score", "squad", scoring("x", setting("f1", math.Inf(1))),
			map[runner.Outcome]int{runner.Same: 19, runner.Protocol: 2}, runner.Unfinished, 4},
		// "a" and "b" have one check each; "x" is asked once for two that have it.
		{"one text normalized otherwise", "squad", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if request.Op == adapters.Normalize && request.Text == "a" {
				answer.Text = "a"
			}
			return answer, err
		}, map[runner.Outcome]int{runner.Same: 20, runner.Different: 1}, runner.NotConformant, 1},
		{"one text of two checks normalized otherwise", "squad", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if request.Op == adapters.Normalize && request.Text == "x" {
				answer.Text = "X"
			}
			return answer, err
		}, map[runner.Outcome]int{runner.Same: 19, runner.Different: 2}, runner.NotConformant, 1},
		{"a text that is refused", "squad", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if request.Op == adapters.Normalize && request.Text == "a" {
				return adapters.Answer{}, refusal("")
			}
			return answer, err
		}, map[runner.Outcome]int{runner.Same: 20, runner.Refused: 1}, runner.NotConformant, 1},
		{"a text that crashes", "squad", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if request.Op == adapters.Normalize && request.Text == "a" {
				return adapters.Answer{}, errors.New("oops")
			}
			return answer, err
		}, map[runner.Outcome]int{runner.Same: 20, runner.Crash: 1}, runner.Unfinished, 4},

		// Two checks: 1 normalize + 10 keys each, as each has items of one sort.
		{"the reference of squad_v2", "squad_v2", nil, map[runner.Outcome]int{runner.Same: 22}, runner.Conformant, 0},
		{"a key of some inputs is missing", "squad_v2", scoring("red car", dropping("HasAns_f1")),
			map[runner.Outcome]int{runner.Same: 21, runner.Different: 1}, runner.NotConformant, 1},
		{"a key of other inputs is there", "squad_v2", scoring("red car", setting("NoAns_f1", 0)),
			map[runner.Outcome]int{runner.Same: 22, runner.Different: 1}, runner.NotConformant, 1},

		// Three cases with two setups each.
		{"the reference of exact_match", "exact_match", nil, map[runner.Outcome]int{runner.Same: 6}, runner.Conformant, 0},
		{"a number for NaN", "exact_match", scoring("", func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if err == nil {
				answer.Scores["exact_match"] = 0
			}
			return answer, err
		}), map[runner.Outcome]int{runner.Same: 5, runner.Different: 1}, runner.NotConformant, 1},
		{"a refusal for NaN", "exact_match", scoring("", failing(refusal(metric.EmptyInput))),
			map[runner.Outcome]int{runner.Same: 5, runner.Refused: 1}, runner.NotConformant, 1},
	}
	config := small(t)
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			adapter := only(test.metric)
			adapter.change = test.change
			report := certify(t, adapter, config)
			got := claim(t, report)
			if diff := cmp.Diff(test.want, got.Outcomes); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if got.Verdict != test.verdict || report.ExitCode() != test.exit {
				t.Errorf("%s, exit %d; want %s, exit %d", got.Verdict, report.ExitCode(), test.verdict, test.exit)
			}
		})
	}
}

func TestBits(t *testing.T) {
	config := small(t)
	config.Bits = true
	if report := certify(t, only("squad"), config); report.ExitCode() != 0 {
		t.Errorf("the reference: exit %d", report.ExitCode())
	}
	adapter := only("squad")
	adapter.change = scoring("x", setting("exact_match", 33.33333333333333))
	report := certify(t, adapter, config)
	got := claim(t, report)
	if got.Verdict != runner.NotConformant || report.ExitCode() != 1 || len(got.Deviations()) != 1 {
		t.Errorf("rounding under bits: %s, exit %d, %d deviations", got.Verdict, report.ExitCode(), len(got.Deviations()))
	}
	config.Bits = false
	if got := claim(t, certify(t, adapter, config)); len(got.Deviations()) != 0 {
		t.Error("rounding is a deviation without bits")
	}
}

// What a deviation shows is what a person needs to see it.
func TestDeviationsShowBothSides(t *testing.T) {
	adapter := only("squad")
	adapter.change = func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		switch {
		case request.Op == adapters.Normalize && request.Text == "The car":
			answer.Text = "the car"
		case request.Op == adapters.Score && first(request) == "x":
			answer.Scores["f1"] = 25
		case request.Op == adapters.Score && first(request) == "red car":
			return adapters.Answer{}, &metric.Refusal{Message: "too red"}
		case request.Op == adapters.Score && first(request) == "b":
			return adapters.Answer{Scores: metric.Scores{"exact_match": 1, "f1": math.NaN()}}, nil
		}
		return answer, err
	}
	got := claim(t, certify(t, adapter, small(t)))
	tests := []struct{ id, name, text, want, got, detail string }{
		{"trap/article", "normalize", "The car", `"car"`, `"the car"`, ""},
		{"trap/thirds", "f1", "", "50", "25", ""},
		{"trap/half", "f1", "", "50", "refused", "refused: too red"},
		{"trap/no-reference", "exact_match", "", "no_references", "1", ""},
		{"trap/no-reference", "f1", "", "no_references", "nan", ""},
	}
	for _, test := range tests {
		one := thing(t, got, test.id, test.name)
		if one.Text != test.text || one.Want.String() != test.want || one.Got.String() != test.got || one.Detail != test.detail {
			t.Errorf("%s of %s: text %q, want %s, got %s, detail %q", test.name, test.id, one.Text, one.Want, one.Got, one.Detail)
		}
	}
	if outcome := result(t, got, "trap/thirds").Outcome(); outcome != runner.Different {
		t.Errorf("a check with one different thing is %s", outcome)
	}
	if outcome := result(t, got, "trap/accent").Outcome(); outcome != runner.Same {
		t.Errorf("a check that is the same is %s", outcome)
	}
}

func TestScales(t *testing.T) {
	scaled := func(by float64) hook {
		return func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			m, _ := metric.Lookup(request.Metric)
			for name := range answer.Scores {
				if key, _ := m.Key(name); key.Scaled() {
					answer.Scores[name] *= by
				}
			}
			return answer, err
		}
	}
	divided := func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		m, _ := metric.Lookup(request.Metric)
		for name := range answer.Scores {
			if key, _ := m.Key(name); key.Scaled() {
				answer.Scores[name] /= 100
			}
		}
		return answer, err
	}
	tests := []struct {
		shows, claim string
		scale        float64
		change       hook
		verdict      runner.Verdict
	}{
		{"1 to 100", "squad@hf-evaluate@a7dd338", 1, divided, runner.Conformant},
		{"1 to 100, where totals and thresholds have no scale", "squad_v2@hf-evaluate@a7dd338", 1, divided, runner.Conformant},
		{"100 to 1", "exact_match@hf-evaluate@a7dd338", 100, scaled(100), runner.Conformant},
		{"100 is the pin's own", "exact_match@hf-evaluate@86baf12", 100, nil, runner.Conformant},
		{"no scale is the pin's", "exact_match@hf-evaluate@86baf12", 0, nil, runner.Conformant},
		{"scores of 0 to 1 that are said to be of 0 to 100", "squad@hf-evaluate@a7dd338", 100, divided, runner.NotConformant},
		{"scores of 0 to 100 that are said to be of 0 to 1", "squad@hf-evaluate@a7dd338", 1, nil, runner.NotConformant},
		{"scores of 0 to 1 of which nothing is said", "squad@hf-evaluate@a7dd338", 0, divided, runner.NotConformant},
	}
	config := small(t)
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			name, _, _ := cutClaim(test.claim)
			support := full(name)
			support.Scale = test.scale
			adapter := newFake(map[string]adapters.Support{name: support})
			adapter.change = test.change
			config.Claims = []string{test.claim}
			got := claim(t, certify(t, adapter, config))
			if got.Verdict != test.verdict {
				t.Errorf("%s, %v; want %s", got.Verdict, got.Outcomes, test.verdict)
			}
			// Decisions are on the pin's scale too.
			if test.verdict == runner.Conformant && (got.Right != got.Upstream || got.Decided == 0) {
				t.Errorf("right %+v of %d decisions, upstream %+v", got.Right, got.Decided, got.Upstream)
			}
		})
	}
}

// A fault that shows only after the answer takes the answer's place.
func TestLateFaults(t *testing.T) {
	adapter := &lateFake{fake: only("squad")}
	got := claim(t, certify(t, adapter, small(t)))
	if !adapter.closed {
		t.Error("the adapter was not closed")
	}
	for _, name := range []string{"exact_match", "f1"} {
		if one := thing(t, got, "trap/half", name); one.Outcome != runner.Protocol || one.Detail != "protocol: answered twice" {
			t.Errorf("%s: %s, %q", name, one.Outcome, one.Detail)
		}
	}
	if got.Verdict != runner.Unfinished || got.Outcomes[runner.Protocol] != 2 || got.Outcomes[runner.Same] != 19 {
		t.Errorf("%s, %v", got.Verdict, got.Outcomes)
	}
}

type lateFake struct {
	*fake
	closed bool
}

func (l *lateFake) Close() ([]adapters.LateFault, error) {
	l.closed = true
	for _, request := range l.seen {
		if request.Op == adapters.Score && first(request) == "red car" {
			return []adapters.LateFault{
				{Mark: request.Mark, Fault: &adapters.Fault{Kind: adapters.Protocol, What: "answered twice"}},
				{Mark: -1, Fault: &adapters.Fault{Kind: adapters.Protocol, What: "of nobody"}},
				{Mark: 1 << 30, Fault: &adapters.Fault{Kind: adapters.Protocol, What: "of nobody"}},
			}, nil
		}
	}
	return nil, nil
}

// An adapter is closed, too, where no run comes about.
func TestAdapterIsClosedOnEveryWay(t *testing.T) {
	config := small(t)
	config.Patterns = []string{"nothing/*"}
	adapter := &lateFake{fake: only("squad")}
	if _, err := runner.Certify(context.Background(), adapter, config); !usageError(err) || !adapter.closed {
		t.Errorf("closed %v, error %v", adapter.closed, err)
	}
}
