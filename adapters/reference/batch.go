package reference

import (
	"hash/maphash"
	"iter"

	"github.com/normcert/normcert/metric"
)

// Batch is the items that are scored together. Scoring reads it more than
// once, so that the texts need not be in memory, and it must give the same
// items each time. An error ends the scoring.
type Batch iter.Seq2[metric.Item, error]

// BatchOf returns items as a batch.
func BatchOf(items []metric.Item) Batch {
	return func(yield func(metric.Item, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// first returns the batch without what comes after its first items.
func (b Batch) first(most int) Batch {
	return func(yield func(metric.Item, error) bool) {
		left := most
		for item, err := range b {
			if left == 0 || !yield(item, err) {
				return
			}
			left--
		}
	}
}

// Row is what one item of a batch scored by itself, on the pipeline's scale.
type Row struct {
	// Index is the item's place in the batch, from 0.
	Index int
	ID    string
	// Exact is 0 or the top of the scale.
	Exact float64
	// F1 is set for metrics that have it.
	F1 *float64
	// Superseded says that a later item of the same id takes its place in the
	// scores (squad_v2).
	Superseded bool
}

// answer is a prediction with what came with it.
type answer struct {
	prediction    *string
	noAnswer      float64
	firstAnswered int // the index of the first item that has a prediction
	last          int // the index of the last item
}

// repeated returns, for the ids that occur more than once, the last answer:
// upstream keys predictions by id, so that the last one stands for all. Only
// hashes of the other ids are kept. n is the number of items.
func repeated(batch Batch) (answers map[string]*answer, n int, err error) {
	seed := maphash.MakeSeed()
	// Two ids with one hash are taken for repeated, which costs memory and changes nothing.
	seen, twice := map[uint64]struct{}{}, map[uint64]struct{}{}
	for item, err := range batch {
		if err != nil {
			return nil, 0, err
		}
		n++
		hash := maphash.String(seed, item.ID)
		if _, again := seen[hash]; again {
			twice[hash] = struct{}{}
		}
		seen[hash] = struct{}{}
	}
	if len(twice) == 0 {
		return nil, n, nil
	}
	answers = map[string]*answer{}
	index := -1
	for item, err := range batch {
		index++
		if err != nil {
			return nil, 0, err
		}
		if _, again := twice[maphash.String(seed, item.ID)]; !again {
			continue
		}
		a := answers[item.ID]
		if a == nil {
			a = &answer{}
			answers[item.ID] = a
		}
		a.last = index
		if item.Prediction == nil {
			continue
		}
		if a.prediction == nil {
			a.firstAnswered = index
		}
		a.prediction, a.noAnswer = item.Prediction, item.NoAnswerProbability
	}
	return answers, n, nil
}
