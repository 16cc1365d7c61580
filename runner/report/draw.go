package report

import (
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

// drawValue draws a text, and writes numbers and refusals as they are.
func drawValue(v runner.Value) string {
	if v.Text != nil {
		return visible.Quote(*v.Text)
	}
	if text := v.String(); text != "" {
		return plain(text)
	}
	return "no answer"
}

// drawInput draws the first item of a case, and counts the others.
func drawInput(one cases.Case) string {
	switch len(one.Items) {
	case 0:
		return "the empty batch"
	case 1:
		return drawPair(one.Items[0])
	}
	return drawPair(one.Items[0]) + " and " + plural(len(one.Items)-1, "item") + " more"
}

func drawPair(item cases.Item) string {
	references := make([]string, len(item.References))
	for i, reference := range item.References {
		references[i] = visible.Quote(reference)
	}
	prediction := "no prediction"
	if item.Prediction != nil {
		prediction = visible.Quote(*item.Prediction)
	}
	return prediction + " for [" + strings.Join(references, ", ") + "]"
}

// faultText is the outcome of a thing without an answer, with what is known of it.
func faultText(t runner.Thing) string {
	detail := plain(t.Detail)
	switch {
	case detail == "":
		return string(t.Outcome)
	case strings.HasPrefix(detail, string(t.Outcome)+":"):
		return detail
	}
	return string(t.Outcome) + ": " + detail
}

// commandLine is a command as a shell reads it.
func commandLine(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = shellQuote(argument)
	}
	return strings.Join(quoted, " ")
}

func shellQuote(text string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./@=:,+%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// explained is what a thing that is not the same is said to be: the case's
// strings, upstream's answer and the adapter's.
func explained(r *runner.Result, t runner.Thing) string {
	of := drawInput(r.Case)
	if t.Text != "" {
		of = visible.Quote(t.Text)
	}
	text := t.Name + " of " + of + ": "
	if t.Outcome.Incomplete() {
		return text + faultText(t)
	}
	text += string(t.Outcome) + ": upstream " + drawValue(t.Want) + ", adapter " + drawValue(t.Got)
	if t.Detail != "" {
		text += " (" + plain(t.Detail) + ")"
	}
	return text
}

// plainText draws a text between quotes.
func plainText(text string) string { return visible.Quote(text) }

// plainExactly draws what cannot be seen, and keeps spaces as they are.
func plainExactly(text string) string { return visible.Line(text) }
