package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/metric"
)

// Variation is a named single change to a pipeline: what a scorer that differs
// does otherwise. Variations compose, in the order in which they are applied.
type Variation struct {
	Name string
	// About says what the varied scorer does, in one sentence.
	About string
	// Floor says that it does nothing for its score: identity, never-match and
	// always-match stand beside every percentage, so that none flatters.
	Floor bool
	// Metrics are those it changes.
	Metrics []string
	change  func(p *Pipeline)
}

// Apply changes the pipeline, unless its metric is none of Metrics.
func (v Variation) Apply(p *Pipeline) {
	if slices.Contains(v.Metrics, p.Metric.Name) {
		v.change(p)
	}
}

var catalogue = []Variation{
	{
		Name:    "always-match",
		About:   "Every prediction matches, and every text normalizes to nothing.",
		Floor:   true,
		Metrics: metric.Names(),
		change: func(p *Pipeline) {
			p.Steps = []Step{{"erase", func(string) string { return "" }}}
			p.Match = func(string, string) bool { return true }
			p.setF1(func([]string, []string) float64 { return 1 })
			p.Arrays.Guard = false
		},
	},
	{
		Name:    "articles-first",
		About:   "Articles are removed before punctuation, so that one hidden behind a sign stays.",
		Metrics: []string{"squad", "squad_v2", "nfd_exact_match"},
		change: func(p *Pipeline) {
			from, to := p.step("remove-articles"), p.step("remove-punctuation")
			if from < to || to < 0 {
				return
			}
			moved := p.Steps[from]
			p.Steps = slices.Insert(slices.Delete(slices.Clone(p.Steps), from, from+1), to, moved)
		},
	},
	{
		Name:    "identity",
		About:   "No text is changed before it is compared.",
		Floor:   true,
		Metrics: metric.Names(),
		change: func(p *Pipeline) {
			p.Steps = nil
			p.Arrays.Steps = nil
		},
	},
	{
		Name:    "never-match",
		About:   "No prediction matches.",
		Floor:   true,
		Metrics: metric.Names(),
		change: func(p *Pipeline) {
			p.Steps = nil
			p.Match = func(string, string) bool { return false }
			p.setF1(func([]string, []string) float64 { return 0 })
		},
	},
}

// Catalogue returns every variation, sorted by name.
func Catalogue() []Variation { return slices.Clone(catalogue) }

// Floors returns the variations that do nothing for their score.
func Floors() []Variation {
	return slices.DeleteFunc(Catalogue(), func(v Variation) bool { return !v.Floor })
}

// Named returns the variations of those names, in that order. The error lists
// the catalogue.
func Named(names ...string) ([]Variation, error) {
	var list []Variation
	for _, name := range names {
		at := slices.IndexFunc(catalogue, func(v Variation) bool { return v.Name == name })
		if at < 0 {
			known := make([]string, len(catalogue))
			for i, v := range catalogue {
				known[i] = v.Name
			}
			return nil, fmt.Errorf("unknown variation %q; known: %s", name, strings.Join(known, ", "))
		}
		list = append(list, catalogue[at])
	}
	return list, nil
}

// setF1 replaces the F1 of a metric that has one.
func (p *Pipeline) setF1(f1 func(prediction, reference []string) float64) {
	if p.F1 != nil {
		p.F1 = f1
	}
}
