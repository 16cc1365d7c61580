package runner

import (
	"cmp"
	"context"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// Likeness is how near an adapter is to a metric at a pin.
type Likeness struct {
	Metric, Pin string
	// Answers is how many answers were compared, AsIs how many are what the pin
	// gives, With how many are once the causes are applied. Rounding counts as equal.
	Answers, AsIs, With int
	// Causes are the variations that remain, the one that explains most first.
	Causes []Cause
}

// mostExplained bounds for how many of the nearest pins of other metrics than
// the claimed one causes are searched.
const mostExplained = 2

// Identify asks an adapter everything under each metric that its hello names
// and returns, for each of them, every metric and pin of the reference by how
// near the answers are to it, the nearest first. Pins that give the same
// answers are equally near. An adapter that is an adapters.Closer is closed.
func Identify(ctx context.Context, adapter adapters.Adapter, config Config) (hello adapters.Hello, ranking map[string][]Likeness, err error) {
	asked, err := put(ctx, adapter, config)
	if err != nil {
		return adapters.Hello{}, nil, err
	}
	ranking = map[string][]Likeness{}
	for i, claim := range asked.claims {
		if _, done := ranking[claim.Metric.Name]; done {
			continue
		}
		ranking[claim.Metric.Name] = asked.likenesses(claim, asked.checks[i])
	}
	return asked.hello, ranking, ctx.Err()
}

func (a *asked) likenesses(claim *Claim, checks []*Check) []Likeness {
	type near struct {
		evidence *evidence
		likeness Likeness
	}
	var list []near
	for _, m := range metric.All() {
		for _, pin := range reference.Pins(m.Name) {
			e := a.questions.evidenceOf(claim, checks)
			e.name, e.pin = m.Name, pin
			e.comparable(m)
			// Against another pin than the claim's, what is wanted is that pin's answer.
			e.want()
			if len(e.facts) == 0 {
				continue
			}
			equal := len(e.facts) - e.unlike(nil)
			list = append(list, near{e, Likeness{Metric: m.Name, Pin: pin, Answers: len(e.facts), AsIs: equal, With: equal}})
		}
	}
	byShare := func(x, y near) int {
		share := func(n near) float64 { return float64(n.likeness.With) / float64(n.likeness.Answers) }
		// Of what is equally near, the metric that the adapter calls itself comes first.
		strange := func(n near) int {
			if n.likeness.Metric == claim.Metric.Name {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(share(y), share(x)), len(x.likeness.Causes)-len(y.likeness.Causes), strange(x)-strange(y),
			cmp.Compare(x.likeness.Metric, y.likeness.Metric), cmp.Compare(x.likeness.Pin, y.likeness.Pin))
	}
	slices.SortStableFunc(list, byShare)
	// Answers that are the same have the same causes, so each is searched for
	// once: for the metric that the adapter calls itself, and for the nearest.
	var explained []int
	others := 0
	for i := range list {
		n := &list[i]
		twin := slices.IndexFunc(explained, func(at int) bool {
			return list[at].likeness.Metric == n.likeness.Metric && list[at].evidence.sameAnswers(n.evidence)
		})
		if twin >= 0 {
			n.likeness.Causes, n.likeness.With = list[explained[twin]].likeness.Causes, list[explained[twin]].likeness.With
			continue
		}
		if n.likeness.Metric != claim.Metric.Name {
			if others++; others > mostExplained {
				continue
			}
		}
		explained = append(explained, i)
		if x := n.evidence.explain(); x != nil {
			n.likeness.Causes = x.countFacts(n.evidence)
			n.likeness.With = n.likeness.Answers - n.evidence.unlike(x.variations())
		}
	}
	slices.SortStableFunc(list, byShare)
	likenesses := make([]Likeness, len(list))
	for i, n := range list {
		likenesses[i] = n.likeness
	}
	return likenesses
}

// comparable drops the facts that have no counterpart in another metric.
func (e *evidence) comparable(m metric.Metric) {
	if m.Name == e.claim.Metric.Name {
		return
	}
	hasF1 := slices.ContainsFunc(m.Keys, func(k metric.Key) bool { return k.Kind == metric.F1 })
	e.facts = slices.DeleteFunc(e.facts, func(f fact) bool {
		switch f.key.name {
		case adapters.NormalizeAnswer:
			return !m.Normalizes
		case e.claim.Metric.DecisionKey():
			return false
		case "f1":
			return !hasF1
		}
		return true
	})
}

// want makes what the reference answers at the evidence's own pin what is wanted.
func (e *evidence) want() {
	for i, value := range e.predict(nil) {
		f := &e.facts[i]
		f.want, f.weight = value, 0
		switch distance(f.got, value) {
		case Rounding:
			f.weight = light
		case Different:
			f.weight = heavy
		}
	}
}

// unlike counts the answers that differ from the prediction by more than rounding.
func (e *evidence) unlike(set []reference.Variation) int {
	count := 0
	for i, value := range e.predict(set) {
		if distance(e.facts[i].got, value) == Different {
			count++
		}
	}
	return count
}

func (e *Explanation) variations() []reference.Variation {
	set := make([]reference.Variation, len(e.Causes))
	for i, cause := range e.Causes {
		set[i] = cause.Variation
	}
	slices.SortFunc(set, func(a, b reference.Variation) int { return cmp.Compare(a.Name, b.Name) })
	return set
}

// countFacts is count over answers that are no results.
func (e *Explanation) countFacts(from *evidence) []Cause {
	explains := map[string]int{}
	for _, f := range from.facts {
		explains[e.byFact[f.key]]++
	}
	for i := range e.Causes {
		e.Causes[i].Explains = explains[e.Causes[i].Variation.Name]
	}
	slices.SortStableFunc(e.Causes, func(a, b Cause) int { return b.Explains - a.Explains })
	return e.Causes
}
