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
	// Seen is where a scorer does so: a file of a public repository, or a
	// report; empty where it was derived from how an implementation goes wrong.
	Seen string
	// Floor says that it does nothing for its score: identity, never-match and
	// always-match stand beside every percentage, so that none flatters.
	Floor bool
	// Metrics are those it changes. In exact_match it changes only what the
	// setup's options ask for.
	Metrics []string
	// NotAt are pins at which there is nothing to change.
	NotAt []string
	// Hazards are those that have to do with it: their cases must catch it.
	Hazards []string
	// Views are where it must show.
	Views  []View
	change func(p *Pipeline)
}

// View is a part of what an adapter answers: an adapter may be certified for
// it alone, so a variation has to be caught in it alone.
type View string

// The views.
const (
	// Normalized is the normalized form of a text.
	Normalized View = "normalize"
	// Exact is the exact-match score of a single item.
	Exact View = "exact_match"
	// TokenF1 is the F1 score of a single item.
	TokenF1 View = "f1"
	// Batches is any score of a batch that is not one item.
	Batches View = "batch"
)

// Views are all views, in the order of reports.
func Views() []View { return []View{Normalized, Exact, TokenF1, Batches} }

// Apply changes the pipeline, unless its metric is none of Metrics.
func (v Variation) Apply(p *Pipeline) {
	if slices.Contains(v.Metrics, p.Metric.Name) {
		v.change(p)
	}
}

// AppliesTo reports whether the variation can change a metric at a pin.
func (v Variation) AppliesTo(name, pin string) bool {
	return slices.Contains(v.Metrics, name) && !slices.Contains(v.NotAt, pin)
}

// Shows returns the views of a metric in which the variation must show.
func (v Variation) Shows(m metric.Metric) []View {
	return slices.DeleteFunc(slices.Clone(v.Views), func(view View) bool {
		switch view {
		case Normalized:
			return !m.Normalizes
		case TokenF1:
			return !slices.ContainsFunc(m.Keys, func(k metric.Key) bool { return k.Kind == metric.F1 })
		}
		return false
	})
}

// The metrics by what they have in common.
var (
	answering  = []string{"squad", "squad_v2"}
	normalizes = []string{"squad", "squad_v2", "nfd_exact_match"}
	arrays     = []string{"exact_match"}
	everyone   = metric.Names()
)

var catalogue = sortedCatalogue(floorVariations, caseVariations, articleVariations, punctuationVariations, formVariations, itemVariations, scoreVariations, arrayVariations, sizeVariations)

func sortedCatalogue(parts ...[]Variation) []Variation {
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b Variation) int { return strings.Compare(a.Name, b.Name) })
	return all
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

var floorVariations = []Variation{
	{
		Name:    "always-match",
		About:   "Every prediction matches, and every text normalizes to nothing.",
		Floor:   true,
		Metrics: everyone,
		change: func(p *Pipeline) {
			p.Steps = []Step{{"erase", func(string) string { return "" }}}
			p.Match = func(string, string) bool { return true }
			p.setF1(func([]string, []string) float64 { return 1 })
			p.Arrays.Guard = false
		},
	},
	{
		Name:    "identity",
		About:   "No text is changed before it is compared.",
		Floor:   true,
		Metrics: everyone,
		change: func(p *Pipeline) {
			p.Steps = nil
			p.Arrays.Steps = nil
		},
	},
	{
		Name:    "never-match",
		About:   "No prediction matches.",
		Floor:   true,
		Metrics: everyone,
		change: func(p *Pipeline) {
			p.Steps = nil
			p.Match = func(string, string) bool { return false }
			p.setF1(func([]string, []string) float64 { return 0 })
		},
	},
}

// setF1 replaces the F1 of a metric that has one.
func (p *Pipeline) setF1(f1 func(prediction, reference []string) float64) {
	if p.F1 != nil {
		p.F1 = f1
	}
}

// replace puts another change in the place of a step, on texts and on arrays.
func (p *Pipeline) replace(name string, change func(text string) string) {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if p.Steps[i].Name == name {
			p.Steps[i].Apply = change
		}
	}
	p.Arrays.Steps = slices.Clone(p.Arrays.Steps)
	for i, step := range p.Arrays.Steps {
		if step.Name == name && step.option != "" {
			p.Arrays.Steps[i] = charStep(name, step.option, change)
		}
	}
}

// extend has a step do more to what it leaves, where it is there.
func (p *Pipeline) extend(name string, more func(text string) string) {
	at := p.step(name)
	if at < 0 {
		return
	}
	own := p.Steps[at].Apply
	p.replace(name, func(text string) string { return more(own(text)) })
}

// remove drops a step.
func (p *Pipeline) remove(name string) {
	p.Steps = slices.DeleteFunc(slices.Clone(p.Steps), func(s Step) bool { return s.Name == name })
	p.Arrays.Steps = slices.DeleteFunc(slices.Clone(p.Arrays.Steps), func(s ArrayStep) bool { return s.Name == name })
}

// insert puts a step before all others.
func (p *Pipeline) insert(name string, change func(text string) string) {
	p.Steps = slices.Insert(slices.Clone(p.Steps), 0, Step{name, change})
}

// moveBefore moves a step to the place before another, where both are there.
func (p *Pipeline) moveBefore(name, before string) {
	from, to := p.step(name), p.step(before)
	if from < 0 || to < 0 || from < to {
		return
	}
	moved := p.Steps[from]
	p.Steps = slices.Insert(slices.Delete(slices.Clone(p.Steps), from, from+1), to, moved)
}
