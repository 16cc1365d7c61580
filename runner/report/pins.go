package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

// PinList writes a line for each pin and metric: what is covered, whether its
// goldens are as upstream wrote them, and by which versions.
func PinList(out io.Writer, list []runner.PinCoverage) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "pin\tmetric\tcases\tchecks\tscale\tgoldens\trecorded from")
	for _, one := range list {
		name := one.Coverage.Name
		if one.Coverage.Default {
			name += " (default)"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%v\t%s\t%s\n", one.Pin.Name(), name, one.Cases, one.Checks, one.Coverage.Scale, goldensOf(one), recordedFrom(one.Pin))
	}
	return table.Flush()
}

func goldensOf(p runner.PinCoverage) string {
	var parts []string
	if n := len(p.Unconfirmed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d files unconfirmed", n, p.Files))
	}
	if p.Missing > 0 {
		parts = append(parts, plural(p.Missing, "check")+" missing")
	}
	if len(parts) == 0 {
		return "confirmed"
	}
	return strings.Join(parts, ", ")
}

func recordedFrom(pin golden.Pin) string {
	var parts []string
	if pin.Date != "" {
		parts = append(parts, pin.Date)
	}
	if len(pin.Command) > 0 {
		parts = append(parts, plain(strings.TrimSpace("program "+pin.Adapter["name"]+" "+pin.Adapter["version"])))
	}
	if versions := runner.Versions(pin); versions != "" {
		parts = append(parts, plain(versions))
	}
	return strings.Join(parts, "; ")
}

// mostLines is how many lines that differ are listed without --details.
const mostLines = 20

// PinVerified writes what became of a pin: the environment first, then the
// lines that differ.
func PinVerified(out io.Writer, p *runner.PinVerified, details bool) error {
	var text strings.Builder
	name := p.Pin.Name()
	if p.Skipped != "" {
		fmt.Fprintf(&text, "%s  not verified: %s\n", name, plain(p.Skipped))
	} else {
		writeVerified(&text, name, p, details)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func writeVerified(text *strings.Builder, name string, p *runner.PinVerified, details bool) {
	switch {
	case p.Equal():
		fmt.Fprintf(text, "%s  equal: %s\n", name, plural(p.Checks, "line"))
	case len(p.Environment) > 0:
		fmt.Fprintf(text, "%s  different, and so is the environment: %s\n", name, plural(len(p.Lines), "line"))
	default:
		fmt.Fprintf(text, "%s  different under the same environment: %s\n", name, plural(len(p.Lines), "line"))
	}
	for _, difference := range p.Environment {
		fmt.Fprintf(text, "  environment: %s\n", plain(difference))
	}
	if !p.Equal() && len(p.Environment) > 0 {
		fmt.Fprintln(text, "  nothing is said of the goldens: name the interpreter they were recorded under with --python")
	}
	for i, line := range p.Lines {
		if i == mostLines && !details {
			fmt.Fprintf(text, "  … and %d more; --details lists them\n", len(p.Lines)-i)
			break
		}
		fmt.Fprintf(text, "  %s\n", verifiedLine(line))
	}
	if len(p.Confirmed) > 0 {
		fmt.Fprintf(text, "  confirmed: %s\n", strings.Join(p.Confirmed, ", "))
	}
	if len(p.Unconfirmed) > 0 {
		fmt.Fprintf(text, "  unconfirmed: %s\n", strings.Join(p.Unconfirmed, ", "))
	}
}

// verifiedLine says of a line what is committed and what was answered.
func verifiedLine(line runner.LineChange) string {
	switch line.Verb() {
	case "added":
		return line.Name() + ": not committed"
	case "removed":
		return line.Name() + ": committed, and no case asks for it"
	}
	before, after := line.Answers()
	return fmt.Sprintf("%s: committed %s, upstream %s", line.Name(), before, after)
}
