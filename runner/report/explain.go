package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// Explained writes what each metric does to a batch, step by step.
func Explained(out io.Writer, list []runner.Explained) error {
	var text strings.Builder
	for i, e := range list {
		if i > 0 {
			text.WriteByte('\n')
		}
		writeExplained(&text, e)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func writeExplained(out *strings.Builder, e runner.Explained) {
	fmt.Fprintf(out, "%s at %s\n", e.Setup, strings.Join(e.Pins, ", "))
	for i, trace := range e.Traces {
		item := ""
		if len(e.Traces) != 1 {
			item = fmt.Sprintf("item %d, ", i)
		}
		if trace.Prediction == nil {
			fmt.Fprintf(out, "  %sno prediction\n", item)
		} else {
			writeTrace(out, item+"prediction", trace.Prediction)
		}
		for r, reference := range trace.References {
			name := item + "reference"
			if len(trace.References) > 1 {
				name += fmt.Sprintf(" %d", r)
			}
			writeTrace(out, name, reference)
		}
		if len(trace.References) == 0 {
			fmt.Fprintf(out, "  %sno reference\n", item)
		}
	}
	if e.Refusal != "" {
		fmt.Fprintf(out, "  refuses: %s\n", e.Refusal)
	} else {
		fmt.Fprintf(out, "  scores: %s\n", scoresText(e))
	}
	if len(e.Traces) == 1 {
		fmt.Fprintf(out, "  decision: %s\n", map[bool]string{true: "accepted", false: "rejected"}[e.Accepts])
	}
	if len(e.Conditions) > 0 {
		fmt.Fprintf(out, "  conditions: %s\n", strings.Join(e.Conditions, ", "))
	}
	if len(e.TurnsOn) > 0 {
		names := make([]string, len(e.TurnsOn))
		for i, variation := range e.TurnsOn {
			names[i] = variation.Name
		}
		fmt.Fprintf(out, "  would be %s with: %s\n", map[bool]string{true: "rejected", false: "accepted"}[e.Accepts], strings.Join(names, ", "))
	}
	if hazards := e.Hazards(); len(hazards) > 0 {
		fmt.Fprintf(out, "  hazards: %s\n", strings.Join(hazards, ", "))
	}
}

// writeTrace writes a line for each step; one that changes nothing says so.
func writeTrace(out *strings.Builder, name string, traced []reference.Traced) {
	width := len(name)
	for _, step := range traced {
		width = max(width, len(step.Step)+2)
	}
	for i, step := range traced {
		if i == 0 {
			fmt.Fprintf(out, "  %-*s  %s\n", width, name, visible.Quote(step.Text))
			continue
		}
		text := visible.Quote(step.Text)
		if step.Text == traced[i-1].Text {
			text = "unchanged"
		}
		fmt.Fprintf(out, "    %-*s  %s\n", width-2, step.Step, text)
	}
}

func scoresText(e runner.Explained) string {
	var parts []string
	m, err := metric.Lookup(e.Setup.Metric)
	if err != nil {
		return ""
	}
	for _, key := range m.KeyNames() {
		if score, there := e.Scores[key]; there {
			number := metric.Double(score)
			parts = append(parts, key+" "+runner.Value{Number: &number}.String())
		}
	}
	return strings.Join(parts, ", ")
}
