package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/runner"
)

// mostRows deviations are listed in Markdown; the certificate has them all.
const mostRows = 50

// Markdown writes the report for a pull request or a README: verdicts with
// counts and floors, causes, and up to mostRows deviations.
func Markdown(out io.Writer, r *runner.Report) error {
	var text strings.Builder
	w := &textWriter{report: r}
	fmt.Fprintf(&text, "# %s\n\n", mdText(strings.TrimSpace(r.Adapter.Name+" "+r.Adapter.Version)))
	fmt.Fprintf(&text, "%d of %d cases%s\n\n", r.Cases, r.Corpus, map[bool]string{true: "; **interrupted**: what was not reached is not judged"}[r.Interrupted])
	mdClaims(&text, r)
	for _, u := range unconfirmedOf(r.Claims...) {
		fmt.Fprintf(&text, "\n**unconfirmed**: %s\n", mdText(u.String()))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&text, "\n**note**: %s\n", mdText(note))
	}
	causes, unexplained := w.causes()
	if len(causes) > 0 {
		text.WriteString("\n## Why\n\n| cause | explains | what it does |\n|---|---:|---|\n")
		for _, c := range causes {
			fmt.Fprintf(&text, "| `%s` | %d | %s |\n", c.variation.Name, c.explains, mdText(c.variation.About))
		}
		if len(unexplained) > 0 {
			fmt.Fprintf(&text, "| unexplained | %d | |\n", len(unexplained))
		}
	}
	mdDeviations(&text, r, w.allDeviations())
	if r.Baseline != nil && len(r.Baseline.Problems) > 0 {
		text.WriteString("\n## Baseline entries that no longer hold\n\n")
		for _, problem := range r.Baseline.Problems {
			fmt.Fprintf(&text, "- %s\n", mdText(r.Baseline.At(problem)))
		}
	}
	fmt.Fprintf(&text, "\n## Reproduce\n\n%s\n%s\n", mdBlock(commandLine(r.Reproduce())), mdBlock(r.Signature))
	_, err := io.WriteString(out, text.String())
	return err
}

func mdClaims(text *strings.Builder, r *runner.Report) {
	text.WriteString("| claim | verdict | same | wrong accepts + rejects | upstream | floors: same, wrong |\n|---|---|---:|---:|---:|---|\n")
	for _, c := range r.Claims {
		right, upstream := "not claimed", ""
		if c.DecidesBy() != "" {
			right = fmt.Sprintf("%d + %d of %d", c.Right.WrongAccepts, c.Right.WrongRejects, c.Decided)
			upstream = fmt.Sprintf("%d + %d", c.Upstream.WrongAccepts, c.Upstream.WrongRejects)
		}
		fmt.Fprintf(text, "| `%s` | **%s**%s | %d of %d | %s | %s | %s |\n", c.Name(), c.Verdict, mdText(strings.TrimPrefix(c.Sentence(r.Except), string(c.Verdict))),
			c.Outcomes[runner.Same], c.Answered(), right, upstream, mdText(floors(c)))
	}
}

func mdDeviations(text *strings.Builder, r *runner.Report, list []deviation) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(text, "\n## Deviations\n\n%s", plural(len(list), "answer"))
	if len(list) > mostRows {
		fmt.Fprintf(text, "; %d of them here, all in the certificate", mostRows)
	}
	text.WriteString("\n\n| case | setup | thing | outcome | upstream | adapter | cause |\n|---|---|---|---|---|---|---|\n")
	for _, d := range list[:min(len(list), mostRows)] {
		thing := d.thing.Name + " of " + drawInput(d.result.Case)
		if d.thing.Text != "" {
			thing = d.thing.Name + " of " + plainText(d.thing.Text)
		}
		outcome := string(d.thing.Outcome)
		if entry, is := r.Baseline.Of(d.claim, d.result); is {
			outcome += ", known " + entry.Class
		}
		want, got := drawValue(d.thing.Want), drawValue(d.thing.Got)
		if d.thing.Outcome.Incomplete() {
			want, got = "", plain(d.thing.Detail)
		}
		setup := d.result.Setup.String() + " at " + d.claim.Pin.Name()
		fmt.Fprintf(text, "| %s | %s | %s | %s | %s | %s | %s |\n", mdText(d.result.Case.ID), mdText(setup), mdText(thing), mdText(outcome), mdText(want), mdText(got),
			mdText(d.claim.Why.CauseOf(d.result, d.thing)))
	}
}

// mdText escapes every sign of ASCII that means something in Markdown; a
// backslash before one is the sign itself.
func mdText(text string) string {
	var out strings.Builder
	for _, r := range plainExactly(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&$", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	// A name of a user or an address would become a link.
	return strings.NewReplacer("@", "&#64;", "://", "&#58;//").Replace(out.String())
}

// mdBlock is a block of code that the text does not end.
func mdBlock(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + plainExactly(text) + "\n" + fence
}
