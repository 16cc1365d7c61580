package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/runner"
)

// Ranking writes, for each metric that an adapter names, the metrics and pins
// by how near its answers are to them.
func Ranking(out io.Writer, hello adapters.Hello, ranking map[string][]runner.Likeness) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(ranking)) {
		fmt.Fprintf(&text, "%s, under the name %s, is nearest to\n", strings.TrimSpace(hello.Name+" "+hello.Version), name)
		table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  \tmetric and pin\tas it is\twith variations\t")
		for i, likeness := range ranking[name] {
			causes := make([]string, len(likeness.Causes))
			for c, cause := range likeness.Causes {
				causes[c] = cause.Variation.Name
			}
			with := "-"
			if len(causes) > 0 {
				with = share(likeness.With, likeness.Answers)
			}
			fmt.Fprintf(table, "  %d\t%s@%s\t%s\t%s\t%s\n", i+1, likeness.Metric, likeness.Pin, share(likeness.AsIs, likeness.Answers), with, strings.Join(causes, ", "))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, trimmedLines(text.String()))
	return err
}

func share(part, of int) string {
	return fmt.Sprintf("%d of %d (%.1f %%)", part, of, 100*float64(part)/float64(of))
}
