package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/runner"
)

// GitHub writes workflow commands that GitHub Actions shows as annotations. It
// shows only ten errors and ten warnings of a step, so there is one for each
// verdict, one for golden files that are unconfirmed, one for each cause, and
// one for what no cause explains; an entry of a baseline that no longer holds is
// annotated at its line.
func GitHub(out io.Writer, r *runner.Report) error {
	var text strings.Builder
	selection := ""
	if r.Cases != r.Corpus {
		selection = fmt.Sprintf("; on %d of %d cases", r.Cases, r.Corpus)
	}
	for _, claim := range r.Claims {
		level := "notice"
		switch claimStands(claim) {
		case deviates:
			level = "error"
		case unanswered:
			level = "warning"
		}
		annotate(&text, level, []property{{"title", "normcert " + claim.Name()}}, claim.Sentence(r.Except)+"\n"+sameness(claim)+selection+"\n"+commandLine(r.Reproduce()))
	}
	var unsure []string
	for _, u := range unconfirmedOf(r.Claims...) {
		unsure = append(unsure, u.String())
	}
	if len(unsure) > 0 {
		annotate(&text, "warning", []property{{"title", "normcert unconfirmed goldens"}}, strings.Join(unsure, "\n"))
	}
	if len(r.Notes) > 0 {
		annotate(&text, "warning", []property{{"title", "normcert note"}}, strings.Join(r.Notes, "\n"))
	}
	w := &textWriter{report: r}
	causes, unexplained := w.causes()
	for _, c := range causes {
		message := fmt.Sprintf("explains %s: %s", plural(c.explains, "answer"), c.variation.About)
		for _, d := range examples(c.deviations, 1) {
			message += "\n" + d.result.Case.ID + ", " + d.result.Setup.String() + ": " + explained(d.result, d.thing)
		}
		annotate(&text, "warning", []property{{"title", "normcert cause: " + c.variation.Name}}, message)
	}
	if len(unexplained) > 0 {
		message := plural(len(unexplained), "answer") + " without a cause"
		for _, d := range examples(unexplained, 3) {
			message += "\n" + d.result.Case.ID + ", " + d.result.Setup.String() + ": " + explained(d.result, d.thing)
		}
		annotate(&text, "warning", []property{{"title", "normcert unexplained"}}, message)
	}
	if r.Baseline != nil {
		for _, problem := range r.Baseline.Problems {
			at := []property{{"file", r.Baseline.File}, {"line", fmt.Sprint(problem.Line)}, {"title", "normcert baseline"}}
			annotate(&text, "error", at, fmt.Sprintf("%s, %s at %s: %s", problem.Case, problem.Setup, problem.Pin, problem.Problem))
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

type property struct{ name, value string }

// annotate writes one workflow command, escaped as the toolkit of GitHub
// Actions does: % CR LF in the message, and : and , too in properties.
func annotate(out *strings.Builder, level string, properties []property, message string) {
	var parts []string
	for _, p := range properties {
		parts = append(parts, p.name+"="+strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(p.value))
	}
	fmt.Fprintf(out, "::%s %s::%s\n", level, strings.Join(parts, ","), strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(message))
}
