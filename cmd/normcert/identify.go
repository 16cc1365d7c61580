package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newIdentify() *cobra.Command {
	var flags struct {
		patterns []string
		dir      string
		program  programFlags
	}
	command := &cobra.Command{
		Use:   "identify [flags] -- COMMAND [ARG ...]",
		Short: "Say which metric and pin an unknown scorer is nearest to",
		Long: `Ask COMMAND everything under each metric that it names, and rank every metric
and pin by how near the answers are to it: as it is, and with the variations
that remain.`,
		Example: `  normcert identify -- python3 my_adapter.py`,
		Args:    afterDash,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badInput(fmt.Errorf("no command: identify takes one after --"))
			}
			if err := flags.program.validate(args, nil); err != nil {
				return badInput(err)
			}
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			config := runner.Config{Corpus: corpus, Goldens: set, Patterns: flags.patterns, Command: args, Shuffle: flags.program.shuffle.seed}
			if err := config.Validate(); err != nil {
				return failed(err)
			}
			adapter, err := flags.program.start(args, nil)
			if err != nil {
				return exitError{exitNoVerdict, err}
			}
			ended := showProgress(cmd.ErrOrStderr(), &config)
			hello, ranking, err := runner.Identify(cmd.Context(), adapter, config)
			ended()
			if err != nil {
				return failed(err)
			}
			if err := report.Ranking(cmd.OutOrStdout(), hello, ranking); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the ranking: %w", err)}
			}
			return nil
		},
	}
	caseFlag(command, &flags.patterns)
	dirFlag(command, &flags.dir)
	flags.program.add(command.Flags())
	return command
}
