package reference_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// row is a line of testdata/upstream-truth: what the real upstream source
// returned at each pin (see the README.md there).
type row struct {
	Metric  string         `json:"metric"`
	Options map[string]any `json:"options"`
	Items   []struct {
		ID                  *string  `json:"id"`
		Prediction          *string  `json:"prediction"`
		References          []string `json:"references"`
		NoAnswerProbability float64  `json:"no_answer_probability"`
	} `json:"items"`
	Pins map[string]struct {
		Scores metric.Scores `json:"scores"`
		Error  *struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	} `json:"pins"`
	Text       string `json:"text"`
	Normalized string `json:"normalized"`
}

// kindOf is DESIGN's table of kinds: which exception of upstream is which refusal.
func kindOf(t *testing.T, exception string) metric.ErrorKind {
	kinds := map[string]metric.ErrorKind{
		"ValueError": metric.NoReferences, "ZeroDivisionError": metric.EmptyInput, "TypeError": metric.EmptyInput,
		"KeyError": metric.MissingPrediction, "error": metric.InvalidRegex,
	}
	kind, known := kinds[exception]
	if !known {
		t.Fatalf("the truth data holds an exception of no kind: %s", exception)
	}
	return kind
}

func eachRow(t *testing.T, name string, do func(line int, r row)) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "upstream-truth", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(unzipped)
	scanner.Buffer(nil, 1<<24)
	for line := 1; scanner.Scan(); line++ {
		var r row
		if err := json.Unmarshal(scanner.Bytes(), &r); err != nil {
			t.Fatalf("%s:%d: %v", name, line, err)
		}
		do(line, r)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestUpstreamTruth holds the reference to what upstream returned, to the last
// bit. It prints how many rows were compared, and fails on a file without rows.
func TestUpstreamTruth(t *testing.T) {
	for _, name := range []string{"squad.jsonl.gz", "squad_v2.jsonl.gz", "f1.jsonl.gz", "edge.jsonl.gz", "exact_match.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			rows, compared, refusals, unsupported := 0, 0, 0, 0
			eachRow(t, name, func(line int, r row) {
				rows++
				setup, err := metric.NewSetup(r.Metric, r.Options)
				if err != nil {
					t.Fatalf("line %d: %v", line, err)
				}
				for pin, want := range r.Pins {
					pipeline, err := reference.For(r.Metric, "hf-evaluate@"+pin)
					if err != nil {
						t.Fatal(err)
					}
					got, err := pipeline.Score(setup.Options, itemsOf(r))
					var refusal *metric.Refusal
					var no *adapters.Unsupported
					switch {
					case errors.As(err, &no):
						unsupported++
						continue
					case want.Error != nil:
						refusals++
						if !errors.As(err, &refusal) || refusal.Kind != kindOf(t, want.Error.Type) {
							t.Errorf("line %d at %s: got %v, %v; upstream raised %s", line, pin, got, err, want.Error.Type)
						}
					case err != nil:
						t.Errorf("line %d at %s: got error %v; upstream returned %v", line, pin, err, want.Scores)
					default:
						if diff := bits(got, want.Scores); diff != "" {
							t.Errorf("line %d at %s %s: %s", line, pin, setup, diff)
						}
					}
					compared++
				}
			})
			t.Logf("%d rows; %d answers at pins agree with upstream, %d of them refusals; %d unsupported", rows, compared, refusals, unsupported)
			if compared == 0 {
				t.Error("nothing was compared")
			}
			if unsupported > 0 {
				t.Errorf("%d answers are unsupported", unsupported)
			}
		})
	}
}

func itemsOf(r row) []metric.Item {
	items := make([]metric.Item, len(r.Items))
	for i, item := range r.Items {
		items[i] = metric.Item{ID: metric.DefaultID(i), Prediction: item.Prediction, References: item.References, NoAnswerProbability: item.NoAnswerProbability}
		if item.ID != nil {
			items[i].ID = *item.ID
		}
	}
	return items
}

// bits says where two sets of scores are not the same doubles.
func bits(got, want metric.Scores) string {
	keys := slices.Sorted(maps.Keys(want))
	if !slices.Equal(keys, slices.Sorted(maps.Keys(got))) {
		return fmt.Sprintf("keys %v, upstream's %v", slices.Sorted(maps.Keys(got)), keys)
	}
	for _, key := range keys {
		if g, w := got[key], want[key]; math.Float64bits(g) != math.Float64bits(w) && !(math.IsNaN(g) && math.IsNaN(w)) {
			return fmt.Sprintf("%s is %v, upstream's %v", key, g, w)
		}
	}
	return ""
}

func TestUpstreamTruthNormalize(t *testing.T) {
	rows := 0
	eachRow(t, "normalize.jsonl.gz", func(line int, r row) {
		rows++
		for _, name := range []string{"squad", "squad_v2"} {
			for _, pin := range reference.Pins(name) {
				pipeline, err := reference.For(name, pin)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := pipeline.Normalize(r.Text); err != nil || got != r.Normalized {
					t.Errorf("line %d, %s at %s: %+q becomes %+q, %v; upstream's %+q", line, name, pin, r.Text, got, err, r.Normalized)
				}
			}
		}
	})
	t.Logf("%d texts normalize as upstream's", rows)
	if rows == 0 {
		t.Error("nothing was compared")
	}
}
