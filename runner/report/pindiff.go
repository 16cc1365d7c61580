package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

// PinDiffText writes what differs between two pins: of each metric first
// whether a change of scale is all there is, then the changes by cause with an
// example each, or all of them with details, then every decision that changed.
func PinDiffText(out io.Writer, d *runner.PinDiff, details bool) error {
	w := &pinDiffWriter{details: details}
	w.line("%s → %s", d.NameA, d.NameB)
	w.head(d)
	for _, m := range d.Metrics {
		w.line("")
		w.line("%s: %s", m.Metric, pinDiffSummary(m))
		w.notes(m)
		w.causes(m, "  ", "      ")
		if len(m.Decisions) > 0 {
			w.line("  decisions that change: %s", decisionCounts(m))
			for _, change := range m.Decisions {
				w.line("      %s", w.decision(change))
			}
		}
	}
	_, err := io.WriteString(out, w.text.String())
	return err
}

// PinDiffMarkdown writes the same as Markdown, for a pull request.
func PinDiffMarkdown(out io.Writer, d *runner.PinDiff, details bool) error {
	w := &pinDiffWriter{details: details, markdown: true}
	w.line("# %s → %s", d.NameA, d.NameB)
	w.line("")
	w.head(d)
	for _, m := range d.Metrics {
		w.line("")
		w.line("## %s", m.Metric)
		w.line("")
		w.line("%s%s", strings.ToUpper(pinDiffSummary(m)[:1]), pinDiffSummary(m)[1:]+".")
		if len(m.Changes) > 0 {
			w.line("")
		}
		w.notes(m)
		w.causes(m, "- ", "  - ")
		if len(m.Decisions) > 0 {
			w.line("")
			w.line("Decisions that change: %s", decisionCounts(m))
			w.line("")
			for _, change := range m.Decisions {
				w.line("- %s", w.decision(change))
			}
		}
	}
	_, err := io.WriteString(out, w.text.String())
	return err
}

type pinDiffWriter struct {
	text              strings.Builder
	details, markdown bool
}

func (w *pinDiffWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.text, format+"\n", args...)
}

// code sets what a machine would read.
func (w *pinDiffWriter) code(text string) string {
	if !w.markdown {
		return text
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

func (w *pinDiffWriter) head(d *runner.PinDiff) {
	bullet := "  "
	if w.markdown {
		bullet = "- "
	}
	for _, side := range []struct {
		about string
		names []string
		pin   string
	}{{"not compared", d.OnlyA, d.NameA}, {"not compared", d.OnlyB, d.NameB}} {
		if len(side.names) > 0 {
			w.line("%s%s: %s, which only %s covers", bullet, side.about, strings.Join(side.names, ", "), side.pin)
		}
	}
	for _, change := range d.Environment {
		w.line("%senvironment: %s %s → %s", bullet, change.Name, orNone(change.A), orNone(change.B))
	}
}

func orNone(version string) string {
	if version == "" {
		return "none"
	}
	return version
}

// pinDiffSummary says whether a change of scale is all there is.
func pinDiffSummary(m *runner.MetricDiff) string {
	compared := fmt.Sprintf("%s of %s", plural(m.Answers, "answer"), plural(m.Checks, "check"))
	scale := fmt.Sprintf("the scale changes from 0–%v to 0–%v", m.ScaleA, m.ScaleB)
	switch {
	case m.Rescaled() && len(m.Changes) == 0:
		return fmt.Sprintf("%s, and that explains everything (%s compared)", scale, compared)
	case m.Rescaled():
		return fmt.Sprintf("%s; apart from that %d of %s differ", scale, len(m.Changes), compared)
	case len(m.Changes) == 0:
		return fmt.Sprintf("no difference (%s compared)", compared)
	}
	return fmt.Sprintf("%d of %s differ; the scale is the same", len(m.Changes), compared)
}

func (w *pinDiffWriter) notes(m *runner.MetricDiff) {
	bullet := "  "
	if w.markdown {
		bullet = "- "
	}
	if m.MissingA > 0 {
		w.line("%snot compared: %s without a golden in the first", bullet, plural(m.MissingA, "check"))
	}
	if m.MissingB > 0 {
		w.line("%snot compared: %s without a golden in the second", bullet, plural(m.MissingB, "check"))
	}
}

// causes writes the counts and one example of each cause, or all changes.
func (w *pinDiffWriter) causes(m *runner.MetricDiff, bullet, inner string) {
	for _, cause := range m.Causes {
		w.line("%s%s explains %d: %s", bullet, w.code(cause.Variation.Name), cause.Explains, cause.Variation.About)
		w.changes(m, cause.Variation.Name, inner, 1)
	}
	if m.NoBase {
		w.line("%sno cause can be named: the reference does not give what the first gives", bullet)
	}
	if m.Unexplained > 0 {
		w.line("%sunexplained: %s", bullet, plural(m.Unexplained, "answer"))
		w.changes(m, "", inner, 3)
	}
	if m.Contradicted > 0 {
		w.line("%scontradicted: %s the same in both where these variations would differ", bullet, plural(m.Contradicted, "answer")+agree(m.Contradicted, " is", " are"))
	}
}

func (w *pinDiffWriter) changes(m *runner.MetricDiff, cause, bullet string, most int) {
	shown := 0
	for _, change := range m.Changes {
		if change.Cause != cause {
			continue
		}
		if shown++; shown > most && !w.details {
			return
		}
		w.line("%s%s", bullet, w.change(change))
	}
}

func (w *pinDiffWriter) change(c runner.AnswerChange) string {
	what := c.Name
	if c.Name == "normalize" {
		what = "normalize " + w.code(visible.Quote(w.short(c.Text)))
		return fmt.Sprintf("%s, %s: %s → %s", w.code(c.Case.ID), what, w.value(c.A), w.value(c.B))
	}
	return fmt.Sprintf("%s, %s, %s: %s → %s%s", w.code(c.Case.ID), w.code(c.Setup.String()), what, w.value(c.A), w.value(c.B), w.items(c.Case))
}

func (w *pinDiffWriter) value(v runner.Value) string {
	if v.Text != nil {
		return w.code(visible.Quote(w.short(*v.Text)))
	}
	return v.String()
}

func (w *pinDiffWriter) short(text string) string {
	if w.details {
		return text
	}
	return short(text, 60)
}

// items shows what a single item is, as what is decided about.
func (w *pinDiffWriter) items(one cases.Case) string {
	if len(one.Items) != 1 {
		return fmt.Sprintf(" (a batch of %d)", len(one.Items))
	}
	item := one.Items[0]
	prediction := "no prediction"
	if item.Prediction != nil {
		prediction = visible.Quote(w.short(*item.Prediction))
	}
	references := make([]string, len(item.References))
	for i, reference := range item.References {
		references[i] = visible.Quote(w.short(reference))
	}
	return " (" + w.code(prediction+" for "+strings.Join(references, ", ")) + ")"
}

func (w *pinDiffWriter) decision(d runner.DecisionChange) string {
	intent := "a batch"
	if len(d.Case.Items) == 1 {
		intent = "intent " + string(d.Case.Items[0].Intent)
	}
	verdict := d.Verdict()
	if verdict == "neither" {
		verdict = "neither better nor worse"
	}
	return fmt.Sprintf("%s, %s: %s → %s; %s: %s%s", w.code(d.Case.ID), w.code(d.Setup.String()), d.A, d.B, intent, verdict, w.items(d.Case))
}

func decisionCounts(m *runner.MetricDiff) string {
	counts := map[string]int{}
	for _, change := range m.Decisions {
		counts[change.Verdict()]++
	}
	return fmt.Sprintf("%d better, %d worse, %d neither", counts["better"], counts["worse"], counts["neither"])
}

type jsonPinDiff struct {
	A           string                     `json:"a"`
	B           string                     `json:"b"`
	Environment []runner.EnvironmentChange `json:"environment"`
	OnlyA       []string                   `json:"only_a"`
	OnlyB       []string                   `json:"only_b"`
	Metrics     []jsonMetricDiff           `json:"metrics"`
}

type jsonMetricDiff struct {
	Metric       string               `json:"metric"`
	ScaleA       float64              `json:"scale_a"`
	ScaleB       float64              `json:"scale_b"`
	ScaleOnly    bool                 `json:"scale_explains_everything"`
	Checks       int                  `json:"checks"`
	Answers      int                  `json:"answers"`
	Differ       int                  `json:"differ"`
	MissingA     int                  `json:"missing_a"`
	MissingB     int                  `json:"missing_b"`
	Causes       []jsonDiffCause      `json:"causes"`
	Unexplained  int                  `json:"unexplained"`
	Contradicted int                  `json:"contradicted"`
	NoBase       bool                 `json:"reference_does_not_give_a"`
	Changes      []jsonAnswerChange   `json:"changes"`
	Decisions    []jsonDecisionChange `json:"decisions"`
}

type jsonDiffCause struct {
	Variation string `json:"variation"`
	About     string `json:"about"`
	Explains  int    `json:"explains"`
}

type jsonDiffItem struct {
	Prediction *string      `json:"prediction"`
	References []string     `json:"references"`
	Intent     cases.Intent `json:"intent"`
}

type jsonAnswerChange struct {
	Case     string       `json:"case"`
	Setup    string       `json:"setup"`
	Name     string       `json:"name"`
	Text     string       `json:"text,omitempty"`
	A        runner.Value `json:"a"`
	B        runner.Value `json:"b"`
	Rounding bool         `json:"rounding"`
	Cause    string       `json:"cause,omitempty"`
}

type jsonDecisionChange struct {
	Case    string          `json:"case"`
	Setup   string          `json:"setup"`
	A       string          `json:"a"`
	B       string          `json:"b"`
	AgreesA runner.Decision `json:"agrees_a"`
	AgreesB runner.Decision `json:"agrees_b"`
	Verdict string          `json:"verdict"`
	Items   []jsonDiffItem  `json:"items"`
}

// PinDiffJSON writes everything as one JSON object, for programs. Scores of
// changes are on A's scale.
func PinDiffJSON(out io.Writer, d *runner.PinDiff) error {
	wire := jsonPinDiff{
		A: d.NameA, B: d.NameB, Environment: append([]runner.EnvironmentChange{}, d.Environment...),
		OnlyA: append([]string{}, d.OnlyA...), OnlyB: append([]string{}, d.OnlyB...),
	}
	for _, m := range d.Metrics {
		wire.Metrics = append(wire.Metrics, jsonMetricDiffOf(m))
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(wire)
}

func jsonMetricDiffOf(m *runner.MetricDiff) jsonMetricDiff {
	wire := jsonMetricDiff{
		Metric: m.Metric, ScaleA: m.ScaleA, ScaleB: m.ScaleB, ScaleOnly: m.Rescaled() && len(m.Changes) == 0, Checks: m.Checks, Answers: m.Answers,
		Differ: len(m.Changes), MissingA: m.MissingA, MissingB: m.MissingB, Causes: []jsonDiffCause{}, Unexplained: m.Unexplained, Contradicted: m.Contradicted,
		NoBase: m.NoBase, Changes: []jsonAnswerChange{}, Decisions: []jsonDecisionChange{},
	}
	for _, cause := range m.Causes {
		wire.Causes = append(wire.Causes, jsonDiffCause{Variation: cause.Variation.Name, About: cause.Variation.About, Explains: cause.Explains})
	}
	for _, c := range m.Changes {
		wire.Changes = append(wire.Changes, jsonAnswerChange{c.Case.ID, c.Setup.String(), c.Name, c.Text, c.A, c.B, c.Rounding, c.Cause})
	}
	for _, c := range m.Decisions {
		one := jsonDecisionChange{c.Case.ID, c.Setup.String(), c.A, c.B, c.AgreesA, c.AgreesB, c.Verdict(), []jsonDiffItem{}}
		for _, item := range c.Case.Items {
			one.Items = append(one.Items, jsonDiffItem{Prediction: item.Prediction, References: item.References, Intent: item.Intent})
		}
		wire.Decisions = append(wire.Decisions, one)
	}
	return wire
}
