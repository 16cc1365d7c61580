package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/runner"
)

// Adequacy writes the table of variations: how many cases catch each, by view,
// those of related hazards first and all in brackets. Pins at which the figures
// are the same share a line.
func Adequacy(out io.Writer, a *runner.Adequacy, details bool) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "variation\tmetric")
	for _, view := range reference.Views() {
		fmt.Fprintf(table, "\t%s", view)
	}
	fmt.Fprint(table, "\t\n")
	for _, group := range merged(a.Rows) {
		row := group.row
		fmt.Fprintf(table, "%s\t%s", row.Variation.Name, group.where)
		for _, view := range reference.Views() {
			fmt.Fprintf(table, "\t%s", figure(row, view))
		}
		fmt.Fprintf(table, "\t%s\n", remark(row))
		if details {
			fmt.Fprintf(table, "  %s\t\t\t\t\t\t\n", row.Variation.About)
			if row.Variation.Seen != "" {
				fmt.Fprintf(table, "  seen: %s\t\t\t\t\t\t\n", row.Variation.Seen)
			}
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	findings(&text, a)
	_, err := io.WriteString(out, trimmedLines(text.String()))
	return err
}

func findings(text *strings.Builder, a *runner.Adequacy) {
	holes := 0
	for _, row := range a.Rows {
		if len(row.Uncaught()) > 0 {
			holes++
		}
	}
	fmt.Fprintf(text, "\n%s of %s at their pins are caught in every view; %d of %d random pairs are\n",
		fmt.Sprint(len(a.Rows)-holes), plural(len(a.Rows), "variation"), a.Pairs-len(a.Missed), a.Pairs)
	for _, pair := range a.Missed {
		fmt.Fprintf(text, "not caught: %s\n", pair)
	}
	for _, id := range a.Idle {
		fmt.Fprintf(text, "catches nothing, and has no purpose: %s\n", id)
	}
}

type merge struct {
	row   runner.AdequacyRow
	where string
	pins  []string
}

// merged puts the pins of a metric into one line where the figures agree.
func merged(rows []runner.AdequacyRow) []merge {
	var groups []merge
	for _, row := range rows {
		at := slices.IndexFunc(groups, func(g merge) bool {
			return g.row.Variation.Name == row.Variation.Name && g.row.Metric.Name == row.Metric.Name && sameFigures(g.row, row)
		})
		if at < 0 {
			groups = append(groups, merge{row: row})
			at = len(groups) - 1
		}
		_, short, _ := strings.Cut(row.Pin, "@")
		groups[at].pins = append(groups[at].pins, short)
	}
	for i, g := range groups {
		groups[i].where = g.row.Metric.Name
		split := slices.ContainsFunc(groups, func(o merge) bool {
			return o.row.Variation.Name == g.row.Variation.Name && o.row.Metric.Name == g.row.Metric.Name && !slices.Equal(o.pins, g.pins)
		})
		if split {
			groups[i].where += "@" + strings.Join(g.pins, ",")
		}
	}
	return groups
}

func sameFigures(a, b runner.AdequacyRow) bool {
	for _, view := range reference.Views() {
		if !slices.Equal(a.Caught[view], b.Caught[view]) {
			return false
		}
	}
	return true
}

func figure(row runner.AdequacyRow, view reference.View) string {
	related, all := len(row.Related[view]), len(row.Caught[view])
	must := slices.Contains(row.Variation.Shows(row.Metric), view)
	switch {
	case row.Variation.Floor || row.Variation.Hazards == nil:
		return fmt.Sprint(all)
	case !must && all == 0:
		return "-"
	case related == all:
		return fmt.Sprint(related)
	}
	return fmt.Sprintf("%d (%d)", related, all)
}

// remark names what is missing, and a case that stands alone.
func remark(row runner.AdequacyRow) string {
	var parts []string
	if uncaught := row.Uncaught(); len(uncaught) > 0 {
		names := make([]string, len(uncaught))
		for i, view := range uncaught {
			names[i] = string(view)
		}
		parts = append(parts, "NOT CAUGHT: "+strings.Join(names, ", "))
	}
	if all := row.Cases(); len(all) == 1 {
		parts = append(parts, "only "+all[0])
	}
	return strings.Join(parts, "; ")
}

func trimmedLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
