package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/runner"
)

// cause is a variation with what it explains over all claims.
type cause struct {
	variation  reference.Variation
	explains   int
	deviations []deviation
}

// causes gathers the causes of all claims, the one that explains most first,
// and the deviations that none explains.
func (w *textWriter) causes() (list []cause, unexplained []deviation) {
	at := map[string]int{}
	for _, claim := range w.report.Claims {
		if claim.Why == nil {
			continue
		}
		for _, c := range claim.Why.Causes {
			i, there := at[c.Variation.Name]
			if !there {
				i = len(list)
				at[c.Variation.Name] = i
				list = append(list, cause{variation: c.Variation})
			}
			list[i].explains += c.Explains
		}
	}
	for _, d := range w.all(func(c *runner.ClaimReport, t runner.Thing) bool { return t.Outcome.Deviates(true) || missing(t) }) {
		name := d.claim.Why.CauseOf(d.result, d.thing)
		if i, there := at[name]; there {
			list[i].deviations = append(list[i].deviations, d)
		} else {
			unexplained = append(unexplained, d)
		}
	}
	slices.SortStableFunc(list, func(a, b cause) int { return b.explains - a.explains })
	return list, unexplained
}

// why writes what explains the deviations: each variation with how many it
// explains and one example, and the rest counted; with details, every
// deviation under its cause.
func (w *textWriter) why() {
	w.scaleHints()
	list, unexplained := w.causes()
	if len(list) == 0 {
		w.deviations()
		return
	}
	deviating, left := 0, 0
	for _, claim := range w.report.Claims {
		if claim.Why != nil {
			deviating += claim.Why.Deviating
			left += claim.Why.Unexplained
		}
	}
	w.line("why: %s %s %d of %s", plural(len(list), "variation"), agree(len(list), "reproduces", "together reproduce"), deviating-left,
		plural(deviating, "answer")+agree(deviating, " that differs", " that differ"))
	for _, c := range list {
		w.line("  %s explains %d: %s", c.variation.Name, c.explains, c.variation.About)
		shown := c.deviations
		if !w.details {
			shown = examples(shown, 1)
		}
		for _, d := range shown {
			w.deviationOnOneLine(d)
		}
	}
	w.unexplained(unexplained)
	if n := w.contradicted(); n > 0 {
		w.line("  contradicted: %s as upstream's where these variations would differ", plural(n, "answer")+agree(n, " is", " are"))
	}
	w.line("")
}

// unexplained writes the deviations and faults without a cause.
func (w *textWriter) unexplained(list []deviation) {
	if len(list) == 0 {
		return
	}
	w.line("  unexplained: %s", plural(len(list), "answer"))
	if !w.details {
		list = examples(list, 2)
	}
	for _, d := range list {
		w.deviationOnOneLine(d)
	}
}

func (w *textWriter) contradicted() int {
	count := 0
	for _, claim := range w.report.Claims {
		if claim.Why != nil {
			count += claim.Why.Contradicted
		}
	}
	return count
}

// deviationOnOneLine names the case, and upstream's answer beside the adapter's.
func (w *textWriter) deviationOnOneLine(d deviation) {
	where, what := w.placeOf(d)
	text := fmt.Sprintf("      %s, %s", where, what)
	if d.thing.Outcome.Incomplete() {
		w.line("%s: %s", text, strings.TrimSpace(string(d.thing.Outcome)+" "+w.oneLine(d.thing.Detail)))
		return
	}
	w.line("%s: upstream %s, adapter %s", text, w.value(d.thing.Want), w.value(d.thing.Got))
}

func agree(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// scaleHints names the commonest mistake of all: a scale that is not the one
// the hello names.
func (w *textWriter) scaleHints() {
	for _, claim := range w.report.Claims {
		if factor := claim.ScaleFactor(); factor != 0 {
			w.line("scale: the scores of %s are %v times upstream's: name the adapter's own top score as scale in its hello", claim.Name(), factor)
		}
	}
}
