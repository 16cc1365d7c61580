package runner

import (
	"math"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters/reference"
)

// Explanation is why an adapter differs: the smallest set of variations found
// that reproduces its answers.
type Explanation struct {
	// Causes are the variations, the one that explains most first.
	Causes []Cause
	// Deviating is how many answers differ from the pin's, Unexplained how many
	// of them the causes together do not reproduce.
	Deviating, Unexplained int
	// Contradicted is how many answers that are the pin's the causes would
	// have changed.
	Contradicted int
	// byFact is the cause of each deviating answer; "" where it has none.
	byFact map[factKey]string
}

// Cause is a variation with how many deviating answers are reproduced with it
// and not without it.
type Cause struct {
	Variation reference.Variation
	Explains  int
}

// CauseOf returns the name of the variation that explains a deviating thing of
// a check, or "".
func (e *Explanation) CauseOf(r *Result, t Thing) string {
	if e == nil {
		return ""
	}
	if t.Text != "" || t.Name == "normalize" {
		return e.byFact[factKey{text: t.Text, name: t.Name}]
	}
	return e.byFact[factKey{check: r.Check, name: t.Name}]
}

// mostCauses bounds the search, beam is how many sets it follows at a time.
const (
	mostCauses = 6
	beam       = 4
)

// candidate is a set of variations, sorted by name, with what it costs.
type candidate struct {
	set       []reference.Variation
	predicted []Value
	cost      float64
}

func (c candidate) names() string {
	names := make([]string, len(c.set))
	for i, v := range c.set {
		names[i] = v.Name
	}
	return strings.Join(names, "+")
}

func (e *evidence) try(set []reference.Variation) candidate {
	predicted := e.predict(set)
	return candidate{set: set, predicted: predicted, cost: e.cost(predicted)}
}

// explain searches for the smallest set of variations that reproduces the
// adapter's answers: from no variation on, it adds the one that leaves least
// unexplained, following the best few sets at a time, for as long as that
// helps; then it drops those that are not needed.
func (e *evidence) explain() *Explanation {
	best := e.try(nil)
	if best.cost == 0 || len(e.facts) == 0 {
		return nil
	}
	list := slices.DeleteFunc(reference.Catalogue(), func(v reference.Variation) bool {
		return !v.AppliesTo(e.name, e.pin)
	})
	front := []candidate{best}
	var singles []candidate
	for depth := 1; depth <= mostCauses && best.cost > 0; depth++ {
		var sets [][]reference.Variation
		for _, from := range front {
			for i, v := range list {
				if depth == 1 || e.helps(singles[i], from) {
					sets = append(sets, with(from.set, v))
				}
			}
		}
		tried := e.tryAll(sets)
		if depth == 1 {
			singles = tried
			list, singles = e.telling(list, singles)
			tried = singles
		}
		front = bestOf(tried, beam)
		if len(front) == 0 || front[0].cost >= best.cost {
			break
		}
		best = front[0]
	}
	return e.explanation(e.pruned(best))
}

// with adds a variation to a set, which stays sorted by name; nil where it is
// in it already, or where a floor would be combined.
func with(set []reference.Variation, v reference.Variation) []reference.Variation {
	if slices.ContainsFunc(set, func(o reference.Variation) bool { return o.Name == v.Name || o.Floor }) || v.Floor && len(set) > 0 {
		return nil
	}
	larger := append(slices.Clone(set), v)
	slices.SortFunc(larger, func(a, b reference.Variation) int { return strings.Compare(a.Name, b.Name) })
	return larger
}

// tryAll tries each set once, in parallel; sets that are nil are left out.
func (e *evidence) tryAll(sets [][]reference.Variation) []candidate {
	results := make([]candidate, len(sets))
	seen := map[string]bool{}
	var jobs []func()
	for i, set := range sets {
		name := candidate{set: set}.names()
		if set == nil || seen[name] {
			continue
		}
		seen[name] = true
		jobs = append(jobs, func() { results[i] = e.try(set) })
	}
	inParallel(jobs)
	return slices.DeleteFunc(results, func(c candidate) bool { return c.set == nil })
}

// telling keeps the variations that change an answer in which the adapter
// differs: no other can be a cause.
func (e *evidence) telling(list []reference.Variation, singles []candidate) ([]reference.Variation, []candidate) {
	var kept []reference.Variation
	var keptSingles []candidate
	for i, single := range singles {
		for f, fact := range e.facts {
			if fact.weight > 0 && distance(single.predicted[f], fact.want) != Same {
				kept = append(kept, list[i])
				keptSingles = append(keptSingles, single)
				break
			}
		}
	}
	return kept, keptSingles
}

// helps reports whether a variation by itself changes an answer that a set
// gets wrong.
func (e *evidence) helps(single, from candidate) bool {
	for i, f := range e.facts {
		if distance(from.predicted[i], f.got) != Same && distance(single.predicted[i], f.want) != Same {
			return true
		}
	}
	return false
}

// bestOf returns the cheapest candidates; of two that cost the same, the one
// with fewer variations, then the first by name.
func bestOf(tried []candidate, most int) []candidate {
	sorted := slices.Clone(tried)
	slices.SortFunc(sorted, func(a, b candidate) int {
		switch {
		case a.cost != b.cost:
			return int(math.Copysign(1, a.cost-b.cost))
		case len(a.set) != len(b.set):
			return len(a.set) - len(b.set)
		}
		return strings.Compare(a.names(), b.names())
	})
	return sorted[:min(most, len(sorted))]
}

// pruned drops each variation without which the set reproduces as much.
func (e *evidence) pruned(c candidate) candidate {
	for again := true; again; {
		again = false
		for i := range c.set {
			smaller := e.try(slices.Delete(slices.Clone(c.set), i, i+1))
			if smaller.cost <= c.cost {
				c, again = smaller, true
				break
			}
		}
	}
	return c
}

// explanation assigns each deviating answer that the set reproduces to a
// variation: one without which it would not be reproduced, or, where several
// lead to it, the first that does by itself.
func (e *evidence) explanation(c candidate) *Explanation {
	x := &Explanation{byFact: map[factKey]string{}}
	without, alone := make([]candidate, len(c.set)), make([]candidate, len(c.set))
	for i, variation := range c.set {
		without[i] = e.try(slices.Delete(slices.Clone(c.set), i, i+1))
		alone[i] = e.try([]reference.Variation{variation})
		x.Causes = append(x.Causes, Cause{Variation: variation})
	}
	needs := func(f int, o candidate) bool { return distance(o.predicted[f], e.facts[f].got) != Same }
	neededBy := make([]int, len(c.set))
	for f, fact := range e.facts {
		for i := range c.set {
			if fact.weight > 0 && needs(f, without[i]) {
				neededBy[i]++
			}
		}
	}
	for f, fact := range e.facts {
		left := distance(c.predicted[f], fact.got)
		switch {
		case fact.weight == 0 && left != Same:
			x.Contradicted++
			continue
		case fact.weight == 0 || left == Different:
			continue
		}
		// Of several that are needed, the one that explains least else is credited.
		needed := -1
		for i := range c.set {
			if needs(f, without[i]) && (needed < 0 || neededBy[i] < neededBy[needed]) {
				needed = i
			}
		}
		if needed < 0 {
			needed = slices.IndexFunc(alone, func(o candidate) bool { return distance(o.predicted[f], fact.want) != Same })
		}
		if needed >= 0 {
			x.byFact[fact.key] = c.set[needed].Name
		}
	}
	return x
}

// count says how many answers of a claim differ, rounding among them, how many
// of them each cause explains, and how many none does.
func (x *Explanation) count(results []*Result) {
	explains := map[string]int{}
	x.Deviating, x.Unexplained = 0, 0
	for _, result := range results {
		for _, thing := range result.Things {
			if !thing.Outcome.Deviates(true) {
				continue
			}
			x.Deviating++
			if cause := x.CauseOf(result, thing); cause != "" {
				explains[cause]++
			} else {
				x.Unexplained++
			}
		}
	}
	for i := range x.Causes {
		x.Causes[i].Explains = explains[x.Causes[i].Variation.Name]
	}
	slices.SortStableFunc(x.Causes, func(a, b Cause) int { return b.Explains - a.Explains })
}

// dropNoise takes back causes that together explain next to nothing: what
// differs for another reason is reproduced by chance now and then.
func (x *Explanation) dropNoise() {
	if 10*(x.Deviating-x.Unexplained) < x.Deviating {
		x.Causes, x.byFact, x.Unexplained, x.Contradicted = nil, nil, x.Deviating, 0
	}
}

// explain says of each claim why its answers differ. Claims of one metric whose
// answers and whose pins' answers are the same share the search.
func (r *Report) explain(a *asked) {
	if r.Interrupted {
		return
	}
	var done []*evidence
	var found []*Explanation
	for i, claim := range a.claims {
		e := a.questions.evidenceOf(claim, a.checks[i])
		if e.deviating() == 0 || !slices.Contains(reference.Pins(claim.Metric.Name), claim.Pin.Name()) && !e.based() {
			continue
		}
		at := slices.IndexFunc(done, func(other *evidence) bool { return other.sameAs(e) })
		if at < 0 {
			done, found = append(done, e), append(found, e.explain())
			at = len(done) - 1
		}
		if x := found[at].keyedBy(e, done[at]); x != nil {
			x.count(r.Claims[i].Results)
			x.dropNoise()
			r.Claims[i].Why = x
		}
	}
}

// sameAs reports whether two claims of a metric have the same facts.
func (e *evidence) sameAs(other *evidence) bool {
	return e.claim.Metric.Name == other.claim.Metric.Name && e.sameAnswers(other)
}

func (e *evidence) sameAnswers(other *evidence) bool {
	if len(e.facts) != len(other.facts) {
		return false
	}
	for i, f := range e.facts {
		o := other.facts[i]
		if f.key.name != o.key.name || f.key.text != o.key.text || distance(f.got, o.got) != Same || distance(f.want, o.want) != Same {
			return false
		}
	}
	return true
}

// keyedBy returns the explanation with the causes by the facts of e, which are
// those of other one by one.
func (x *Explanation) keyedBy(e, other *evidence) *Explanation {
	if x == nil || e == other {
		return x
	}
	own := *x
	own.Causes = slices.Clone(x.Causes)
	own.byFact = map[factKey]string{}
	for i, f := range other.facts {
		if cause, there := x.byFact[f.key]; there {
			own.byFact[e.facts[i].key] = cause
		}
	}
	return &own
}
