package doctor

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/internal/visible"
)

const (
	// width is what a terminal shows without wrapping.
	width = 80
	// longestShown is how much of a line that was exchanged is shown.
	longestShown = 300
)

// WriteProbe writes the line of a probe, and more where it is too long for one.
func WriteProbe(out io.Writer, p Probe) error {
	text := p.Name
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	_, err := io.WriteString(out, labelled(string(p.Status), text, 9))
	return err
}

// WriteFindings writes a paragraph for everything that was found, and how
// many probes there were.
func WriteFindings(out io.Writer, r *Report) error {
	var text strings.Builder
	for _, p := range r.Probes {
		for _, finding := range p.Findings {
			text.WriteString(finding.paragraph(p.Name))
		}
	}
	text.WriteByte('\n')
	made := len(r.Probes) - r.Count(Skipped)
	if r.Interrupted {
		text.WriteString("Interrupted: not everything was looked at.\n")
	}
	if wrong := r.Count(Wrong); wrong > 0 {
		fmt.Fprintf(&text, "%d of %d probes found something wrong.\n", wrong, made)
	} else {
		fmt.Fprintf(&text, "%d probes found nothing wrong. Whether the answers are right is for certify.\n", made)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func (f Finding) paragraph(probe string) string {
	var text strings.Builder
	kind := Wrong
	if f.Note {
		kind = Note
	}
	text.WriteString("\n" + labelled(string(kind)+",", probe+": "+f.What, 2))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&text, "  %-7s %s\n", name, value)
		}
	}
	prose := func(name, value string) { text.WriteString(labelled("  "+name, value, 10)) }
	for i, sent := range bytes.Split(f.Sent, []byte("\n")) {
		name := "sent"
		if i > 0 {
			name = ""
		}
		field(name, shown(sent))
	}
	if f.Got != nil {
		field("got", drawn(f.Got))
	}
	for i, said := range strings.Split(f.Stderr, "\n") {
		name := "stderr"
		if i > 0 {
			name = ""
		}
		if said != "" {
			field(name, strings.Trim(visible.Quote(said), `"'`))
		}
	}
	prose("rule", f.Rule)
	prose("do", f.Do)
	return text.String()
}

// shown is a line that was sent: it is ASCII.
func shown(sent []byte) string {
	if over := len(sent) - longestShown; over > 0 {
		return fmt.Sprintf("%s… (%d bytes more)", sent[:longestShown], over)
	}
	return string(sent)
}

// drawn is a line that came back, with what cannot be seen drawn by its number,
// and bytes that are no UTF-8 as ⟨FF⟩.
func drawn(got []byte) string {
	more := ""
	if over := len(got) - longestShown; over > 0 {
		more = fmt.Sprintf("… (%d bytes more)", over)
		got = got[:longestShown]
	}
	if utf8.Valid(got) {
		return visible.Quote(string(got)) + more
	}
	var text strings.Builder
	for len(got) > 0 {
		r, size := utf8.DecodeRune(got)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&text, "⟨%02X⟩", got[0])
		} else {
			text.WriteRune(r)
		}
		got = got[size:]
	}
	return visible.Quote(text.String()) + more
}

// labelled writes text after a label, broken at spaces, with what does not fit
// on the first line below the column where it begins.
func labelled(label, text string, indent int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-*s", indent-1, label)
	column := max(indent-1, utf8.RuneCountInString(label))
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		if i > 0 && column+1+n > width {
			out.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		} else {
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += n
	}
	return out.String() + "\n"
}
