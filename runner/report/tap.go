package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/runner"
)

// TAP writes the report in the Test Anything Protocol, version 14: a test point
// for each claim's verdict and one for each check. What is not claimed or
// excepted is SKIP, what a baseline knows TODO; all else that does not hold is
// not ok, what is missing too.
func TAP(out io.Writer, r *runner.Report) error {
	w := &tapWriter{}
	for _, claim := range r.Claims {
		w.point(claimStands(claim), claim.Name()+" verdict", []string{claim.Sentence(r.Except)})
		for _, result := range claim.Results {
			w.point(standingOf(r, claim, result), claim.Name()+" "+checkName(result), reasonOf(r, claim, result))
		}
	}
	if r.Baseline != nil {
		for _, problem := range r.Baseline.Problems {
			w.point(deviates, fmt.Sprintf("baseline line %d %s %s", problem.Line, problem.Case, problem.Setup), []string{r.Baseline.At(problem)})
		}
	}
	comments := "# " + plain(r.Signature) + "\n"
	for _, u := range unconfirmedOf(r.Claims...) {
		comments += "# unconfirmed: " + plain(u.String()) + "\n"
	}
	for _, note := range r.Notes {
		comments += "# note: " + plain(note) + "\n"
	}
	_, err := fmt.Fprintf(out, "TAP version 14\n%s1..%d\n%s", comments, w.points, w.body.String())
	return err
}

type tapWriter struct {
	points int
	body   strings.Builder
}

func (w *tapWriter) point(s standing, name string, lines []string) {
	w.points++
	reason := ""
	if len(lines) > 0 {
		reason = lines[0]
	}
	switch s {
	case holds:
		fmt.Fprintf(&w.body, "ok %d - %s\n", w.points, tapText(name))
	case notClaimed, excepted:
		fmt.Fprintf(&w.body, "ok %d - %s # SKIP %s\n", w.points, tapText(name), tapText(reason))
	case known:
		fmt.Fprintf(&w.body, "not ok %d - %s # TODO %s\n", w.points, tapText(name), tapText(reason))
		w.diagnostics(lines[1:])
	default:
		fmt.Fprintf(&w.body, "not ok %d - %s\n", w.points, tapText(name))
		w.diagnostics(lines)
	}
}

// diagnostics is a YAML block; its strings are written as JSON, which is YAML.
func (w *tapWriter) diagnostics(lines []string) {
	if len(lines) == 0 {
		return
	}
	w.body.WriteString("  ---\n  why:\n")
	for _, line := range lines {
		var quoted strings.Builder
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(line) // a string always encodes
		fmt.Fprintf(&w.body, "    - %s", quoted.String())
	}
	w.body.WriteString("  ...\n")
}

// tapText escapes what begins a directive, and the escape itself.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(plainExactly(text))
}
