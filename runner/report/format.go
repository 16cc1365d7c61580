package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// Format writes a report in one way.
type Format struct {
	Name  string
	About string
	Write func(io.Writer, *runner.Report) error
}

// Formats are all of them; details is whether text lists everything.
func Formats(details bool) []Format {
	return []Format{
		{"text", "for people, on a terminal", func(out io.Writer, r *runner.Report) error { return Text(out, r, details) }},
		{"json", "the certificate: everything, for programs", JSON},
		{"html", "one page that needs nothing else", HTML},
		{"markdown", "for a pull request or a README", Markdown},
		{"junit", "JUnit's XML", JUnit},
		{"tap", "TAP version 14", TAP},
		{"github", "annotations of GitHub Actions", GitHub},
		{"badge-svg", "a badge", BadgeSVG},
		{"badge-json", "a badge, as the endpoint of shields.io reads it", BadgeJSON},
		{"in-toto", "an in-toto statement, test-result v0.1", InToto},
	}
}

// Named returns the format of a name. The error lists all names.
func Named(name string, details bool) (Format, error) {
	all := Formats(details)
	at := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if at < 0 {
		names := make([]string, len(all))
		for i, f := range all {
			names[i] = f.Name
		}
		return Format{}, fmt.Errorf("--format %s: it is one of %s", name, strings.Join(names, ", "))
	}
	return all[at], nil
}
