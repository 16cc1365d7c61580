package main

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newExplain() *cobra.Command {
	var dir string
	var setups []string
	command := &cobra.Command{
		Use:                   "explain [flags] CASE | PREDICTION REFERENCE...",
		Short:                 "Say step by step what each metric does to a pair, or to a case",
		DisableFlagsInUseLine: true,
		Long: `Say step by step what each metric does to both sides: the string after every
step with invisible characters drawn, the scores, the decision, the
conditions, and the hazards it falls into, which are those of the variations
under which it would be decided the other way.

One argument is a case id; of several, the first is the prediction and the
others are its references.`,
		Example: `  normcert explain 'The car.' 'car'
  normcert explain --setup squad --setup 'exact_match{ignore_case=true}' Yes yes
  normcert explain empty-collapse/bare-article`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, text := range args {
				if !utf8.ValidString(text) {
					return badInput(fmt.Errorf("%+q is not valid UTF-8", text))
				}
			}
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			parsed, err := parseSetups(setups)
			if err != nil {
				return badInput(err)
			}
			explained, err := explain(args, parsed, corpus, set)
			if err != nil {
				return failed(err)
			}
			if err := report.Explained(cmd.OutOrStdout(), explained); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the explanation: %w", err)}
			}
			return nil
		},
	}
	command.Flags().StringArrayVar(&setups, "setup", nil, "explain under this `SETUP`, metric{option=value,...}; may be repeated")
	dirFlag(command, &dir)
	return command
}

func parseSetups(texts []string) ([]metric.Setup, error) {
	var setups []metric.Setup
	for _, text := range texts {
		setup, err := metric.ParseSetup(text)
		if err != nil {
			return nil, err
		}
		setups = append(setups, setup)
	}
	return setups, nil
}

func explain(args []string, setups []metric.Setup, corpus cases.Corpus, set *golden.Set) ([]runner.Explained, error) {
	if len(args) == 1 {
		one, known := corpus.Case(args[0])
		if !known {
			return nil, badInput(fmt.Errorf("no case %s; normcert list shows their ids. A pair is a prediction and at least one reference", args[0]))
		}
		if len(setups) > 0 {
			one.Setups = setups
		}
		return runner.ExplainCase(one, set)
	}
	items := []metric.Item{metric.Answered(args[0], args[1:]...)}
	asked := setups
	if len(asked) == 0 {
		asked = runner.DefaultSetups()
	}
	var list []runner.Explained
	for _, setup := range asked {
		explained, err := runner.Explain(setup, items, set)
		var wrong *runner.UsageError
		// Of the metrics that nobody named, one that cannot take several references is left out.
		if errors.As(err, &wrong) && len(setups) == 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = slices.Concat(list, explained)
	}
	return list, nil
}
