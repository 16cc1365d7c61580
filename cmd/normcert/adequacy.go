package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newAdequacy() *cobra.Command {
	var dir string
	var seed uint64
	var details bool
	command := &cobra.Command{
		Use:   "adequacy",
		Short: "Say whether the corpus catches every variation of the catalogue",
		Long: `Put every variation of the reference, at every pin, to the corpus, and then
random pairs of them. Each has to be caught by a case of a hazard that has to
do with it, for everything that an adapter can be certified for alone: its
normalized form, its exact match, its F1, its batches; and every case has to
catch one, or to say in its purpose what else it is for.

Exit code 1 says that something was found.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			adequacy, err := runner.CheckAdequacy(cmd.Context(), corpus, set, seed)
			if err != nil {
				return failed(err)
			}
			if err := report.Adequacy(cmd.OutOrStdout(), adequacy, details); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the table: %w", err)}
			}
			if adequacy.Found() {
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	dirFlag(command, &dir)
	command.Flags().Uint64Var(&seed, "seed", 1, "the `number` that the random pairs come from")
	command.Flags().BoolVar(&details, "details", false, "say of each variation what it does and where it was seen")
	return command
}
