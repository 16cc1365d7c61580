// Package report writes a runner.Report: one writer per format.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

// The text report keeps to this many lines for one claim, and to this many
// more for each further one. Details have no such bound.
const (
	linesForOne     = 40
	linesForFurther = 4
	// mostExamples of deviations are shown without details.
	mostExamples = 3
	// mostShown characters of a text are drawn without details.
	mostShown = 32
)

// Text writes the report for people: each claim's verdict, what was the same,
// what is right, then deviations and traps. With details everything is
// listed, else as much as fits on a screen.
func Text(out io.Writer, r *runner.Report, details bool) error {
	w := &textWriter{report: r, details: details}
	w.head()
	for _, claim := range r.Claims {
		w.claim(claim)
	}
	foot := w.foot()
	w.why()
	w.traps(len(foot))
	w.lines = append(w.lines, foot...)
	_, err := io.WriteString(out, strings.Join(w.lines, "\n")+"\n")
	return err
}

type textWriter struct {
	report  *runner.Report
	details bool
	lines   []string
}

func (w *textWriter) line(format string, args ...any) {
	w.lines = append(w.lines, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// budget is how many lines are left when foot lines are still to come.
func (w *textWriter) budget(foot int) int {
	return linesForOne + linesForFurther*(len(w.report.Claims)-1) - len(w.lines) - foot
}

func (w *textWriter) head() {
	r := w.report
	from := ""
	if len(r.Command) > 0 {
		from = " (" + short(plain(strings.Join(r.Command, " ")), 60) + ")"
	}
	selected := fmt.Sprintf("%d cases", r.Cases)
	if r.Cases != r.Corpus {
		selected = fmt.Sprintf("%d of %d cases", r.Cases, r.Corpus)
	}
	w.line("%s%s on %s", plain(r.Adapter.Name+" "+r.Adapter.Version), from, selected)
	if r.Interrupted {
		w.line("interrupted: what was not reached is not judged")
	}
	w.line("")
}

// claim writes the four lines of a claim.
func (w *textWriter) claim(c *runner.ClaimReport) {
	w.line("%s  %s", c.Name(), c.Sentence(w.report.Except))
	w.line("  same?   %s", sameness(c))
	if c.DecidesBy() == "" {
		w.line("  right?  not claimed: it answers neither exact match nor only normalize")
	} else {
		w.line("  right?  %s", rightness(c))
	}
	w.line("  floors  %s", floors(c))
}

// sameness counts what was answered by outcome.
func sameness(c *runner.ClaimReport) string {
	parts := []string{fmt.Sprintf("%d of %s in %s", c.Outcomes[runner.Same], plural(c.Answered(), "answer"), plural(c.ChecksAsked, "check"))}
	for _, outcome := range runner.Outcomes()[1:] {
		if count := c.Outcomes[outcome]; count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, outcome))
		}
	}
	if c.ChecksExcepted > 0 {
		parts = append(parts, fmt.Sprintf("%s excepted", plural(c.ChecksExcepted, "check")))
	}
	if c.ChecksNotClaimed > 0 {
		parts = append(parts, fmt.Sprintf("%s not claimed", plural(c.ChecksNotClaimed, "check")))
	}
	return strings.Join(parts, ", ")
}

func rightness(c *runner.ClaimReport) string {
	if c.Decided == 0 {
		return "no decision"
	}
	text := fmt.Sprintf("%s, %s in %s: ", plural(c.Right.WrongAccepts, "wrong accept"), plural(c.Right.WrongRejects, "wrong reject"), plural(c.Decided, "decision"))
	if c.Better == 0 && c.Worse == 0 {
		return text + "as upstream"
	}
	return text + fmt.Sprintf("%d better and %d worse than upstream, which has %d and %d", c.Better, c.Worse, c.Upstream.WrongAccepts, c.Upstream.WrongRejects)
}

// floors says what doing nothing achieves on the same checks.
func floors(c *runner.ClaimReport) string {
	parts := make([]string, len(c.Floors))
	for i, floor := range c.Floors {
		parts[i] = fmt.Sprintf("%s %d same, %d + %d wrong", floor.Name, floor.Same, floor.WrongAccepts, floor.WrongRejects)
	}
	return strings.Join(parts, "; ")
}

// deviation is a thing that deviates or is missing, with its check.
type deviation struct {
	claim  *runner.ClaimReport
	result *runner.Result
	thing  runner.Thing
}

func (w *textWriter) allDeviations() []deviation {
	return w.all(func(c *runner.ClaimReport, t runner.Thing) bool { return c.Deviates(t) || missing(t) })
}

// missing says that an answer is. What was not reached has nothing to show; it
// is counted with the claim.
func missing(t runner.Thing) bool { return t.Outcome.Incomplete() && t.Outcome != runner.NotReached }

func (w *textWriter) all(wanted func(*runner.ClaimReport, runner.Thing) bool) []deviation {
	var list []deviation
	for _, claim := range w.report.Claims {
		for _, result := range claim.Results {
			for _, thing := range result.Things {
				if wanted(claim, thing) {
					list = append(list, deviation{claim, result, thing})
				}
			}
		}
	}
	return list
}

// examples picks deviations of different hazards and things, the gravest first.
func examples(list []deviation, most int) []deviation {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b deviation) int { return rank(a) - rank(b) })
	var picked []deviation
	seen := map[string]bool{}
	for _, again := range []bool{false, true} {
		for _, d := range sorted {
			key := d.result.Case.Hazard() + string(d.thing.Outcome)
			if len(picked) < most && seen[key] == again && !slices.ContainsFunc(picked, func(p deviation) bool { return p.result == d.result }) {
				seen[key] = true
				picked = append(picked, d)
			}
		}
	}
	return picked
}

func rank(d deviation) int {
	if d.claim.Deviates(d.thing) {
		return 0
	}
	return 1
}

func (w *textWriter) deviations() {
	list := w.allDeviations()
	if len(list) == 0 {
		return
	}
	shown := list
	if !w.details {
		shown = examples(list, mostExamples)
	}
	hazards := map[string]bool{}
	for _, d := range list {
		hazards[d.result.Case.Hazard()] = true
	}
	missing := len(list) - deviating(list)
	title := fmt.Sprintf("deviations: %s in %s", plural(len(list), "answer"), plural(len(hazards), "hazard"))
	if missing > 0 {
		title = fmt.Sprintf("deviations: %s, and %d missing, in %s", plural(len(list)-missing, "answer"), missing, plural(len(hazards), "hazard"))
	}
	if len(shown) < len(list) {
		title += fmt.Sprintf("; %d of them here, all with --details", len(shown))
	}
	w.line("%s", title)
	for _, d := range shown {
		w.deviation(d)
	}
	w.line("")
}

// deviating counts the deviations among a list; the rest are answers that are missing.
func deviating(list []deviation) int {
	count := 0
	for _, d := range list {
		count += 1 - rank(d)
	}
	return count
}

// placeOf says where a deviation is, and of what.
func (w *textWriter) placeOf(d deviation) (where, what string) {
	where = fmt.Sprintf("%s, %s", d.result.Case.ID, d.result.Setup)
	if len(w.report.Claims) > 1 {
		where += " at " + d.claim.Pin.Name()
	}
	what = d.thing.Name
	if d.thing.Text != "" {
		what += " of " + w.draw(d.thing.Text)
	} else if len(d.result.Case.Items) == 1 && d.thing.Name != "normalize" {
		what += " of " + w.pair(d.result)
	}
	if len(d.result.Excepted) > 0 {
		what += " (excepted: " + strings.Join(d.result.Excepted, ", ") + ")"
	}
	return where, what
}

func (w *textWriter) deviation(d deviation) {
	where, what := w.placeOf(d)
	w.line("  %s: %s: %s", where, what, d.thing.Outcome)
	if d.thing.Outcome.Incomplete() {
		w.line("      %s", w.oneLine(d.thing.Detail))
		return
	}
	got := w.value(d.thing.Got)
	if d.thing.Detail != "" {
		got += "  (" + w.oneLine(d.thing.Detail) + ")"
	}
	w.line("      upstream %s", w.value(d.thing.Want))
	w.line("      adapter  %s", got)
}

func (w *textWriter) value(v runner.Value) string {
	if v.Text != nil {
		return w.draw(*v.Text)
	}
	return v.String()
}

// pair draws the prediction and the references of a single item.
func (w *textWriter) pair(r *runner.Result) string {
	item := r.Case.Items[0]
	references := make([]string, len(item.References))
	for i, reference := range item.References {
		references[i] = w.draw(reference)
	}
	prediction := "no prediction"
	if item.Prediction != nil {
		prediction = w.draw(*item.Prediction)
	}
	switch len(references) {
	case 0:
		return prediction + " without a reference"
	case 1:
		return prediction + " for " + references[0]
	}
	return prediction + " for [" + strings.Join(references, ", ") + "]"
}

func (w *textWriter) draw(text string) string {
	if w.details {
		return visible.Quote(text)
	}
	return visible.Quote(short(text, mostShown))
}

func (w *textWriter) oneLine(text string) string {
	if text = plain(text); w.details {
		return text
	}
	return short(text, 110)
}

// plain puts what a program said of itself on one line, and draws what a
// terminal would obey or nobody could see.
func plain(text string) string {
	return visible.Line(strings.Join(strings.Fields(text), " "))
}

func short(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// foot holds what has to be said whatever else fits.
func (w *textWriter) foot() []string {
	var lines []string
	for _, u := range unconfirmedOf(w.report.Claims...) {
		lines = append(lines, "unconfirmed: "+u.sentence(short(u.names(), 60)))
	}
	for _, note := range w.report.Notes {
		lines = append(lines, "note: "+plain(note))
	}
	lines = append(lines, notScored(w.report.Set)...)
	return append(lines, plain(w.report.Signature))
}

// notScored names what is in the corpus and not in the set, or the other way round.
func notScored(set *runner.FrozenSet) []string {
	if set == nil {
		return nil
	}
	line := func(what string, ids []string) []string {
		if len(ids) == 0 {
			return nil
		}
		return []string{fmt.Sprintf("not scored, %s %s: %s", what, set.Name, short(strings.Join(ids, ", "), 80))}
	}
	added := line(plural(set.Outside.Checks, "check")+" outside of set", set.Outside.NotInSet)
	return append(added, line("retired since set", set.Outside.Retired)...)
}

func plural(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}
