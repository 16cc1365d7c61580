package runner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

func explain(t *testing.T, setup string, items ...metric.Item) []runner.Explained {
	t.Helper()
	parsed, err := metric.ParseSetup(setup)
	if err != nil {
		t.Fatal(err)
	}
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	list, err := runner.Explain(parsed, items, set)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// steps is a text after every step, with the steps' names.
func steps(traced []reference.Traced) string {
	var parts []string
	for _, step := range traced {
		parts = append(parts, fmt.Sprintf("%s:%+q", step.Step, step.Text))
	}
	return strings.Join(parts, " ")
}

// TestExplainByHand: steps, pins, scores and decisions that are evident.
func TestExplainByHand(t *testing.T) {
	tests := []struct {
		name, setup string
		items       []metric.Item
		pins        []string // of each explanation
		prediction  string   // of the first item
		scores      metric.Scores
		accepts     bool
		conditions  string
	}{
		{
			name: "squad, both pins together", setup: "squad", items: []metric.Item{metric.Answered("The car.", "car")},
			pins:       []string{"hf-evaluate@a7dd338 hf-evaluate@86baf12"},
			prediction: `:"The car." lower:"the car." remove-punctuation:"the car" remove-articles:"  car" collapse-whitespace:"car"`,
			scores:     metric.Scores{"exact_match": 100, "f1": 100}, accepts: true,
		},
		{
			name: "exact_match, where scales differ", setup: "exact_match", items: []metric.Item{metric.Answered("x", "x")},
			pins:       []string{"hf-evaluate@a7dd338 hf-evaluate@10ee266", "hf-evaluate@86baf12"},
			prediction: `:"x" as-array:"x"`,
			scores:     metric.Scores{"exact_match": 1}, accepts: true,
		},
		{
			name: "exact_match, a width that cuts", setup: "exact_match{ignore_case=true}", items: []metric.Item{metric.Answered("\u0130zmir", "\u0130zmit")},
			pins:       []string{"hf-evaluate@a7dd338 hf-evaluate@10ee266", "hf-evaluate@86baf12"},
			prediction: `:"\u0130zmir" as-array, array of width 5:"\u0130zmir" lower:"i\u0307zmi"`,
			scores:     metric.Scores{"exact_match": 1}, accepts: true, conditions: "ignore_case non-ascii",
		},
		{
			name: "exact_match, erased on both sides", setup: "exact_match{ignore_numbers=true}", items: []metric.Item{metric.Answered("1", "2")},
			pins:       []string{"hf-evaluate@a7dd338", "hf-evaluate@10ee266", "hf-evaluate@86baf12"},
			prediction: `:"1" as-array, array of width 1:"1" remove-digits:""`,
			scores:     metric.Scores{"exact_match": 1}, accepts: true, conditions: "ignore_numbers",
		},
		{
			name: "nfd_exact_match", setup: "nfd_exact_match", items: []metric.Item{metric.Answered("Caf\u00e9", "the-cafe")},
			pins:       []string{"article@1"},
			prediction: `:"Caf\u00e9" nfd:"Cafe\u0301" drop-marks:"Cafe" casefold:"cafe" remove-punctuation:"cafe" remove-articles:"cafe" collapse-whitespace:"cafe"`,
			scores:     metric.Scores{"exact_match": 0}, conditions: "non-ascii",
		},
		{
			name: "several references, an empty prediction", setup: "squad", items: []metric.Item{metric.Answered("", "x", "the")},
			pins:       []string{"hf-evaluate@a7dd338 hf-evaluate@86baf12"},
			prediction: `:"" lower:"" remove-punctuation:"" remove-articles:"" collapse-whitespace:""`,
			scores:     metric.Scores{"exact_match": 100, "f1": 0}, accepts: true, conditions: "blank-prediction several-references",
		},
		{
			name: "a batch decides nothing", setup: "squad", items: []metric.Item{metric.Answered("x", "x"), metric.Answered("y", "z")},
			pins:       []string{"hf-evaluate@a7dd338 hf-evaluate@86baf12"},
			prediction: `:"x" lower:"x" remove-punctuation:"x" remove-articles:"x" collapse-whitespace:"x"`,
			scores:     metric.Scores{"exact_match": 50, "f1": 50}, conditions: "batch",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.items {
				test.items[i].ID = metric.DefaultID(i)
			}
			list := explain(t, test.setup, test.items...)
			var pins []string
			for _, e := range list {
				pins = append(pins, strings.Join(e.Pins, " "))
			}
			e := list[0]
			if !slices.Equal(pins, test.pins) {
				t.Errorf("pins %q, want %q", pins, test.pins)
			}
			if got := steps(e.Traces[0].Prediction); got != test.prediction {
				t.Errorf("steps\n%s\nwant\n%s", got, test.prediction)
			}
			if fmt.Sprint(e.Scores) != fmt.Sprint(test.scores) || e.Accepts != test.accepts || e.Refusal != "" {
				t.Errorf("%v, accepts %v, %s; want %v, %v", e.Scores, e.Accepts, e.Refusal, test.scores, test.accepts)
			}
			if got := strings.Join(e.Conditions, " "); got != test.conditions {
				t.Errorf("conditions %q, want %q", got, test.conditions)
			}
			if len(e.Traces) != len(test.items) || len(e.Traces[0].References) != len(test.items[0].References) {
				t.Errorf("%d traces, %d of references", len(e.Traces), len(e.Traces[0].References))
			}
			if len(test.items) > 1 && (len(e.TurnsOn) > 0 || e.Accepts) {
				t.Errorf("a batch of %d would be decided otherwise with %v", len(test.items), e.TurnsOn)
			}
		})
	}
}

// TestExplainRefusals are told as such, and what a metric cannot take is a
// mistake of the caller.
func TestExplainRefusals(t *testing.T) {
	for _, test := range []struct {
		setup   string
		items   []metric.Item
		refusal string
	}{
		{"squad", []metric.Item{metric.Answered("x")}, "no_references: "},
		{"squad", nil, "empty_input: "},
		{`exact_match{regexes_to_ignore=["("]}`, []metric.Item{metric.Answered("x", "x")}, "invalid_regex: "},
	} {
		for _, e := range explain(t, test.setup, test.items...) {
			if !strings.HasPrefix(e.Refusal, test.refusal) || e.Accepts || e.Scores != nil || len(e.TurnsOn) > 0 {
				t.Errorf("%s: %+v", test.setup, e)
			}
		}
	}
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Explain(metric.Setup{Metric: "exact_match"}, []metric.Item{metric.Answered("x", "y", "z")}, set); !usageError(err) || !strings.Contains(err.Error(), "item 0: ") {
		t.Errorf("two references: %v", err)
	}
	if _, err := runner.Explain(metric.Setup{Metric: "meteor"}, nil, set); !usageError(err) {
		t.Errorf("an unknown metric: %v", err)
	}
}

// TestExplainHazards: the traps that a pair falls into are named.
func TestExplainHazards(t *testing.T) {
	for _, test := range []struct{ setup, prediction, reference, hazard, variation string }{
		{"squad", "end.the", "end. the", "article-glue", "articles-first"},
		{"squad", "a", "the", "empty-collapse", "no-articles"},
		{"squad", "\u00c9cole", "\u00e9cole", "case", "ascii-lower"},
		{"squad", "caf\u00e9", "cafe", "accents", "accents-dropped"},
		{"exact_match{ignore_case=true}", "\u0130zmir", "\u0130zmit", "batch-width", "batch-blind"},
		{"exact_match{ignore_numbers=true}", "1", "2", "numbers-erased", "digits-kept"},
		{"nfd_exact_match", "ano", "a\u00f1o", "accents", "accents-kept"},
		{"exact_match", "in Paris", "Paris", "containment", "suffix-match"},
	} {
		e := explain(t, test.setup, metric.Answered(test.prediction, test.reference))[0]
		turns := slices.ContainsFunc(e.TurnsOn, func(v reference.Variation) bool { return v.Name == test.variation })
		if !turns || !slices.Contains(e.Hazards(), test.hazard) {
			t.Errorf("%s of %+q and %+q: %s, hazards %v", test.setup, test.prediction, test.reference, names(e.TurnsOn), e.Hazards())
		}
	}
}

func names(variations []reference.Variation) string {
	var list []string
	for _, v := range variations {
		list = append(list, v.Name)
	}
	return strings.Join(list, " ")
}

// TestExplainCaseIsGolden: of the cases of some hazards, scores and refusals
// are those that upstream recorded, and every variation that is said to turn a
// decision turns it.
func TestExplainCaseIsGolden(t *testing.T) {
	corpus, err := embeddedCorpus()
	if err != nil {
		t.Fatal(err)
	}
	set, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	selected, err := corpus.Select([]string{"article-glue", "batch-shape", "repeated-id", "no-references", "regex-literal"})
	if err != nil {
		t.Fatal(err)
	}
	explained := 0
	for one := range selected.Cases {
		list, err := runner.ExplainCase(one, set)
		if err != nil {
			t.Fatalf("%s: %v", one.ID, err)
		}
		for _, e := range list {
			explained++
			for _, pin := range e.Pins {
				goldens, err := set.Find(pin)
				if err != nil {
					t.Fatal(err)
				}
				record, there := goldens.Record(one.ID, e.Setup.String())
				if !there {
					continue
				}
				if refused, _, _ := strings.Cut(e.Refusal, ":"); refused != string(record.Error) || fmt.Sprint(e.Scores) != fmt.Sprint(record.Scores) {
					t.Errorf("%s, %s at %s: %v %s, the golden has %v %s", one.ID, e.Setup, pin, e.Scores, e.Refusal, record.Scores, record.Error)
				}
			}
			for _, v := range e.TurnsOn {
				p, err := reference.For(e.Setup.Metric, e.Pins[0], v)
				if err != nil {
					t.Fatal(err)
				}
				scores, err := p.Score(e.Setup.Options, one.Batch())
				if accepts := scores[p.Metric.DecisionKey()] == p.Scale; err != nil || accepts == e.Accepts {
					t.Errorf("%s, %s: %s turns nothing: %v, %v", one.ID, e.Setup, v.Name, scores, err)
				}
			}
		}
	}
	t.Logf("%d explanations", explained)
	if explained == 0 {
		t.Error("nothing was explained")
	}
}

// TestDefaultSetups are setups that exist.
func TestDefaultSetups(t *testing.T) {
	for _, setup := range runner.DefaultSetups() {
		if _, err := metric.ParseSetup(setup.String()); err != nil {
			t.Error(err)
		}
		if len(explain(t, setup.String(), metric.Answered("x", "y"))) == 0 {
			t.Errorf("%s explains nothing", setup)
		}
	}
}
