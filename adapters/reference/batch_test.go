package reference_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// streamed gives fresh copies of the items at every reading, as a file does.
func streamed(items []metric.Item, readings *int) reference.Batch {
	return func(yield func(metric.Item, error) bool) {
		*readings++
		for _, item := range items {
			fresh := metric.Item{ID: strings.Clone(item.ID), NoAnswerProbability: item.NoAnswerProbability}
			if item.Prediction != nil {
				prediction := strings.Clone(*item.Prediction)
				fresh.Prediction = &prediction
			}
			for _, text := range item.References {
				fresh.References = append(fresh.References, strings.Clone(text))
			}
			if !yield(fresh, nil) {
				return
			}
		}
	}
}

// repeatedIDs is a random batch in which most ids occur more than once.
func repeatedIDs(r *rand.Rand, m metric.Metric) []metric.Item {
	var items []metric.Item
	for range r.IntN(9) {
		item := randomItem(r, m, len(items))
		if r.IntN(3) > 0 {
			item.ID = metric.DefaultID(r.IntN(3))
		}
		items = append(items, item)
	}
	return items
}

// TestStreamedIsInMemory: a batch that is read from elsewhere scores as the
// same items in a slice, with and without a listener, and with the shortcut
// and without it.
func TestStreamedIsInMemory(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	refusals := 0
	for range 6000 {
		m := metric.All()[r.IntN(4)]
		pins := reference.Pins(m.Name)
		pin := pins[r.IntN(len(pins))]
		options := randomOptions(r, m)
		items := repeatedIDs(r, m)
		pipeline, err := reference.For(m.Name, pin)
		if err != nil {
			t.Fatal(err)
		}
		want, errWant := pipeline.StepByStep().Score(options, items)
		readings, rows := 0, 0
		got, errGot := pipeline.ScoreBatch(options, streamed(items, &readings), func(row reference.Row) {
			if row.Index != rows || row.ID != items[row.Index].ID {
				t.Errorf("row %d of id %s is told as row %d of id %s", rows, items[rows].ID, row.Index, row.ID)
			}
			rows++
		})
		var refusal, wanted *metric.Refusal
		var no *adapters.Unsupported
		switch {
		case errors.As(errGot, &no) && errors.As(errWant, &no):
			continue
		case errors.As(errWant, &wanted):
			refusals++
			if !errors.As(errGot, &refusal) || refusal.Kind != wanted.Kind {
				t.Errorf("%s at %s of %v: refused with %v, in memory with %v", m.Name, pin, items, errGot, errWant)
			}
			continue
		case errGot != nil || errWant != nil:
			t.Fatalf("%s at %s: %v, in memory %v", m.Name, pin, errGot, errWant)
		}
		if diff := bits(got, want); diff != "" {
			t.Errorf("%s at %s of %v: %s (which is in memory)", m.Name, pin, items, diff)
		}
		if rows != len(items) {
			t.Errorf("%s at %s: %d rows were told of %d items", m.Name, pin, rows, len(items))
		}
	}
	t.Logf("%d batches were refused on both ways", refusals)
}

// TestRepeatedIDs holds scores and rows to upstream's dictionaries, written
// out: predictions by id, of which the last counts; squad counts every item,
// squad_v2 every id.
func TestRepeatedIDs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	squad, err := metric.Lookup("squad")
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		items := repeatedIDs(r, squad)
		if len(items) == 0 {
			continue
		}
		last := map[string]*string{} // the last prediction
		at := map[string]int{}       // the last item
		for i := range items {
			items[i].NoAnswerProbability = 0
			if items[i].Prediction == nil || len(items[i].References) == 0 {
				items[i] = metric.Item{ID: items[i].ID, Prediction: metric.Answered("a b").Prediction, References: []string{"b c", "d"}}
			}
			last[items[i].ID], at[items[i].ID] = items[i].Prediction, i
		}
		for _, name := range []string{"squad", "squad_v2"} {
			pipeline, err := reference.For(name, "hf-evaluate@86baf12")
			if err != nil {
				t.Fatal(err)
			}
			var rows []reference.Row
			readings := 0
			scores, err := pipeline.ScoreBatch(nil, streamed(items, &readings), func(row reference.Row) { rows = append(rows, row) })
			if err != nil {
				t.Fatal(err)
			}
			count, hits := 0, 0
			for i, item := range items {
				alone := metric.Item{ID: "0", Prediction: last[item.ID], References: item.References}
				want, err := pipeline.Score(nil, []metric.Item{alone})
				if err != nil {
					t.Fatal(err)
				}
				exact := want[pipeline.Metric.DecisionKey()]
				superseded := name == "squad_v2" && at[item.ID] != i
				if rows[i].Exact != exact || *rows[i].F1 != want["f1"] || rows[i].Superseded != superseded {
					t.Fatalf("%s of %v: row %d is %v, F1 %v, superseded %v; by itself it has %v, superseded %v", name, items, i, rows[i].Exact, *rows[i].F1, rows[i].Superseded, want, superseded)
				}
				if superseded {
					continue
				}
				count++
				if exact == 100 {
					hits++
				}
			}
			if got, want := scores[pipeline.Metric.DecisionKey()], 100*float64(hits)/float64(count); got != want {
				t.Errorf("%s of %v: %v, want %d of %d", name, items, got, hits, count)
			}
			if total, there := scores["total"]; there && total != float64(len(at)) {
				t.Errorf("%s counts %v ids, there are %d", name, total, len(at))
			}
		}
	}
}

// TestBatchThatFails: an error of the batch ends the scoring, at whichever
// reading it comes, and is passed on.
func TestBatchThatFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	options := map[string]metric.Options{"exact_match": {"ignore_case": true}}
	for _, m := range metric.All() {
		pins := reference.Pins(m.Name)
		pipeline, err := reference.For(m.Name, pins[0])
		if err != nil {
			t.Fatal(err)
		}
		items := []metric.Item{metric.Answered("x", "x"), metric.Answered("y", "y")}
		readings := 0
		if _, err := pipeline.ScoreBatch(options[m.Name], streamed(items, &readings), nil); err != nil {
			t.Fatal(err)
		}
		for failing := 1; failing <= readings; failing++ {
			reading := 0
			batch := func(yield func(metric.Item, error) bool) {
				if reading++; yield(items[0], nil) {
					if reading == failing {
						yield(metric.Item{}, broken)
					} else {
						yield(items[1], nil)
					}
				}
			}
			if scores, err := pipeline.ScoreBatch(options[m.Name], batch, nil); !errors.Is(err, broken) || scores != nil {
				t.Errorf("%s, failing at reading %d of %d: %v, %v", m.Name, failing, readings, scores, err)
			}
		}
	}
}

// TestEmptyBatch is as upstream: an exception, or in exact_match no number.
func TestEmptyBatch(t *testing.T) {
	readings := 0
	for _, m := range metric.All() {
		for _, pin := range reference.Pins(m.Name) {
			pipeline, err := reference.For(m.Name, pin)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := pipeline.ScoreBatch(nil, streamed(nil, &readings), nil)
			var refusal *metric.Refusal
			if m.Name == "exact_match" {
				if err != nil || !math.IsNaN(scores["exact_match"]) {
					t.Errorf("%s at %s: %v, %v; want NaN", m.Name, pin, scores, err)
				}
			} else if !errors.As(err, &refusal) || refusal.Kind != metric.EmptyInput {
				t.Errorf("%s at %s: %v, %v; want a refusal", m.Name, pin, scores, err)
			}
		}
	}
}
