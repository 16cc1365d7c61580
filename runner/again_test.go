package runner_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// key is one question, as it is asked.
func key(r adapters.Request) string { return string(adapters.EncodeRequest(0, r)) }

// timesAsked counts how often each question was asked, this time included.
type timesAsked struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *timesAsked) count(r adapters.Request) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times == nil {
		c.times = map[string]int{}
	}
	c.times[key(r)]++
	return c.times[key(r)]
}

// TestWhoeverChangesIsNotConformant: an answer that depends on order, time or
// chance is different, and the report says that it was asked again.
func TestWhoeverChangesIsNotConformant(t *testing.T) {
	off := func(answer adapters.Answer) adapters.Answer {
		answer.Text += "x"
		for name := range answer.Scores {
			answer.Scores[name]++
		}
		return answer
	}
	second := &metric.Refusal{Message: "I have told you"}
	tests := []struct {
		name   string
		change func() hook
		detail string
	}{
		{"on the question before", func() hook {
			// As asked first, it is right: nothing but the order of the second time gives it away.
			before, seen := "", map[string]string{}
			return func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				was := before
				before = key(r)
				if first, known := seen[before]; known && first != was {
					return off(answer), err
				}
				seen[before] = was
				return answer, err
			}
		}, "asked again, it answered "},
		{"on how often it was asked", func() hook {
			calls := 0
			return func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if calls++; calls > 30 {
					return off(answer), err
				}
				return answer, err
			}
		}, "asked again, it answered "},
		{"on chance", func() hook {
			r := rand.New(rand.NewPCG(1, 2))
			return func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if r.IntN(3) == 0 {
					return off(answer), err
				}
				return answer, err
			}
		}, "asked again, it answered "},
		{"from an answer to a refusal", func() hook {
			var asked timesAsked
			return func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if asked.count(r) > 1 && err == nil {
					return adapters.Answer{}, second
				}
				return answer, err
			}
		}, "I have told you"},
		{"from an answer to an honest no", func() hook {
			var asked timesAsked
			return func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if asked.count(r) > 1 {
					return adapters.Answer{}, &adapters.Unsupported{Why: "no more"}
				}
				return answer, err
			}
		}, "unsupported: no more"},
		{"from a refusal to an answer", func() hook {
			var asked timesAsked
			return func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if asked.count(r) > 1 && err != nil {
					return adapters.Answer{Scores: metric.Scores{"exact_match": 0, "f1": 0}}, nil
				}
				return answer, err
			}
		}, "asked again, it answered {"},
		{"in the last bit", func() hook {
			var asked timesAsked
			return func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if score, there := answer.Scores["f1"]; there && asked.count(r) > 1 && score > 0 {
					answer.Scores["f1"] = math.Nextafter(score, 0)
				}
				return answer, err
			}
		}, "asked again, it answered {"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			adapter := only("squad")
			adapter.change = test.change()
			config := small(t)
			config.NoWhy, config.Window = true, 1
			report := certify(t, adapter, config)
			c := claim(t, report)
			if c.Verdict != runner.NotConformant || c.Outcomes[runner.Different] == 0 || report.ExitCode() != 1 {
				t.Errorf("it is %s, with %v, exit %d", c.Verdict, c.Outcomes, report.ExitCode())
			}
			told := false
			for _, deviation := range c.Deviations() {
				for _, thing := range deviation.Things {
					told = told || thing.Outcome == runner.Different && strings.Contains(thing.Detail, "asked again, it answered ") && strings.Contains(thing.Detail, test.detail)
				}
			}
			if !told {
				t.Errorf("the report does not say %q", test.detail)
			}
		})
	}
}

// TestFaultsOfTheSecondTime are faults of the question: no verdict but
// conformant is lost by them alone.
func TestFaultsOfTheSecondTime(t *testing.T) {
	faults := map[runner.Outcome]error{
		runner.Crash: errors.New("oops"), runner.Timeout: &adapters.Fault{Kind: adapters.Timeout, What: "late"}, runner.Protocol: &adapters.Fault{Kind: adapters.Protocol, What: "odd"},
	}
	for outcome, fault := range faults {
		var asked timesAsked
		adapter := only("squad")
		adapter.change = func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if asked.count(r) > 1 && r.Op == adapters.Normalize && r.Text == "The car" {
				return adapters.Answer{}, fault
			}
			return answer, err
		}
		config := small(t)
		config.NoWhy = true
		report := certify(t, adapter, config)
		c := claim(t, report)
		if c.Verdict != runner.Unfinished || c.Outcomes[outcome] != 1 || report.ExitCode() != 4 {
			t.Errorf("%s: it is %s, with %v, exit %d", outcome, c.Verdict, c.Outcomes, report.ExitCode())
		}
		if got := thing(t, c, "trap/article", "normalize"); got.Outcome != outcome {
			t.Errorf("%s: the question's outcome is %s", outcome, got.Outcome)
		}
	}
}

// TestPanicOfTheSecondTime is a crash as well.
func TestPanicOfTheSecondTime(t *testing.T) {
	var asked timesAsked
	adapter := only("squad")
	adapter.change = func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if asked.count(r) > 1 {
			panic("not twice")
		}
		return answer, err
	}
	config := small(t)
	config.NoWhy = true
	if c := claim(t, certify(t, adapter, config)); c.Verdict != runner.Unfinished || c.Outcomes[runner.Crash] != c.Answered() {
		t.Errorf("it is %s, with %v", c.Verdict, c.Outcomes)
	}
}

// TestAskedAgain: a small run asks every question that was answered or refused
// once more, and never more often; what keeps its word is conformant, NaN and
// refusals with another message among it.
func TestAskedAgain(t *testing.T) {
	for _, name := range []string{"squad", "exact_match"} {
		var asked timesAsked
		adapter := only(name)
		adapter.change = func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			times := asked.count(r)
			var refusal *metric.Refusal
			if errors.As(err, &refusal) {
				return answer, &metric.Refusal{Kind: refusal.Kind, Message: fmt.Sprintf("refusal number %d", times)}
			}
			return answer, err
		}
		report := certify(t, adapter, small(t))
		if c := claim(t, report); c.Verdict != runner.Conformant || c.Outcomes[runner.Same] != c.Answered() {
			t.Errorf("%s: it is %s, with %v", name, c.Verdict, c.Outcomes)
		}
		for question, times := range asked.times {
			if times != 2 {
				t.Errorf("%s: asked %d times: %s", name, times, question)
			}
		}
	}
}

// TestAskedAgainIsBounded: of a large run about a hundred questions are asked again.
func TestAskedAgainIsBounded(t *testing.T) {
	var asked, again atomic.Int64
	var times timesAsked
	adapter := newFake(map[string]adapters.Support{"squad": {Answers: []string{"normalize"}}})
	adapter.change = func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if asked.Add(1); times.count(r) > 1 {
			again.Add(1)
		}
		return answer, err
	}
	config := embedded(t)
	config.NoWhy = true
	var last int
	config.Progress = func(done, of int) { last = of }
	certify(t, adapter, config)
	if again.Load() < 50 || again.Load() > 101 || asked.Load() < 5*again.Load() {
		t.Errorf("%d of %d questions were asked again", again.Load(), asked.Load())
	}
	if int64(last) != asked.Load()-again.Load() {
		t.Errorf("progress speaks of %d questions, %d were asked for the first time", last, asked.Load()-again.Load())
	}
}

// late is an adapter that reports late faults, by the mark of a question.
type late struct {
	*fake
	of func(asked []adapters.Request) []adapters.LateFault
}

func (l late) Close() ([]adapters.LateFault, error) { return l.of(l.seen), nil }

// TestLateFaultOfTheSecondTime is held against its question, which is named by
// the mark of the second asking.
func TestLateFaultOfTheSecondTime(t *testing.T) {
	adapter := late{only("squad"), func(asked []adapters.Request) (faults []adapters.LateFault) {
		for i := len(asked) - 1; i >= 0; i-- {
			if asked[i].Op == adapters.Normalize && asked[i].Text == "The car" {
				return []adapters.LateFault{{Mark: asked[i].Mark, Fault: &adapters.Fault{Kind: adapters.Protocol, What: "answered twice"}}}
			}
		}
		return nil
	}}
	config := small(t)
	config.NoWhy, config.Window = true, 1
	c := claim(t, certify(t, adapter, config))
	if got := thing(t, c, "trap/article", "normalize"); got.Outcome != runner.Protocol || !strings.Contains(got.Detail, "answered twice") || c.Outcomes[runner.Protocol] != 1 {
		t.Errorf("%+v, with %v", got, c.Outcomes)
	}
}

// TestShuffleChangesTheOrder and nothing else: the report of a steady adapter
// is the same under every seed.
func TestShuffleChangesTheOrder(t *testing.T) {
	orders := map[string]bool{}
	var signature, counts string
	for _, seed := range []*uint64{nil, new(uint64), ptr(7), ptr(math.MaxUint64)} {
		adapter := only("squad")
		adapter.change = func(r adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			answer.Text = strings.ReplaceAll(answer.Text, "é", "e")
			return answer, err
		}
		config := small(t)
		config.Window, config.Shuffle = 1, seed
		report := certify(t, adapter, config)
		var order strings.Builder
		for _, r := range adapter.seen[:len(adapter.seen)/2] {
			fmt.Fprintln(&order, key(r))
		}
		orders[order.String()] = true
		c := claim(t, report)
		got := fmt.Sprint(c.Outcomes, c.Right, thing(t, c, "trap/accent", "normalize").Got.String())
		if signature == "" {
			signature, counts = report.Signature, got
		}
		if report.Signature != signature || got != counts {
			t.Errorf("seed %v: %s %s, else %s %s", seed, report.Signature, got, signature, counts)
		}
	}
	if len(orders) != 4 {
		t.Errorf("four seeds give %d orders", len(orders))
	}
}

func ptr(n uint64) *uint64 { return &n }
