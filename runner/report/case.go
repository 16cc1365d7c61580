package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// Cases writes each case for people: its strings with invisible characters
// drawn, intents, reason and source, and what each pin returns under each setup.
func Cases(out io.Writer, corpus cases.Corpus, set *golden.Set) error {
	var text strings.Builder
	first := true
	for one := range corpus.Cases {
		if !first {
			text.WriteByte('\n')
		}
		first = false
		writeCase(&text, one, set)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func writeCase(out *strings.Builder, one cases.Case, set *golden.Set) {
	fmt.Fprintf(out, "%s\n", one.ID)
	for i, item := range one.Items {
		prefix := "  "
		if !one.Single {
			prefix = fmt.Sprintf("  item %d, id %s: ", i, visible.Quote(item.ID))
		}
		fmt.Fprintf(out, "%s%s\n", prefix, drawItem(item))
	}
	if len(one.Items) == 0 {
		out.WriteString("  the empty batch\n")
	}
	fmt.Fprintf(out, "  why: %s\n", one.Why)
	if one.Source != "" {
		fmt.Fprintf(out, "  source: %s\n", one.Source)
	}
	for _, setup := range one.Setups {
		fmt.Fprintf(out, "  %s\n", setup)
		for _, goldens := range set.Pins() {
			if _, covered := goldens.Pin.Covers(setup.Metric); !covered {
				continue
			}
			record, recorded := goldens.Record(one.ID, setup.String())
			if !recorded {
				fmt.Fprintf(out, "    %s  no golden\n", goldens.Pin.Name())
				continue
			}
			fmt.Fprintf(out, "    %s  %s\n", goldens.Pin.Name(), drawRecord(one, setup, goldens, record))
		}
	}
}

func drawItem(item cases.Item) string {
	references := make([]string, len(item.References))
	for i, reference := range item.References {
		references[i] = visible.Quote(reference)
	}
	prediction := "no prediction"
	if item.Prediction != nil {
		prediction = visible.Quote(*item.Prediction)
	}
	text := fmt.Sprintf("%s for [%s]: %s", prediction, strings.Join(references, ", "), item.Intent)
	if item.NoAnswerProbability != 0 {
		text += fmt.Sprintf(" (no-answer probability %v)", item.NoAnswerProbability)
	}
	return text
}

func drawRecord(one cases.Case, setup metric.Setup, goldens *golden.Goldens, record golden.Record) string {
	var parts []string
	if record.Error != "" {
		parts = append(parts, "refuses: "+string(record.Error))
	}
	m, err := metric.Lookup(setup.Metric)
	if err == nil && record.Error == "" {
		for _, key := range m.KeyNames() {
			if score, there := record.Scores[key]; there {
				number := metric.Double(score)
				parts = append(parts, key+" "+runner.Value{Number: &number}.String())
			}
		}
	}
	if len(one.Items) == 1 && len(record.Normalized) == 1 {
		parts = append(parts, drawNormalized(record.Normalized[0]))
	}
	decision := runner.Decide(one, setup, goldens.Pin, record)
	return fmt.Sprintf("%s  [%s]", strings.Join(parts, ", "), decision)
}

func drawNormalized(n golden.Normalized) string {
	references := make([]string, len(n.References))
	for i, reference := range n.References {
		references[i] = visible.Quote(reference)
	}
	prediction := "no prediction"
	if n.Prediction != nil {
		prediction = visible.Quote(*n.Prediction)
	}
	return fmt.Sprintf("normalized %s for [%s]", prediction, strings.Join(references, ", "))
}
