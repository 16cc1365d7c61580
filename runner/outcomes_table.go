package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// OutcomesTable writes a line for each case and setup: the intents, and what each
// pin decides. It is the table that turns red when an intent or a decision flips.
func OutcomesTable(out io.Writer, corpus cases.Corpus, set *golden.Set) error {
	for one := range corpus.Cases {
		intents := make([]string, len(one.Items))
		for i, item := range one.Items {
			intents[i] = string(item.Intent)
		}
		for _, setup := range one.Setups {
			var decisions []string
			for _, goldens := range set.Pins() {
				if _, covered := goldens.Pin.Covers(setup.Metric); !covered {
					continue
				}
				decisions = append(decisions, goldens.Pin.Name()+" "+decisionOf(one, setup, goldens))
			}
			if _, err := fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", one.ID, setup, strings.Join(intents, ","), strings.Join(decisions, "; ")); err != nil {
				return err
			}
		}
	}
	return nil
}

func decisionOf(one cases.Case, setup metric.Setup, goldens *golden.Goldens) string {
	record, recorded := goldens.Record(one.ID, setup.String())
	switch {
	case !recorded:
		return "no golden"
	case record.Error != "":
		return "refuses: " + string(record.Error)
	}
	return string(Decide(one, setup, goldens.Pin, record))
}
