package report

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

func caseOf(one cases.Case) pageCase {
	own := pageCase{Hazard: one.Hazard(), Short: strings.TrimPrefix(one.ID, one.Hazard()+"/"), Why: one.Why, Source: one.Source, Input: escaped("the empty batch")}
	for i, item := range one.Items {
		drawn := pageItem{Prediction: escaped("none"), Intent: item.Intent}
		if item.Prediction != nil {
			drawn.Prediction = drawHTML(*item.Prediction)
		}
		for _, reference := range item.References {
			drawn.References = append(drawn.References, drawHTML(reference))
		}
		own.Items = append(own.Items, drawn)
		if i == 0 {
			own.Input = inputOf(drawn, item, len(one.Items)-1)
		}
	}
	return own
}

// mostInSummary references, and characters of a text, are shown of a closed case.
const (
	mostInSummary  = 2
	mostCharacters = 60
)

func inputOf(drawn pageItem, item cases.Item, more int) template.HTML {
	cut := func(text string) template.HTML { return drawHTML(short(text, mostCharacters)) }
	out := drawn.Prediction
	if item.Prediction != nil {
		out = cut(*item.Prediction)
	}
	out += " for "
	for i, reference := range item.References[:min(len(item.References), mostInSummary)] {
		if i > 0 {
			out += ", "
		}
		out += cut(reference)
	}
	if len(item.References) == 0 {
		out += "no reference"
	}
	if rest := len(item.References) - mostInSummary; rest > 0 {
		out += escaped(fmt.Sprintf(" and %d more", rest))
	}
	if more > 0 {
		out += escaped(fmt.Sprintf("; %s more", plural(more, "item")))
	}
	return out
}

// rowsOf shows a check: a row for each thing that is not the same, and one for
// all that is.
func rowsOf(r *runner.Report, c *runner.ClaimReport, result *runner.Result, stands standing) []pageRow {
	setup := result.Setup.String()
	note := noteOf(r, c, result)
	if stands == notClaimed {
		return []pageRow{{Setup: setup, Class: classes[notClaimed], Outcome: "not claimed", Want: recordHTML(c, result, nil), Note: note}}
	}
	var rows []pageRow
	var same []string
	for _, thing := range result.Things {
		if thing.Outcome == runner.Same {
			same = append(same, thing.Name)
			continue
		}
		for _, row := range deviatingRows(c, result, thing, setup, note, stands) {
			rows = joined(rows, row)
		}
	}
	if len(same) > 0 {
		rows = append(rows, pageRow{Setup: setup, Class: classes[holds], Outcome: "same", What: escaped(strings.Join(same, ", ")), Want: recordHTML(c, result, same), Got: "the same", Note: note})
	}
	return rows
}

// joined adds a row, or its thing to that of a row which is otherwise the same.
func joined(rows []pageRow, row pageRow) []pageRow {
	at := slices.IndexFunc(rows, func(other pageRow) bool {
		other.What = row.What
		return other == row
	})
	if at < 0 {
		return append(rows, row)
	}
	rows[at].What += ", " + row.What
	return rows
}

func deviatingRows(c *runner.ClaimReport, result *runner.Result, thing runner.Thing, setup, note string, stands standing) []pageRow {
	row := pageRow{
		Setup: setup, Class: classes[stands], Outcome: string(thing.Outcome), Cause: c.Why.CauseOf(result, thing), Note: note,
		What: escaped(thing.Name), Want: valueHTML(thing.Want), Got: gotHTML(thing.Outcome, thing.Got, thing.Detail),
	}
	if thing.Outcome == runner.Rounding {
		row.Class = classes[holds]
	}
	if thing.Name != adapters.NormalizeAnswer {
		return []pageRow{row}
	}
	var rows []pageRow
	for _, text := range c.TextsOf(result) {
		one := row
		one.Outcome, one.What = string(text.Outcome), escaped(thing.Name+" of ")+drawHTML(text.Text)
		one.Want, one.Got = drawHTML(text.Upstream), gotHTML(text.Outcome, text.Adapter, text.Detail)
		one.Cause = c.Why.CauseOf(result, runner.Thing{Name: thing.Name, Text: text.Text})
		rows = append(rows, one)
	}
	return rows
}

func valueHTML(v runner.Value) template.HTML {
	if v.Text != nil {
		return drawHTML(*v.Text)
	}
	return escaped(drawValue(v))
}

func gotHTML(outcome runner.Outcome, v runner.Value, detail string) template.HTML {
	switch {
	case outcome.Incomplete():
		return escaped(faultText(runner.Thing{Outcome: outcome, Detail: detail}))
	case detail != "":
		return valueHTML(v) + escaped(" ("+plain(detail)+")")
	}
	return valueHTML(v)
}

func noteOf(r *runner.Report, c *runner.ClaimReport, result *runner.Result) string {
	var notes []string
	if entry, is := r.Baseline.Of(c, result); is {
		notes = append(notes, strings.TrimSuffix("known "+entry.Class+": "+plain(entry.Reason), ": "))
	}
	if len(result.Excepted) > 0 {
		notes = append(notes, "excepted: "+strings.Join(result.Excepted, ", "))
	}
	if result.Decides() && result.Decision != runner.Agrees {
		note := string(result.Decision)
		if result.Upstream == result.Decision {
			note += ", as upstream"
		}
		notes = append(notes, note)
	} else if result.Decides() && result.Upstream != runner.Agrees {
		notes = append(notes, "right, where upstream has a "+string(result.Upstream))
	}
	return strings.Join(notes, "; ")
}

// recordHTML is what the pin returns; of the things named, else of all.
func recordHTML(c *runner.ClaimReport, result *runner.Result, names []string) template.HTML {
	record := result.Record
	if record.Error != "" {
		return escaped("refuses: " + string(record.Error))
	}
	var parts []template.HTML
	for _, key := range c.Metric.KeyNames() {
		score, there := record.Scores[key]
		if there && (names == nil || slices.Contains(names, key)) {
			number := metric.Double(score)
			parts = append(parts, escaped(key+" "+runner.Value{Number: &number}.String()))
		}
	}
	if names == nil || slices.Contains(names, adapters.NormalizeAnswer) {
		if len(record.Normalized) == 1 {
			parts = append(parts, normalizedHTML(record.Normalized[0]))
		}
	}
	return join(parts, "; ")
}

func normalizedHTML(n golden.Normalized) template.HTML {
	var references []template.HTML
	for _, reference := range n.References {
		references = append(references, drawHTML(reference))
	}
	prediction := escaped("none")
	if n.Prediction != nil {
		prediction = drawHTML(*n.Prediction)
	}
	return "normalized " + prediction + " for " + join(references, ", ")
}

func join(parts []template.HTML, separator template.HTML) template.HTML {
	var out template.HTML
	for i, part := range parts {
		if i > 0 {
			out += separator
		}
		out += part
	}
	return out
}

// addRows adds those of another claim; the same row at another pin is one row.
func (p *pageCase) addRows(rows []pageRow, pin string) {
	for _, row := range rows {
		at := slices.IndexFunc(p.Rows, func(other pageRow) bool {
			other.Pins = ""
			return other == row
		})
		if at >= 0 {
			p.Rows[at].Pins += ", " + pin
			continue
		}
		row.Pins = pin
		p.Rows = append(p.Rows, row)
	}
}

// finish puts what is not the same first, and sets tags and keys.
func (p *pageCase) finish(keys map[string]bool) {
	rank := func(row pageRow) int {
		return slices.Index([]string{"deviates", "faulty", "unanswered", "known", "excepted", "holds", "notClaimed"}, row.Class)
	}
	slices.SortStableFunc(p.Rows, func(a, b pageRow) int { return rank(a) - rank(b) })
	p.Keys = strings.Join(slices.Sorted(maps.Keys(keys)), " ")
	for _, class := range []string{"deviates", "faulty", "unanswered", "known", "excepted", "wrong"} {
		has := false
		for key := range keys {
			_, own, _ := strings.Cut(key, ":")
			has = has || own == class && !strings.HasPrefix(key, "cause:")
		}
		if has {
			text := map[string]string{"deviates": "deviates", "faulty": "failed", "unanswered": "missing", "known": "known", "excepted": "excepted", "wrong": "wrong decision"}[class]
			p.Tags = append(p.Tags, pageTag{class, text})
		}
	}
	if len(p.Tags) == 0 {
		for key := range keys {
			if strings.HasSuffix(key, ":holds") {
				p.Tags = []pageTag{{"holds", "same"}}
				return
			}
		}
		p.Tags = []pageTag{{"notClaimed", "not claimed"}}
	}
}
