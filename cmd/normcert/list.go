package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newList() *cobra.Command {
	var dir string
	var patterns []string
	var outcomes, summary bool
	command := &cobra.Command{
		Use:   "list",
		Short: "List the cases, one line each",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			selected, err := corpus.Select(patterns)
			if err != nil {
				return badInput(err)
			}
			if summary {
				if err := report.Summary(cmd.OutOrStdout(), selected, set); err != nil {
					return exitError{exitNoVerdict, fmt.Errorf("writing the figures: %w", err)}
				}
				return nil
			}
			if outcomes {
				if err := runner.OutcomesTable(cmd.OutOrStdout(), selected, set); err != nil {
					return exitError{exitNoVerdict, fmt.Errorf("writing the list: %w", err)}
				}
				return nil
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for one := range selected.Cases {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", one.ID, intents(one), metrics(one), strings60(one))
			}
			if err := table.Flush(); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the list: %w", err)}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&outcomes, "outcomes", false, "a line for each case and setup, with what each pin decides")
	command.Flags().BoolVar(&summary, "summary", false, "the corpus in figures: by hazard, metric, intent and script")
	command.MarkFlagsMutuallyExclusive("outcomes", "summary")
	caseFlag(command, &patterns)
	dirFlag(command, &dir)
	return command
}

// intents is the intent of a single item, or how many a batch has.
func intents(one cases.Case) string {
	if len(one.Items) == 1 {
		return string(one.Items[0].Intent)
	}
	return fmt.Sprintf("batch of %d", len(one.Items))
}

// metrics names the metrics of the setups, each once.
func metrics(one cases.Case) string {
	var names []string
	seen := map[string]bool{}
	for _, setup := range one.Setups {
		if !seen[setup.Metric] {
			seen[setup.Metric] = true
			names = append(names, setup.Metric)
		}
	}
	return strings.Join(names, ",")
}

// strings60 draws the first item in about sixty characters.
func strings60(one cases.Case) string {
	if len(one.Items) == 0 {
		return ""
	}
	item := one.Items[0]
	text := "no prediction"
	if item.Prediction != nil {
		text = visible.Quote(cut(*item.Prediction, 28))
	}
	if len(item.References) == 0 {
		return text + " without a reference"
	}
	text += " for " + visible.Quote(cut(item.References[0], 28))
	if more := len(item.References) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
