package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

// Summary writes a corpus in figures: by hazard, with what the pins get wrong
// and right, by metric, by intent and by script.
func Summary(out io.Writer, corpus cases.Corpus, set *golden.Set) error {
	var text strings.Builder
	line := func(t hazardCount, name string) {
		fmt.Fprintf(&text, "%7d%8d%14d%14d%10d  %s\n", t.cases, t.checks, t.accepts, t.rejects, t.contrasts, name)
	}
	text.WriteString("  cases  checks  wrong accept  wrong reject  contrast  hazard\n")
	var all hazardCount
	metrics, intents, scripts := map[string]int{}, map[string]int{}, map[string]int{}
	for _, hazard := range corpus.Hazards {
		t := countHazard(hazard, set)
		all.add(t)
		line(t, hazard.Name)
		for _, one := range hazard.Cases {
			for _, setup := range one.Setups {
				metrics[setup.Metric]++
			}
			for _, item := range one.Items {
				intents[string(item.Intent)]++
			}
			for _, script := range one.Scripts() {
				scripts[script]++
			}
		}
	}
	line(all, "all")
	figures(&text, "checks", "metric", metrics)
	figures(&text, "items", "intent", intents)
	figures(&text, "cases", "script", scripts)
	_, err := io.WriteString(out, text.String())
	return err
}

// figures writes counts, the largest first.
func figures(out *strings.Builder, unit, by string, counts map[string]int) {
	fmt.Fprintf(out, "\n%7s  %s\n", unit, by)
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(out, "%7d  %s\n", counts[name], name)
	}
}

// hazardCount counts cases; one may be a wrong accept at one pin and a wrong reject at
// another, or under another setup. A contrast is right at every pin.
type hazardCount struct{ cases, checks, accepts, rejects, contrasts int }

func (t *hazardCount) add(other hazardCount) {
	t.cases += other.cases
	t.checks += other.checks
	t.accepts += other.accepts
	t.rejects += other.rejects
	t.contrasts += other.contrasts
}

func countHazard(hazard cases.Hazard, set *golden.Set) hazardCount {
	t := hazardCount{cases: len(hazard.Cases)}
	for _, one := range hazard.Cases {
		t.checks += len(one.Setups)
		s := runner.ShowingOf(one, set)
		if s.WrongAccepts > 0 {
			t.accepts++
		}
		if s.WrongRejects > 0 {
			t.rejects++
		}
		if s.Contrast() {
			t.contrasts++
		}
	}
	return t
}
