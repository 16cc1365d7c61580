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

type tally struct{ accepts, rejects, decided int }

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
			if result.Decision == "" || result.Decision == runner.Undecided {
				continue
			}
			hazard := result.Case.Hazard()
			t := byHazard[hazard]
			if t == nil {
				t = &trap{hazard: hazard, claims: make([]tally, len(r.Claims))}
				byHazard[hazard] = t
			}
			t.claims[i].decided++
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

// traps writes a line for each hazard the adapter falls into, as many as fit
// before foot further lines; with details, every wrong decision.
func (w *textWriter) traps(foot int) {
	list := trapsOf(w.report)
	if len(list) == 0 {
		return
	}
	w.line("traps it falls into: wrong accepts + wrong rejects of decisions, by hazard")
	width := 0
	for _, t := range list {
		width = max(width, len(t.hazard))
	}
	// The blank line after the list, and the line that says how many are left.
	room := w.budget(foot) - 2
	for i, t := range list {
		if !w.details && i >= room && len(list) > room+1 {
			w.line("  and %s; all with --details", plural(len(list)-i, "more hazard"))
			break
		}
		w.line("  %-*s  %s", width, t.hazard, w.trap(t))
		if w.details {
			for _, wrong := range t.wrong {
				w.wrong(wrong)
			}
		}
	}
	w.line("")
}

func (w *textWriter) trap(t trap) string {
	text := w.tallies(t)
	if w.details {
		return text
	}
	example := t.first.Case.ID + " as a batch"
	if len(t.first.Case.Items) == 1 {
		example = decided(t.first.Decision) + " " + w.pair(t.first)
	}
	return text + "  " + example
}

// tallies merges the pins of a metric where they agree.
func (w *textWriter) tallies(t trap) string {
	if len(w.report.Claims) == 1 {
		return fmt.Sprintf("%d + %d of %d", t.claims[0].accepts, t.claims[0].rejects, t.claims[0].decided)
	}
	type group struct {
		metric string
		pins   []string
		tally  tally
	}
	var groups []group
	for i, claim := range w.report.Claims {
		if t.claims[i].decided == 0 {
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.metric == claim.Metric.Name && g.tally == t.claims[i] })
		if at < 0 {
			groups = append(groups, group{metric: claim.Metric.Name, tally: t.claims[i]})
			at = len(groups) - 1
		}
		groups[at].pins = append(groups[at].pins, claim.Pin.Short)
	}
	parts := make([]string, 0, len(groups))
	for _, g := range groups {
		name := g.metric
		if slices.ContainsFunc(groups, func(o group) bool { return o.metric == g.metric && o.tally != g.tally }) {
			name += "@" + strings.Join(g.pins, ",")
		}
		parts = append(parts, fmt.Sprintf("%s %d + %d of %d", name, g.tally.accepts, g.tally.rejects, g.tally.decided))
	}
	return strings.Join(parts, "; ")
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
