package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newIdentify() *cobra.Command {
	var flags struct {
		patterns              []string
		dir                   string
		startTimeout, timeout time.Duration
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
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			config := runner.Config{Corpus: corpus, Goldens: set, Patterns: flags.patterns, Command: args}
			if err := config.Validate(); err != nil {
				return failed(err)
			}
			program, err := process.New(process.Config{Command: args, StartTimeout: flags.startTimeout, RequestTimeout: flags.timeout})
			if err != nil {
				return exitError{exitNoVerdict, err}
			}
			ended := showProgress(cmd.ErrOrStderr(), &config)
			hello, ranking, err := runner.Identify(cmd.Context(), program, config)
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
	command.Flags().DurationVar(&flags.startTimeout, "start-timeout", 10*time.Second, "how long the program may take to say hello")
	command.Flags().DurationVar(&flags.timeout, "timeout", 5*time.Second, "how long it may take for an answer")
	return command
}
