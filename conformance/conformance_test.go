package conformance_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/conformance"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// failing names, in the environment, which adapter a test binary that was
// started by a test puts to conformance.Test.
const failing = "NORMCERT_TEST_FAILING"

var failingAdapters = map[string]func() (adapters.Adapter, []string){
	"deviating": func() (adapters.Adapter, []string) {
		variations, err := reference.Named("articles-first")
		if err != nil {
			panic(err)
		}
		return reference.New(variations...), []string{"squad@hf-evaluate@a7dd338", "nfd_exact_match@article@1"}
	},
	"incomplete": func() (adapters.Adapter, []string) {
		return exactMatch(func(items []metric.Item) (metric.Scores, error) {
			if len(items) == 0 {
				return nil, &adapters.Unsupported{Why: "no empty batches"}
			}
			return equality(items)
		}, "batch"), nil
	},
	"nothing compared": func() (adapters.Adapter, []string) {
		return adapters.Functions{
			Name: "v2-without-keys", Metrics: map[string]adapters.Support{"squad_v2": {Answers: []string{"NoAns_exact"}}},
		}, nil
	},
	"unknown claim": func() (adapters.Adapter, []string) {
		return exactMatch(equality), []string{"exact_match@hf-evaluate@0000000"}
	},
	"conformant": func() (adapters.Adapter, []string) { return exactMatch(equality), nil },
}

func exactMatch(score func([]metric.Item) (metric.Scores, error), handles ...string) adapters.Adapter {
	return adapters.Functions{
		Name:    "equality",
		Metrics: map[string]adapters.Support{"exact_match": {Answers: []string{"exact_match"}, Handles: handles}},
		Score:   func(_ metric.Setup, _ string, items []metric.Item) (metric.Scores, error) { return score(items) },
	}
}

// equality is exact_match without options; numpy drops NULs at the end of a string.
func equality(items []metric.Item) (metric.Scores, error) {
	hits := 0.0
	for _, item := range items {
		if strings.TrimRight(*item.Prediction, "\x00") == strings.TrimRight(item.References[0], "\x00") {
			hits++
		}
	}
	return metric.Scores{"exact_match": hits / float64(len(items))}, nil
}

// TestFailing runs only in a test binary that TestTestFails has started.
func TestFailing(t *testing.T) {
	name := os.Getenv(failing)
	if name == "" {
		t.Skip("run by TestTestFails")
	}
	adapter, claims := failingAdapters[name]()
	conformance.Test(t, adapter, claims...)
}

// result is a line that go test -v prints of a test or subtest.
var result = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`)

// run puts an adapter to conformance.Test in a process of its own.
func run(t *testing.T, name string) (output string, failed []string, ok bool) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(executable, "-test.run=^TestFailing$", "-test.v")
	command.Env = append(os.Environ(), failing+"="+name)
	out, err := command.CombinedOutput()
	for _, match := range result.FindAllStringSubmatch(string(out), -1) {
		if match[1] == "FAIL" {
			failed = append(failed, match[2])
		}
	}
	return string(out), failed, err == nil
}

// TestTestFails: a deviating and an incomplete adapter make a Go author's test
// fail, with a subtest for each deviation.
func TestTestFails(t *testing.T) {
	t.Run("deviating", func(t *testing.T) {
		output, failed, ok := run(t, "deviating")
		if ok {
			t.Fatalf("go test passes:\n%s", output)
		}
		// What fails is what the runner says deviates, each by itself.
		adapter, claims := failingAdapters["deviating"]()
		corpus, set := load(t)
		report, err := runner.Certify(t.Context(), adapter, runner.Config{Corpus: corpus, Goldens: set, Claims: claims})
		if err != nil {
			t.Fatal(err)
		}
		deviations := 0
		for _, claim := range report.Claims {
			here := 0
			for _, one := range claim.Deviations() {
				for _, thing := range one.Things {
					if !claim.Deviates(thing) {
						continue
					}
					here++
					want := fmt.Sprintf("TestFailing/%s/%s/%s/%s", claim.Name(), one.Case.ID, one.Setup, thing.Name)
					if !slices.Contains(failed, want) {
						t.Errorf("no subtest %s failed", want)
					}
				}
			}
			if here == 0 || !slices.Contains(failed, "TestFailing/"+claim.Name()) {
				t.Errorf("%s: %d deviations, and its subtest", claim.Name(), here)
			}
			deviations += here
		}
		// The test, its claims, and the deviations: nothing more.
		if want := 1 + len(report.Claims) + deviations; len(failed) != want {
			t.Errorf("%d tests failed, want %d", len(failed), want)
		}
		for _, part := range []string{
			"article-glue/", "different", "upstream ", "adapter ", "why: ", "not conformant: ", report.Signature,
		} {
			if !strings.Contains(output, part) {
				t.Errorf("the output lacks %q", part)
			}
		}
	})
	tests := []struct {
		name   string
		failed int // tests that fail, the outer ones among them
		says   []string
	}{
		// The test, the claim, and the one check that is unsupported.
		{"incomplete", 3, []string{"incomplete: exact_match; with batch", "batch-shape/", "unsupported: no empty batches"}},
		{"unknown claim", 1, []string{`unknown pin "hf-evaluate@0000000"`, "known pins: "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			output, failed, ok := run(t, test.name)
			if ok || len(failed) != test.failed {
				t.Errorf("go test passes: %v; %d tests failed, want %d:\n%s", ok, len(failed), test.failed, output)
			}
			for _, part := range test.says {
				if !strings.Contains(output, part) {
					t.Errorf("the output lacks %q:\n%s", part, output)
				}
			}
		})
	}
	t.Run("nothing compared", func(t *testing.T) {
		if output, _, ok := run(t, "nothing compared"); ok {
			t.Errorf("go test passes:\n%s", output)
		}
	})
	t.Run("conformant", func(t *testing.T) {
		output, failed, ok := run(t, "conformant")
		if !ok || len(failed) != 0 {
			t.Errorf("go test fails:\n%s", output)
		}
		if !strings.Contains(output, "conformant: exact_match; not claimed: batch, ignore_case") {
			t.Errorf("the output does not say what was certified:\n%s", output)
		}
	})
}
