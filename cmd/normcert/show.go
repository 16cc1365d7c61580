package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner/report"
)

func newShow() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "show CASE",
		Short: "Show a case: its strings and reason, and what every pin returns",
		Example: `  normcert show empty-collapse/bare-article
  normcert show empty-collapse`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("show takes one case or hazard, not %d; normcert list shows them", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			selected, err := corpus.Select(args)
			if err != nil {
				return badInput(err)
			}
			if err := report.Cases(cmd.OutOrStdout(), selected, set); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the case: %w", err)}
			}
			return nil
		},
	}
	dirFlag(command, &dir)
	return command
}
