package runner_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

func cutClaim(claim string) (name, upstream, commit string) {
	parts := strings.SplitN(claim, "@", 3)
	return parts[0], parts[1], parts[2]
}

func TestVerdictSentences(t *testing.T) {
	support := func(answers, handles string) adapters.Support {
		return adapters.Support{Answers: strings.Fields(answers), Handles: strings.Fields(handles)}
	}
	const every = "batch no-references repeated-id unanswered"
	tests := []struct {
		shows    string
		metric   string
		support  adapters.Support
		change   hook
		except   []string
		patterns []string
		want     string
	}{
		{"everything", "exact_match", support("exact_match", "batch ignore_case ignore_numbers ignore_punctuation regexes_to_ignore"), nil, nil, nil,
			"conformant: everything; never asked for: ignore_numbers, ignore_punctuation, regexes_to_ignore"},
		{"of one prediction and its references", "squad", support("normalize exact_match", ""), nil, nil, nil,
			"conformant: normalize, exact_match; not claimed: f1, batch, no-references, repeated-id, unanswered"},
		{"answers in upstream's order, normalize first", "squad", support("f1 exact_match normalize", "batch"), nil, nil, nil,
			"conformant: normalize, exact_match, f1; with batch; not claimed: no-references, repeated-id, unanswered"},
		{"normalize only", "squad", support("normalize", ""), nil, nil, nil,
			"conformant: normalize; not claimed: exact_match, f1, batch, no-references, repeated-id, unanswered"},
		{"an exception", "squad", support("normalize exact_match f1", every), scoring("Caf\u00e9", setting("exact_match", 100)), []string{"non-ascii"}, nil,
			"conformant except non-ascii: normalize, exact_match, f1; with batch, no-references, repeated-id, unanswered; never asked for: repeated-id"},
		{"a deviation", "squad", support("exact_match", ""), scoring("a", setting("exact_match", 0)), nil, nil,
			"not conformant: exact_match; not claimed: normalize, f1, batch, no-references, repeated-id, unanswered"},
		{"a deviation beside an exception", "squad", support("exact_match", ""), scoring("a", setting("exact_match", 0)), []string{"non-ascii"}, nil,
			"not conformant except non-ascii: exact_match; not claimed: normalize, f1, batch, no-references, repeated-id, unanswered"},
		{"incomplete", "squad", support("exact_match", ""), scoring("a", failing(errors.New("oops"))), nil, nil,
			"incomplete: exact_match; not claimed: normalize, f1, batch, no-references, repeated-id, unanswered"},
		{"a selection", "squad", support("normalize exact_match f1", "batch"), nil, nil, []string{"trap/article"},
			"conformant: normalize, exact_match, f1; with batch; not claimed: no-references, repeated-id, unanswered; never asked for: batch"},
		{"nothing compared", "squad", support("exact_match", ""), nil, nil, []string{"trap/thirds"},
			"incomplete: exact_match; not claimed: normalize, f1, batch, no-references, repeated-id, unanswered; never asked for: exact_match"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			config := small(t)
			config.Except, config.Patterns = test.except, test.patterns
			adapter := newFake(map[string]adapters.Support{test.metric: test.support})
			adapter.change = test.change
			report := certify(t, adapter, config)
			if got := claim(t, report).Sentence(report.Except); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

// "Everything" is said only when every key and condition was claimed and asked for.
func TestEverything(t *testing.T) {
	config := embedded(t)
	part := config
	part.Patterns = []string{"empty-collapse"} // has every metric
	for _, name := range metric.Names() {
		got := claim(t, certify(t, only(name), config))
		if sentence := got.Sentence(nil); sentence != "conformant: everything" {
			t.Errorf("%s: %s", name, sentence)
		}
		support := full(name)
		for i := range support.Answers {
			less := support
			less.Answers = slices.Delete(slices.Clone(support.Answers), i, i+1)
			if len(less.Answers) == 0 {
				continue
			}
			got := claim(t, certify(t, newFake(map[string]adapters.Support{name: less}), part))
			if sentence := got.Sentence(nil); got.Verdict != runner.Conformant || !strings.Contains(sentence, "; not claimed: "+support.Answers[i]) {
				t.Errorf("%s without %s: %s", name, support.Answers[i], sentence)
			}
		}
	}
}

// The sentence names the exceptions that concern the claim, and no others.
func TestExceptionsOfOneClaimOnly(t *testing.T) {
	config := small(t)
	config.Except = []string{"ignore_case", "non-ascii"}
	adapter := newFake(map[string]adapters.Support{"exact_match": full("exact_match"), "squad": full("squad")})
	report := certify(t, adapter, config)
	for i, want := range []string{"conformant except ignore_case: ", "conformant except non-ascii: "} {
		if got := report.Claims[i].Sentence(report.Except); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s…", got, want)
		}
	}
}

func TestExceptRunsAndShows(t *testing.T) {
	config := small(t)
	adapter := only("squad")
	adapter.change = scoring("Caf\u00e9", setting("exact_match", 100))
	without := claim(t, certify(t, adapter, config))
	if without.Verdict != runner.NotConformant {
		t.Fatalf("%s without the exception", without.Verdict)
	}
	config.Except = []string{"non-ascii"}
	adapter.seen = nil
	report := certify(t, adapter, config)
	got := claim(t, report)
	if got.Verdict != runner.Conformant || report.ExitCode() != 0 || !got.Excepted {
		t.Errorf("%s, exit %d", got.Verdict, report.ExitCode())
	}
	if !slices.ContainsFunc(adapter.seen, func(r adapters.Request) bool { return first(r) == "Caf\u00e9" }) {
		t.Error("the excepted check was not run")
	}
	if got.ChecksExcepted != 1 || got.ChecksAsked != 6 || got.Answered() != 18 || got.Outcomes[runner.Different] != 0 {
		t.Errorf("%d excepted, %d asked, %v", got.ChecksExcepted, got.ChecksAsked, got.Outcomes)
	}
	if shown := got.Deviations(); len(shown) != 1 || shown[0].Case.ID != "trap/accent" || shown[0].Excepted[0] != "non-ascii" {
		t.Errorf("deviations %+v", shown)
	}
	if got.Decided >= without.Decided {
		t.Errorf("%d decisions with the exception, %d without", got.Decided, without.Decided)
	}
	// Of the accent, identity gets both scores right and the spelling wrong.
	if with, all := floorsOf(got)["identity"], floorsOf(without)["identity"]; with.Same != all.Same-2 || with.WrongRejects != all.WrongRejects-1 {
		t.Errorf("identity without the excepted check %+v, with it %+v", with, all)
	}
	if got.Everything() {
		t.Error("everything, with an exception")
	}
}

// An exception of everything leaves nothing that was compared.
func TestExceptOfEverythingIsIncomplete(t *testing.T) {
	config := small(t)
	config.Except, config.Patterns = []string{"non-ascii"}, []string{"trap/accent"}
	report := certify(t, only("squad"), config)
	if got := claim(t, report); got.Verdict != runner.Unfinished || report.ExitCode() != 4 {
		t.Errorf("%s, exit %d", got.Verdict, report.ExitCode())
	}
}

// A condition that is not handled is never sent, and nothing of such a check counts.
func TestUnhandledIsNeverSent(t *testing.T) {
	config := embedded(t)
	for _, name := range metric.Names() {
		m, err := metric.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		conditions := adapters.Structural(m)
		for _, without := range append([]string{""}, conditions...) {
			shows := name + " without " + without
			handles := []string{}
			if without != "" {
				handles = slices.DeleteFunc(slices.Clone(conditions), func(c string) bool { return c == without })
			}
			support := full(name)
			support.Handles = handles
			adapter := newFake(map[string]adapters.Support{name: support})
			got := claim(t, certify(t, adapter, config))
			sent := map[string]bool{}
			for _, one := range got.Results {
				if one.Handled() {
					for _, item := range one.Case.Items {
						for text := range item.Texts {
							sent[text] = true
						}
					}
				} else if len(one.Things) != 0 || one.Outcome() != runner.NotClaimed || one.Decision != "" {
					t.Errorf("%s: %s is %s, %q", shows, one.Case.ID, one.Outcome(), one.Decision)
				}
			}
			for _, request := range adapter.seen {
				if request.Op == adapters.Normalize {
					if !sent[request.Text] {
						t.Errorf("%s: normalize was asked for %q, of checks that are not handled only", shows, request.Text)
					}
					continue
				}
				for _, condition := range adapters.StructuralOf(metric.Setup{Metric: request.Metric, Options: request.Options}, request.Items) {
					if !slices.Contains(handles, condition) {
						t.Errorf("%s: the adapter was sent %s", shows, condition)
					}
				}
			}
			if got.Verdict != runner.Conformant || got.ChecksNotClaimed == 0 || got.ChecksAsked+got.ChecksNotClaimed != len(got.Results) {
				t.Errorf("%s: %s, %d asked, %d not claimed of %d", shows, got.Verdict, got.ChecksAsked, got.ChecksNotClaimed, len(got.Results))
			}
		}
	}
}

func TestUsageErrors(t *testing.T) {
	tests := []struct {
		shows  string
		change func(c *runner.Config)
		says   []string
	}{
		{"a claim without a pin", func(c *runner.Config) { c.Claims = []string{"squad"} }, []string{"claim squad", "METRIC@UPSTREAM@COMMIT", "squad@hf-evaluate@a7dd338"}},
		{"a claim without a commit", func(c *runner.Config) { c.Claims = []string{"squad@hf-evaluate"} }, []string{"METRIC@UPSTREAM@COMMIT"}},
		{"an unknown metric", func(c *runner.Config) { c.Claims = []string{"bleu@hf-evaluate@a7dd338"} }, []string{`unknown metric "bleu"`, "squad_v2"}},
		{"an unknown pin", func(c *runner.Config) { c.Claims = []string{"squad@hf-evaluate@1234567"} }, []string{`unknown pin "hf-evaluate@1234567"`, "hf-evaluate@a7dd338"}},
		{"a pin that does not cover the metric", func(c *runner.Config) { c.Claims = []string{"nfd_exact_match@hf-evaluate@a7dd338"} }, []string{"does not cover nfd_exact_match", "exact_match, squad, squad_v2"}},
		{"a metric that the adapter does not have", func(c *runner.Config) { c.Claims = []string{"squad_v2@hf-evaluate@a7dd338"} }, []string{"the adapter does not answer squad_v2", "squad"}},
		{"one of two claims", func(c *runner.Config) {
			c.Claims = []string{"squad@hf-evaluate@a7dd338", "bleu@hf-evaluate@a7dd338"}
		}, []string{"bleu"}},
		{"a pattern that matches nothing", func(c *runner.Config) { c.Patterns = []string{"trapp"} }, []string{`"trapp"`, "matches no case"}},
		{"a malformed pattern", func(c *runner.Config) { c.Patterns = []string{"["} }, []string{"malformed"}},
		{"a selection in which the claim has no case", func(c *runner.Config) { c.Patterns = []string{"exact"} }, []string{"squad@hf-evaluate@a7dd338", "no selected case"}},
		{"an unknown condition", func(c *runner.Config) { c.Except = []string{"non-ASCII"} }, []string{`unknown condition "non-ASCII"`, "non-ascii", "ignore_case", "batch"}},
		{"a condition that no check has", func(c *runner.Config) { c.Except = []string{"astral"} }, []string{"astral", "no selected check"}},
		{"a case without a golden", func(c *runner.Config) {
			c.Corpus = load(t, map[string]string{"trap.toml": smallCorpus["trap.toml"] + "\n[[case]]\nid = \"new\"\nprediction = \"a\"\nreferences = [\"b\"]\nintent = \"match\"\nwhy = \"w\"\n"})
		}, []string{"trap/new", "has no golden", "regen"}},
		{"a case that was changed after its golden", func(c *runner.Config) {
			c.Corpus = load(t, map[string]string{"trap.toml": strings.Replace(smallCorpus["trap.toml"], `["car"]`, `["car", "van"]`, 1)})
		}, []string{"trap/article", "was the case changed", "regen"}},
		{"a case that got an item more", func(c *runner.Config) {
			c.Corpus = load(t, map[string]string{"trap.toml": strings.Replace(smallCorpus["trap.toml"], "items  = [\n", "items  = [\n  { references = [], intent = \"match\" },\n", 1)})
		}, []string{"trap/thirds", "3 items, the case has 4"}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			config := small(t)
			test.change(&config)
			report, err := runner.Certify(t.Context(), only("squad"), config)
			if !usageError(err) || report != nil {
				t.Fatalf("error %v, want a usage error", err)
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
}

type helloFails struct{ adapters.Adapter }

func (helloFails) Hello(context.Context) (adapters.Hello, error) {
	return adapters.Hello{}, errors.New("no such program")
}

func TestNoVerdictIsPossible(t *testing.T) {
	invalid := func(change func(h *adapters.Hello)) adapters.Adapter {
		adapter := only("squad")
		change(&adapter.hello)
		return adapter
	}
	tests := []struct {
		shows   string
		adapter adapters.Adapter
		says    string
	}{
		{"no hello", helloFails{}, "no such program"},
		{"no name", invalid(func(h *adapters.Hello) { h.Name = "" }), "name"},
		{"no metrics", invalid(func(h *adapters.Hello) { h.Metrics = nil }), "no metric"},
		{"an unknown metric", invalid(func(h *adapters.Hello) { h.Metrics = map[string]adapters.Support{"bleu": {}} }), "bleu"},
		{"no answers", invalid(func(h *adapters.Hello) { h.Metrics = map[string]adapters.Support{"squad": {}} }), "answers is empty"},
		{"an unknown answer", invalid(func(h *adapters.Hello) { h.Metrics = map[string]adapters.Support{"squad": {Answers: []string{"em"}}} }), `"em"`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			_, err := runner.Certify(t.Context(), test.adapter, small(t))
			var start *runner.StartError
			if !errors.As(err, &start) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want a start error that says %q", err, test.says)
			}
		})
	}
}

func TestClaimsOfTheHello(t *testing.T) {
	names := func(metrics map[string]adapters.Support, claims ...string) []string {
		config := small(t)
		config.Claims = claims
		var names []string
		for _, claim := range certify(t, newFake(metrics), config).Claims {
			names = append(names, claim.Name())
		}
		return names
	}
	pinned := func(name string, pins ...string) adapters.Support {
		support := full(name)
		support.Pins = pins
		return support
	}
	tests := []struct {
		shows   string
		metrics map[string]adapters.Support
		claims  []string
		want    []string
	}{
		{"no pins: the metric's default", map[string]adapters.Support{"squad": full("squad")}, nil, []string{"squad@hf-evaluate@a7dd338"}},
		{"the pins it names, sorted", map[string]adapters.Support{"squad": pinned("squad", "hf-evaluate@a7dd338", "hf-evaluate@86baf12")}, nil,
			[]string{"squad@hf-evaluate@86baf12", "squad@hf-evaluate@a7dd338"}},
		{"a longer form of a commit is the same pin", map[string]adapters.Support{"squad": pinned("squad", "hf-evaluate@"+fullCommit, "hf-evaluate@a7dd338")}, nil,
			[]string{"squad@hf-evaluate@a7dd338"}},
		{"metrics by name", map[string]adapters.Support{"squad": full("squad"), "exact_match": full("exact_match")}, nil,
			[]string{"exact_match@hf-evaluate@a7dd338", "squad@hf-evaluate@a7dd338"}},
		{"a claim takes the place of them", map[string]adapters.Support{"squad": pinned("squad", "hf-evaluate@a7dd338"), "exact_match": full("exact_match")},
			[]string{"squad@hf-evaluate@86baf12"}, []string{"squad@hf-evaluate@86baf12"}},
		{"a claim twice is one", map[string]adapters.Support{"squad": full("squad")},
			[]string{"squad@hf-evaluate@a7dd338", "squad@hf-evaluate@" + fullCommit}, []string{"squad@hf-evaluate@a7dd338"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, names(test.metrics, test.claims...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.shows, diff)
		}
	}
}

// Each claim of several is judged at its own pin, and the exit code is the gravest.
func TestSeveralClaims(t *testing.T) {
	config := small(t)
	config.Claims = []string{"exact_match@hf-evaluate@86baf12", "exact_match@hf-evaluate@a7dd338", "squad@hf-evaluate@a7dd338"}
	adapter := newFake(map[string]adapters.Support{"exact_match": full("exact_match"), "squad": full("squad")})
	adapter.change = func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if request.Pin == "hf-evaluate@86baf12" && answer.Scores != nil {
			answer.Scores["exact_match"] /= 100 // it knows one scale only
		}
		if request.Metric == "squad" && request.Op == adapters.Score {
			return adapters.Answer{}, &adapters.Unsupported{Why: "no"}
		}
		return answer, err
	}
	report := certify(t, adapter, config)
	var got []runner.Verdict
	for _, claim := range report.Claims {
		got = append(got, claim.Verdict)
	}
	if diff := cmp.Diff([]runner.Verdict{runner.NotConformant, runner.Conformant, runner.Unfinished}, got); diff != "" || report.ExitCode() != 1 {
		t.Errorf("exit %d; (-want +got):\n%s", report.ExitCode(), diff)
	}
}

func TestUnconfirmedGoldensAreNamed(t *testing.T) {
	config := small(t)
	tree := goldens(t, config.Corpus)
	name := "hf-evaluate/a7dd338/trap.golden"
	changed := strings.Replace(string(tree[name].Data), `"exact_match":0,"f1":50`, `"exact_match":0,"f1":51`, 1)
	tree[name].Data = []byte(changed)
	config.Goldens = loadGoldens(t, tree)
	got := claim(t, certify(t, only("squad"), config))
	if !slices.Equal(got.Unconfirmed, []string{"trap"}) || got.Verdict != runner.NotConformant {
		t.Errorf("%s, unconfirmed %q", got.Verdict, got.Unconfirmed)
	}
	config.Patterns = []string{"exact"}
	if got := claim(t, certify(t, only("exact_match"), config)); len(got.Unconfirmed) != 0 {
		t.Errorf("unconfirmed %q, of which nothing was asked", got.Unconfirmed)
	}
	// Part of a hazard's cases is not another input.
	config = small(t)
	config.Patterns = []string{"trap/half"}
	if got := claim(t, certify(t, only("squad"), config)); len(got.Unconfirmed) != 0 {
		t.Errorf("unconfirmed %q under a selection", got.Unconfirmed)
	}
}

func caseOf(intents ...cases.Intent) cases.Case {
	one := cases.Case{ID: "trap/x", Single: len(intents) == 1}
	for _, intent := range intents {
		one.Items = append(one.Items, cases.Item{Item: metric.Answered("a", "b"), Intent: intent})
	}
	return one
}
