package runner_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// Nothing passes by accident: whoever does nothing for it is not conformant,
// for any metric, with any of the answers that could be claimed alone.
func TestNothingPassesByAccident(t *testing.T) {
	constant := func(value float64) hook {
		return func(_ adapters.Request, answer adapters.Answer, _ error) (adapters.Answer, error) {
			for key := range answer.Scores {
				answer.Scores[key] = value
			}
			answer.Text = ""
			return answer, nil
		}
	}
	lazy := map[string]hook{
		"answers nothing":         func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) { return adapters.Answer{}, nil },
		"refuses everything":      failing(&metric.Refusal{Message: "no"}),
		"is always unsupported":   failing(&adapters.Unsupported{Why: "no"}),
		"always crashes":          failing(errors.New("oops")),
		"always times out":        failing(&adapters.Fault{Kind: adapters.Timeout}),
		"always breaks protocol":  failing(&adapters.Fault{Kind: adapters.Protocol}),
		"always scores 0":         constant(0),
		"always scores 1":         constant(1),
		"always scores 100":       constant(100),
		"always scores NaN":       constant(math.NaN()),
		"never refuses":           func(_ adapters.Request, answer adapters.Answer, _ error) (adapters.Answer, error) { return answer, nil },
		"echoes, scores equality": echo,
	}
	// One case of each hazard, and every batch: who fails on it fails on the whole.
	config := embedded(t)
	config.Corpus.Hazards = slices.Clone(config.Corpus.Hazards)
	for i, hazard := range config.Corpus.Hazards {
		seen := 0
		config.Corpus.Hazards[i].Cases = slices.DeleteFunc(slices.Clone(hazard.Cases), func(one cases.Case) bool {
			seen++
			return seen > 1 && one.Single
		})
	}
	for _, m := range metric.All() {
		answers := [][]string{full(m.Name).Answers}
		for _, one := range full(m.Name).Answers {
			answers = append(answers, []string{one})
		}
		for _, claimed := range answers {
			for shows, change := range lazy {
				// One answer alone is put to those that might hit it; nfd_exact_match refuses nothing.
				alone := len(claimed) == 1 && len(answers) > 2
				might := []string{"always scores 0", "always scores 1"}
				if alone && !slices.Contains(might, shows) || shows == "never refuses" && m.Name == "nfd_exact_match" {
					continue
				}
				adapter := newFake(map[string]adapters.Support{m.Name: {Answers: claimed, Handles: adapters.Structural(m)}})
				adapter.change = change
				report := certify(t, adapter, config)
				if got := claim(t, report); got.Verdict == runner.Conformant || report.ExitCode() == 0 {
					t.Errorf("%s, %s: an adapter that %s is %s, exit %d", m.Name, strings.Join(claimed, ","), shows, got.Verdict, report.ExitCode())
				}
			}
		}
	}
}

// echo normalizes nothing, and scores whether any reference is the prediction.
func echo(request adapters.Request, answer adapters.Answer, _ error) (adapters.Answer, error) {
	if request.Op == adapters.Normalize {
		return adapters.Answer{Text: request.Text}, nil
	}
	hits := 0.0
	for _, item := range request.Items {
		if item.Prediction != nil && slices.Contains(item.References, *item.Prediction) {
			hits++
		}
	}
	for key := range answer.Scores {
		answer.Scores[key] = hits / max(1, float64(len(request.Items)))
	}
	return answer, nil
}

// The floors are not conformant for any metric, and a variation is conformant
// for those only that it does not touch.
func TestVariationsAreNotConformant(t *testing.T) {
	variations, err := reference.Named("articles-first")
	if err != nil {
		t.Fatal(err)
	}
	config := embedded(t)
	for _, variation := range append(variations, reference.Floors()...) {
		report := certify(t, reference.New(variation), config)
		for _, claim := range report.Claims {
			touched := slices.Contains(variation.Metrics, claim.Metric.Name)
			if touched == (claim.Verdict == runner.Conformant) {
				t.Errorf("%s: %s is %s", variation.Name, claim.Name(), claim.Verdict)
			}
		}
	}
}

func TestTheReferenceIsTheSameToTheLastBit(t *testing.T) {
	config := embedded(t)
	config.Bits = true
	report := certify(t, reference.New(), config)
	for _, claim := range report.Claims {
		if claim.Verdict != runner.Conformant || claim.Outcomes[runner.Same] != claim.Answered() || len(claim.NotClaimed()) != 0 {
			t.Errorf("%s: %v", claim.Sentence(nil), claim.Outcomes)
		}
	}
	if report.ExitCode() != 0 {
		t.Errorf("exit %d", report.ExitCode())
	}
}

// An interrupted run keeps what it has.
func TestInterrupted(t *testing.T) {
	for _, deviates := range []bool{false, true} {
		t.Run(fmt.Sprintf("a deviation before it: %v", deviates), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			config := small(t)
			config.Window = 1
			asked := 0
			adapter := only("squad")
			adapter.change = func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
				if asked++; asked > 4 {
					cancel()
					return adapters.Answer{}, ctx.Err()
				}
				if deviates && answer.Scores != nil {
					answer.Scores["f1"] = 1
				}
				return answer, err
			}
			report, err := runner.Certify(ctx, adapter, config)
			if err != nil {
				t.Fatal(err)
			}
			got := claim(t, report)
			want := runner.Unfinished
			if deviates {
				want = runner.NotConformant
			}
			if !report.Interrupted || report.ExitCode() != 4 || got.Verdict != want {
				t.Errorf("interrupted %v, exit %d, %s; want exit 4, %s", report.Interrupted, report.ExitCode(), got.Verdict, want)
			}
			// Two texts and one score of the first check, and a text of the second.
			reached := got.Outcomes[runner.Same] + got.Outcomes[runner.Different]
			if reached != 3 || got.Outcomes[runner.NotReached] != 18 || got.Answered() != 21 {
				t.Errorf("outcomes %v", got.Outcomes)
			}
			if one := thing(t, got, "trap/half", "f1"); one.Outcome != runner.NotReached {
				t.Errorf("what was not reached is %s", one.Outcome)
			}
			if len(got.Floors) != 3 || got.Floors[0].Same == 0 {
				t.Errorf("floors %+v", got.Floors)
			}
		})
	}
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := runner.Certify(ctx, only("squad"), small(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := claim(t, report); got.Verdict == runner.Conformant || report.ExitCode() != 4 {
		t.Errorf("%s, exit %d", got.Verdict, report.ExitCode())
	}
}

func TestWindowAndProgress(t *testing.T) {
	config := small(t)
	config.Window = 3
	var inFlight, most atomic.Int64
	adapter := only("squad")
	adapter.change = func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		now := inFlight.Add(1)
		for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
		}
		time.Sleep(time.Millisecond)
		inFlight.Add(-1)
		return answer, err
	}
	var progress []int
	config.Progress = func(done, of int) {
		if done != len(progress)+1 || done > of {
			t.Errorf("progress %d of %d after %v", done, of, progress)
		}
		progress = append(progress, done)
	}
	certify(t, adapter, config)
	if most.Load() != 3 {
		t.Errorf("%d requests in flight at most, want 3", most.Load())
	}
	// So few requests are all asked again, which is no progress.
	if 2*len(progress) != len(adapter.seen) {
		t.Errorf("progress was told %d times of %d requests", len(progress), len(adapter.seen))
	}
}

// Each text of a claim is asked for once, and each check is scored once; then,
// as they are few, each once again, to see whether the answer stays.
func TestEachQuestionIsAskedOnce(t *testing.T) {
	adapter := only("squad")
	certify(t, adapter, small(t))
	seen := map[string]int{}
	scores := 0
	for _, request := range adapter.seen {
		if request.Op == adapters.Score {
			scores++
			continue
		}
		seen[request.Text]++
	}
	for text, count := range seen {
		if count != 2 {
			t.Errorf("%q was asked for %d times", text, count)
		}
	}
	if scores != 2*7 || len(seen) != 14 {
		t.Errorf("%d scores and %d texts, want 14 and 14", scores, len(seen))
	}
}

func TestFunctionsAsAnAdapter(t *testing.T) {
	functions := adapters.Functions{
		Name: "mine", Version: "1",
		Metrics: map[string]adapters.Support{"exact_match": {Answers: []string{"exact_match"}, Scale: 1}},
		Score: func(_ metric.Setup, _ string, items []metric.Item) (metric.Scores, error) {
			if *items[0].Prediction == items[0].References[0] {
				return metric.Scores{"exact_match": 1}, nil
			}
			return metric.Scores{"exact_match": 0}, nil
		},
	}
	config := small(t)
	config.Claims = []string{"exact_match@hf-evaluate@86baf12", "exact_match@hf-evaluate@a7dd338"}
	report := certify(t, functions, config)
	for _, claim := range report.Claims {
		want := "conformant: exact_match; not claimed: batch, ignore_case, ignore_numbers, ignore_punctuation, regexes_to_ignore"
		if got := claim.Sentence(nil); got != want || claim.ChecksAsked != 1 || claim.ChecksNotClaimed != 5 {
			t.Errorf("%s: %s, %d checks asked", claim.Name(), got, claim.ChecksAsked)
		}
	}
	if report.ExitCode() != 0 || report.Adapter.Language != "Go" {
		t.Errorf("exit %d, %+v", report.ExitCode(), report.Adapter)
	}
}

// A score has no unit without its pipeline: whatever the result depends on
// changes the signature, and nothing else does.
func TestSignature(t *testing.T) {
	type run struct {
		adapter *fake
		config  runner.Config
	}
	with := func(change func(r *run)) string {
		r := run{only("squad"), small(t)}
		change(&r)
		return certify(t, r.adapter, r.config).Signature
	}
	support := func(r *run, change func(s *adapters.Support)) {
		s := r.adapter.hello.Metrics["squad"]
		change(&s)
		r.adapter.hello.Metrics["squad"] = s
	}
	plain := with(func(*run) {})
	if strings.ContainsAny(plain, "\n\r") || !strings.Contains(plain, "squad@hf-evaluate@a7dd338") {
		t.Errorf("signature %q", plain)
	}
	changes := map[string]func(r *run){
		"the adapter's name":    func(r *run) { r.adapter.hello.Name = "other" },
		"the adapter's version": func(r *run) { r.adapter.hello.Version = "2" },
		"the pin":               func(r *run) { r.config.Claims = []string{"squad@hf-evaluate@86baf12"} },
		"a claim more": func(r *run) {
			r.config.Claims = []string{"squad@hf-evaluate@86baf12", "squad@hf-evaluate@a7dd338"}
		},
		"the metric":   func(r *run) { *r = run{only("squad_v2"), r.config} },
		"the answers":  func(r *run) { support(r, func(s *adapters.Support) { s.Answers = []string{"exact_match", "f1"} }) },
		"a condition":  func(r *run) { support(r, func(s *adapters.Support) { s.Handles = []string{"unanswered"} }) },
		"an exception": func(r *run) { r.config.Except = []string{"non-ascii"} },
		"bits":         func(r *run) { r.config.Bits = true },
		"the patterns": func(r *run) { r.config.Patterns = []string{"trap"} },
		"an intent": func(r *run) {
			r.config.Corpus = load(t, replaced("trap.toml", `intent     = "ambiguous"`, `intent     = "match"`))
		},
		"a golden": func(r *run) {
			tree := goldens(t, r.config.Corpus)
			name := "hf-evaluate/a7dd338/trap.golden"
			tree[name].Data = []byte(strings.Replace(string(tree[name].Data), `"f1":50`, `"f1":51`, 1))
			r.config.Goldens = loadGoldens(t, tree)
		},
	}
	seen := map[string]string{plain: "nothing"}
	for what, change := range changes {
		signature := with(change)
		if before, same := seen[signature]; same {
			t.Errorf("changing %s gives the signature of changing %s: %s", what, before, signature)
		}
		seen[signature] = what
	}
	for what, change := range map[string]func(r *run){
		"a why":    func(r *run) { r.config.Corpus = load(t, replaced("trap.toml", `why        = "w"`, `why = "reworded"`)) },
		"a window": func(r *run) { r.config.Window = 1 },
		"what the adapter answers": func(r *run) {
			r.adapter.change = failing(errors.New("oops"))
		},
	} {
		if signature := with(change); signature != plain {
			t.Errorf("changing %s changes the signature:\n%s\n%s", what, plain, signature)
		}
	}
}

func replaced(file, from, to string) map[string]string {
	files := map[string]string{}
	for name, content := range smallCorpus {
		if name == file {
			content = strings.Replace(content, from, to, 1)
		}
		files[name] = content
	}
	return files
}
