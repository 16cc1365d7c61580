package reference_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/metric"
)

// corpusTexts are the strings of every case, each once.
func corpusTexts(t *testing.T) []string {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var texts []string
	for one := range corpus.Cases {
		for _, item := range one.Items {
			for text := range item.Texts {
				if !seen[text] {
					seen[text] = true
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

func last(traced []reference.Traced) string { return traced[len(traced)-1].Text }

// TestTraceEndsInTheNormalizedForm, for every text of the corpus.
func TestTraceEndsInTheNormalizedForm(t *testing.T) {
	texts := corpusTexts(t)
	for _, m := range metric.All() {
		if !m.Normalizes {
			continue
		}
		for _, pin := range reference.Pins(m.Name) {
			pipeline, err := reference.For(m.Name, pin)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				traces, err := pipeline.Trace(nil, []metric.Item{metric.Answered(text, text, "")})
				if err != nil {
					t.Fatal(err)
				}
				want, err := pipeline.Normalize(text)
				if err != nil {
					t.Fatal(err)
				}
				trace := traces[0]
				if trace.Prediction[0] != (reference.Traced{Text: text}) || last(trace.Prediction) != want {
					t.Errorf("%s at %s: the trace of %+q is %+q, and its normalized form %+q", m.Name, pin, text, trace.Prediction, want)
				}
				if !slices.Equal(trace.References[0], trace.Prediction) || last(trace.References[1]) != "" {
					t.Errorf("%s at %s: %+q has another trace as a reference", m.Name, pin, text)
				}
				for i, step := range trace.Prediction[1:] {
					if step.Step != pipeline.Steps[i].Name {
						t.Errorf("%s at %s: step %d is %q, in the pipeline %q", m.Name, pin, i, step.Step, pipeline.Steps[i].Name)
					}
				}
			}
		}
	}
}

// TestTraceDecides: in exact_match a row matches where both sides end in the
// same text. (10ee266 says no to some pairs of which nothing is left.)
func TestTraceDecides(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	m, err := metric.Lookup("exact_match")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for range 4000 {
		options := randomOptions(r, m)
		pin := reference.Pins(m.Name)[r.IntN(3)]
		pipeline, err := reference.For(m.Name, pin)
		if err != nil {
			t.Fatal(err)
		}
		var items []metric.Item
		for range r.IntN(5) {
			items = append(items, randomItem(r, m, len(items)))
		}
		var rows []reference.Row
		_, scoreErr := pipeline.ScoreBatch(options, reference.BatchOf(items), func(row reference.Row) { rows = append(rows, row) })
		traces, traceErr := pipeline.Trace(options, items)
		if scoreErr != nil {
			var no *adapters.Unsupported
			if len(items) > 0 && traceErr == nil && !errors.As(scoreErr, &no) {
				t.Errorf("%v at %s is refused with %v, and has a trace", options, pin, scoreErr)
			}
			continue
		}
		if traceErr != nil {
			t.Fatalf("%v at %s: %v", options, pin, traceErr)
		}
		for i, trace := range traces {
			left, right := last(trace.Prediction), last(trace.References[0])
			same := left == right
			if same && left == "" && pin == "hf-evaluate@10ee266" {
				continue
			}
			compared++
			if (rows[i].Exact > 0) != same {
				t.Errorf("%v at %s: item %d of %v scores %v, and ends in %+q and %+q", options, pin, i, items, rows[i].Exact, left, right)
			}
		}
	}
	t.Logf("%d pairs compared", compared)
}

// TestTraceOfArrays: the trace names the width that cuts, and follows numpy's cut.
func TestTraceOfArrays(t *testing.T) {
	at := func(pin string, options metric.Options, items ...metric.Item) []reference.ItemTrace {
		t.Helper()
		pipeline, err := reference.For("exact_match", pin)
		if err != nil {
			t.Fatal(err)
		}
		traces, err := pipeline.Trace(options, items)
		if err != nil {
			t.Fatal(err)
		}
		return traces
	}
	lower := metric.Options{"ignore_case": true}
	alone := at("hf-evaluate@a7dd338", lower, metric.Answered("\u0130zmir", "\u0130zmit"))[0]
	if got := last(alone.Prediction); got != "i\u0307zmi" {
		t.Errorf("alone it becomes %+q: five wide, the r is cut", got)
	}
	if step := alone.Prediction[1].Step; !strings.Contains(step, "width 5") {
		t.Errorf("the first step is %q", step)
	}
	batch := at("hf-evaluate@a7dd338", lower, metric.Answered("\u0130zmir", "\u0130zmit"), metric.Answered("twelve signs", "x"))
	if got := last(batch[0].Prediction); got != "i\u0307zmir" {
		t.Errorf("beside a longer one it becomes %+q", got)
	}
	if got := last(batch[0].References[0]); got != "i\u0307zmi" {
		t.Errorf("the other side, which is no wider, becomes %+q", got)
	}
	lists := at("hf-evaluate@86baf12", metric.Options{"regexes_to_ignore": []string{}}, metric.Answered("a\x00", "a"))[0]
	if last(lists.Prediction) != "a\x00" || len(lists.Prediction) != 2 {
		t.Errorf("compared as lists: %+q", lists.Prediction)
	}
}

// TestTraceOfWhatIsMissing: no prediction has no trace, and what cannot be
// scored has an error.
func TestTraceOfWhatIsMissing(t *testing.T) {
	squad, err := reference.For("squad", "hf-evaluate@a7dd338")
	if err != nil {
		t.Fatal(err)
	}
	traces, err := squad.Trace(nil, []metric.Item{{ID: "0", References: []string{"The car"}}, metric.Answered("x")})
	if err != nil || traces[0].Prediction != nil || last(traces[0].References[0]) != "car" || traces[1].References != nil {
		t.Errorf("%+v, %v", traces, err)
	}
	exact, err := reference.For("exact_match", "hf-evaluate@a7dd338")
	if err != nil {
		t.Fatal(err)
	}
	var refusal *metric.Refusal
	if _, err := exact.Trace(metric.Options{"regexes_to_ignore": []string{"("}}, []metric.Item{metric.Answered("x", "x")}); !errors.As(err, &refusal) {
		t.Errorf("a pattern that is none: %v", err)
	}
}
