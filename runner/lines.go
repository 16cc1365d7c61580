package runner

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/golden"
)

// LineChange is a line of a golden file before and after. Before is nil for a
// line that is new, After for one that is gone.
type LineChange struct {
	Pin           string
	Before, After *golden.Record
}

// record is the line as it is, or was.
func (l LineChange) record() *golden.Record {
	if l.After != nil {
		return l.After
	}
	return l.Before
}

// Name is the line's case and setup.
func (l LineChange) Name() string { return l.record().Case + ", " + l.record().Setup }

// Verb says what happened to the line: added, changed or removed.
func (l LineChange) Verb() string {
	switch {
	case l.Before == nil:
		return "added"
	case l.After == nil:
		return "removed"
	}
	return "changed"
}

// BecomesError reports whether scores turn into an error.
func (l LineChange) BecomesError() bool {
	return l.Before != nil && l.After != nil && l.Before.Error == "" && l.After.Error != ""
}

// String is the line's name with what it was and is.
func (l LineChange) String() string {
	text := l.Verb() + " " + l.Name()
	if l.Verb() == "changed" {
		text += ": " + answerText(*l.Before) + " → " + answerText(*l.After)
	}
	return text
}

// Answers are what was answered before and after, as JSON; "" where there is no
// such line.
func (l LineChange) Answers() (before, after string) {
	if l.Before != nil {
		before = answerText(*l.Before)
	}
	if l.After != nil {
		after = answerText(*l.After)
	}
	return before, after
}

// answerText is what a record answers, without its name.
func answerText(r golden.Record) string {
	line := bytes.TrimSuffix(golden.Encode([]golden.Record{r}), []byte("\n"))
	for _, member := range []string{`,"normalized":`, `,"scores":`, `,"error":`} {
		if at := bytes.Index(line, []byte(member)); at >= 0 {
			return "{" + string(line[at+1:])
		}
	}
	return string(line)
}

// lineChanges compares the goldens of a pin with new records, sorted by case and setup.
func lineChanges(before *golden.Goldens, after map[string][]golden.Record) []LineChange {
	var list []LineChange
	seen := map[[2]string]bool{}
	for _, records := range after {
		for _, record := range records {
			seen[[2]string{record.Case, record.Setup}] = true
			old, there := before.Record(record.Case, record.Setup)
			switch {
			case !there:
				list = append(list, LineChange{Pin: before.Pin.Name(), After: &record})
			case !bytes.Equal(golden.Encode([]golden.Record{old}), golden.Encode([]golden.Record{record})):
				list = append(list, LineChange{Pin: before.Pin.Name(), Before: &old, After: &record})
			}
		}
	}
	for _, hazard := range before.Hazards() {
		for _, old := range before.Records(hazard) {
			if !seen[[2]string{old.Case, old.Setup}] {
				list = append(list, LineChange{Pin: before.Pin.Name(), Before: &old})
			}
		}
	}
	slices.SortFunc(list, func(a, b LineChange) int {
		return cmp.Or(cmp.Compare(a.record().Case, b.record().Case), cmp.Compare(a.record().Setup, b.record().Setup))
	})
	return list
}

// mostNamed is how many lines an error names.
const mostNamed = 4

// allowed refuses changes of lines that nobody asked for.
func (c RegenConfig) allowed(report *RegenReport) error {
	var changed, errors []LineChange
	for _, pin := range report.Pins {
		for _, line := range pin.Lines {
			if line.BecomesError() {
				errors = append(errors, line)
			} else if line.Verb() == "changed" {
				changed = append(changed, line)
			}
		}
	}
	switch {
	case len(errors) > 0 && !(c.Change && c.AllowErrors):
		return usage("%d of the lines that are there would turn from scores into an error, and nothing was written; --change with --allow-errors lets them:\n%s", len(errors), named(errors))
	case len(changed) > 0 && !c.Change:
		return usage("%d of the lines that are there would change, and nothing was written; --change lets them, where the cases were changed or upstream says otherwise:\n%s", len(changed), named(changed))
	}
	return nil
}

func named(lines []LineChange) string {
	var text strings.Builder
	for i, line := range lines {
		if i == mostNamed {
			fmt.Fprintf(&text, "  and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&text, "  %s: %s\n", line.Pin, line)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
