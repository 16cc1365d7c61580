package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// trap is a hazard with the wrong decisions that the adapter makes in it.
type trap struct {
	hazard string
	claims []tally // in the order of the report's claims
	first  *runner.Result
	wrong  []wrongDecision
}

type tally struct{ accepts, rejects, decided, upstreamAccepts, upstreamRejects int }

type wrongDecision struct {
	claim  *runner.ClaimReport
	result *runner.Result
}

func (t trap) total() int {
	total := 0
	for _, claim := range t.claims {
		total += claim.accepts + claim.rejects
	}
	return total
}

// trapsOf gathers the wrong decisions by hazard, those with most first.
func trapsOf(r *runner.Report) []trap {
	byHazard := map[string]*trap{}
	for i, claim := range r.Claims {
		for _, result := range claim.Results {
			if !result.Decides() {
				continue
			}
			hazard := result.Case.Hazard()
			t := byHazard[hazard]
			if t == nil {
				t = &trap{hazard: hazard, claims: make([]tally, len(r.Claims))}
				byHazard[hazard] = t
			}
			t.claims[i].decided++
			switch result.Upstream {
			case runner.WrongAccept:
				t.claims[i].upstreamAccepts++
			case runner.WrongReject:
				t.claims[i].upstreamRejects++
			}
			switch result.Decision {
			case runner.WrongAccept:
				t.claims[i].accepts++
			case runner.WrongReject:
				t.claims[i].rejects++
			default:
				continue
			}
			t.wrong = append(t.wrong, wrongDecision{claim, result})
			if t.first == nil || len(result.Case.Items) == 1 && len(t.first.Case.Items) != 1 {
				t.first = result
			}
		}
	}
	var list []trap
	for _, t := range byHazard {
		if t.total() > 0 {
			list = append(list, *t)
		}
	}
	slices.SortFunc(list, func(a, b trap) int {
		return cmp.Or(b.total()-a.total(), cmp.Compare(a.hazard, b.hazard))
	})
	return list
}

// column is a group of claims of one metric that fall into the same traps.
type column struct {
	head   string
	width  int
	claims []int
}

// columns merges the pins of a metric at which every tally is the same.
func (w *textWriter) columns(list []trap) []column {
	var columns []column
	for i, claim := range w.report.Claims {
		at := slices.IndexFunc(columns, func(c column) bool {
			return w.report.Claims[c.claims[0]].Metric.Name == claim.Metric.Name &&
				!slices.ContainsFunc(list, func(t trap) bool { return t.claims[c.claims[0]] != t.claims[i] })
		})
		if at < 0 {
			columns = append(columns, column{})
			at = len(columns) - 1
		}
		columns[at].claims = append(columns[at].claims, i)
	}
	for i := range columns {
		columns[i].head = w.columnHead(columns[i], columns)
	}
	return columns
}

// columnHead is the metric's name, with pins where the metric has several columns.
func (w *textWriter) columnHead(c column, all []column) string {
	name := w.report.Claims[c.claims[0]].Metric.Name
	several := 0
	for _, other := range all {
		if w.report.Claims[other.claims[0]].Metric.Name == name {
			several++
		}
	}
	if several == 1 {
		return name
	}
	pins := make([]string, len(c.claims))
	for i, claim := range c.claims {
		pins[i] = w.report.Claims[claim].Pin.Short
	}
	return name + "@" + strings.Join(pins, ",")
}

// traps writes a line for each hazard the adapter falls into, as many as fit
// before foot further lines; with details, every wrong decision.
func (w *textWriter) traps(foot int) {
	list := trapsOf(w.report)
	if len(list) == 0 {
		return
	}
	title := "traps it falls into: wrong accepts + wrong rejects of decisions, by hazard"
	if w.differsFromUpstream(list) {
		title += " (upstream's, where they differ)"
	}
	w.line("%s", title)
	columns := w.columns(list)
	width := 0
	for _, t := range list {
		width = max(width, len(t.hazard))
		for i, c := range columns {
			columns[i].width = max(c.width, len(t.claims[c.claims[0]].String()))
		}
	}
	if len(columns) > 1 {
		head := fmt.Sprintf("  %-*s", width, "")
		for i, c := range columns {
			columns[i].width = max(c.width, len(c.head))
			head += fmt.Sprintf("  %-*s", columns[i].width, c.head)
		}
		w.line("%s", head)
	}
	// The blank line after the list, and the line that says how many are left.
	room := w.budget(foot) - 2
	for i, t := range list {
		if !w.details && i >= room && len(list) > room+1 {
			w.line("  and %s; all with --details", plural(len(list)-i, "more hazard"))
			break
		}
		row := fmt.Sprintf("  %-*s", width, t.hazard)
		for _, c := range columns {
			row += fmt.Sprintf("  %-*s", c.width, t.claims[c.claims[0]])
		}
		w.line("%s  %s", row, w.example(t))
		if w.details {
			for _, wrong := range t.wrong {
				w.wrong(wrong)
			}
		}
	}
	w.line("")
}

// differsFromUpstream says whether a tally has upstream's beside it.
func (w *textWriter) differsFromUpstream(list []trap) bool {
	return slices.ContainsFunc(list, func(t trap) bool {
		return slices.ContainsFunc(t.claims, func(c tally) bool { return c.accepts != c.upstreamAccepts || c.rejects != c.upstreamRejects })
	})
}

func (t tally) String() string {
	if t.decided == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d + %d of %d", t.accepts, t.rejects, t.decided)
	if t.accepts != t.upstreamAccepts || t.rejects != t.upstreamRejects {
		text += fmt.Sprintf(" (%d + %d)", t.upstreamAccepts, t.upstreamRejects)
	}
	return text
}

func (w *textWriter) example(t trap) string {
	switch {
	case w.details:
		return ""
	case len(t.first.Case.Items) == 1:
		return decided(t.first.Decision) + " " + w.pair(t.first)
	}
	return t.first.Case.ID + " as a batch"
}

func decided(d runner.Decision) string {
	if d == runner.WrongAccept {
		return "accepts"
	}
	return "rejects"
}

func (w *textWriter) wrong(wrong wrongDecision) {
	result := wrong.result
	where := fmt.Sprintf("%s, %s", result.Case.ID, result.Setup)
	if len(w.report.Claims) > 1 {
		where += " at " + wrong.claim.Pin.Name()
	}
	if len(result.Case.Items) == 1 {
		w.line("    %s: %s %s", where, decided(result.Decision), w.pair(result))
	} else {
		w.line("    %s: %s of a batch of %d", where, result.Decision, len(result.Case.Items))
	}
	if result.Upstream == runner.Agrees {
		w.line("      upstream is right here")
	}
	w.line("      %s", result.Case.Why)
}
