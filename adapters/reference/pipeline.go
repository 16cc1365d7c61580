// Package reference is the Go reference: the metrics at their pins, exact to
// the last bit, each built as a pipeline of named steps of which a Variation
// changes one.
//
// Whoever wants the scores and not the tests calls For, then Pipeline.Score or
// Pipeline.ScoreBatch; Scorer scores single pairs of squad and squad_v2 fast.
package reference

import (
	"errors"
	"fmt"
	"slices"

	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// Pipeline is a metric at a pin, as data: what a variation can change.
type Pipeline struct {
	Metric metric.Metric
	Pin    string
	// Scale is the top of its exact-match and F1 scores, 1 or 100.
	Scale float64
	// Steps are the normalizer of squad, squad_v2 and nfd_exact_match.
	Steps []Step
	// Match decides whether a prediction matches a reference, both normalized.
	Match func(prediction, reference string) bool
	// Tokens are what F1 compares (squad, squad_v2).
	Tokens func(normalized string) []string
	// F1 scores two lists of tokens, 0 to 1 (squad, squad_v2).
	F1 func(prediction, reference []string) float64
	// Items says which items and references count, and for how much.
	Items ItemRules
	// Arrays is exact_match's own: the steps on whole arrays.
	Arrays ArrayPipeline
	// Means is how the scores of items become those of a batch.
	Means Means

	// normalize stands in for Steps (see WithNormalizer).
	normalize func(text string) (string, error)
	// fast does what Steps, Match, Tokens, F1 and Items say of one item, in one
	// go; nil once any of them was varied.
	fast  func(s *Scorer, prediction string, references []string) (exact bool, f1 float64)
	score func(p *Pipeline, options metric.Options, batch Batch, each func(Row)) (metric.Scores, error)
}

// ErrNotCovered says that the reference has no such metric at such a pin.
var ErrNotCovered = errors.New("the reference does not have it")

// For returns the pipeline of a metric at a pin, with the variations applied
// in order. A variation that has nothing to do with the metric changes nothing.
func For(name, pin string, variations ...Variation) (*Pipeline, error) {
	for _, entry := range pins {
		if entry.pin != pin || entry.metric != name {
			continue
		}
		m, err := metric.Lookup(name)
		if err != nil {
			return nil, err
		}
		p := entry.build()
		p.Metric, p.Pin = m, pin
		for _, variation := range variations {
			p.fast = nil
			variation.Apply(p)
		}
		return p, nil
	}
	return nil, fmt.Errorf("metric %s at pin %s: %w", name, pin, ErrNotCovered)
}

// pins says what each metric is at each pin. Where two pins share an entry's
// build function, upstream behaves the same at both.
var pins = []struct {
	metric, pin string
	build       func() *Pipeline
}{
	{"exact_match", "hf-evaluate@10ee266", exactMatchGuarded},
	{"exact_match", "hf-evaluate@86baf12", exactMatchOf100},
	{"exact_match", "hf-evaluate@a7dd338", exactMatch},
	{"nfd_exact_match", "article@1", nfdExactMatch},
	{"squad", "hf-evaluate@86baf12", squad},
	{"squad", "hf-evaluate@a7dd338", squad},
	{"squad_v2", "hf-evaluate@86baf12", squadV2},
	{"squad_v2", "hf-evaluate@a7dd338", squadV2},
}

// Pins returns the pins at which the reference has a metric, sorted.
func Pins(name string) []string {
	var list []string
	for _, entry := range pins {
		if entry.metric == name {
			list = append(list, entry.pin)
		}
	}
	return list
}

// WithNormalizer returns the pipeline with another normalizer in place of its
// steps, to see what scores a normalizer leads to. An error of it ends the scoring.
func (p *Pipeline) WithNormalizer(normalize func(text string) (string, error)) *Pipeline {
	changed := *p
	changed.normalize, changed.fast = normalize, nil
	return &changed
}

// StepByStep returns the pipeline without its shortcut through Scorer, so that
// what is compared with it is the steps themselves.
func (p *Pipeline) StepByStep() *Pipeline {
	changed := *p
	changed.fast = nil
	return &changed
}

// Normalize returns the normalized form of text. exact_match has no such
// function: its steps work on whole arrays.
func (p *Pipeline) Normalize(text string) (string, error) {
	switch {
	case !p.Metric.Normalizes:
		return "", fmt.Errorf("%s has no function from text to text", p.Metric.Name)
	case p.normalize != nil:
		return p.normalize(text)
	}
	return apply(p.Steps, text), nil
}

// Score scores items as one batch, on the pipeline's scale. Where upstream
// raises, the error is a *metric.Refusal with its kind; a pattern that is not
// reproduced exactly is *adapters.Unsupported.
func (p *Pipeline) Score(options metric.Options, items []metric.Item) (metric.Scores, error) {
	for i, item := range items {
		if err := item.Validate(p.Metric); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	return p.ScoreBatch(options, BatchOf(items), nil)
}

// ScoreBatch is Score for a batch that need not be in memory: of its texts only
// those of repeated ids are kept. Its items must be valid for the metric
// (metric.Item.Validate). each, where it is not nil, is told what every item
// scored by itself, in order; what it was told holds only if no error follows.
func (p *Pipeline) ScoreBatch(options metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	if p.Items.MostItems > 0 {
		batch = batch.first(p.Items.MostItems)
	}
	return p.score(p, options, batch, each)
}

// step returns the index of a step, or -1.
func (p *Pipeline) step(name string) int {
	return slices.IndexFunc(p.Steps, func(s Step) bool { return s.Name == name })
}

func equal(prediction, reference string) bool { return prediction == reference }

// questionAnswering is what squad and squad_v2 share: normalize_answer and
// token F1 on the scale of 100.
func questionAnswering() *Pipeline {
	return &Pipeline{
		Scale:  100,
		Steps:  []Step{lower, removePunctuation, articlesToSpace, collapseSpace},
		Match:  equal,
		Tokens: pystr.Fields,
	}
}
