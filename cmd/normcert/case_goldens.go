package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
)

func newCaseGoldens() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "goldens",
		Short: "Print the golden lines that cases of a checkout lack",
		Long: `Print the lines that golden files lack for the cases of a checkout, as the
reference gives them: what to add to a contribution that has only the TOML.
They are unconfirmed until upstream has recorded them (normcert regen). Lines
are sorted by case and setup in each file.

Exit code 1 says that lines are missing, or stand for no case.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			missing, stray, err := runner.MissingGoldens(cmd.Context(), corpus, set)
			if err != nil {
				return failed(err)
			}
			if err := writeMissing(cmd.OutOrStdout(), missing, stray); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the lines: %w", err)}
			}
			if len(missing)+len(stray) > 0 {
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	checkoutFlag(command, &dir)
	return command
}

// writeMissing writes a diff without context, file by file.
func writeMissing(out io.Writer, missing, stray []runner.MissingGolden) error {
	file := ""
	var text strings.Builder
	write := func(m runner.MissingGolden, sign, line string) {
		if name := m.File(); name != file {
			file = name
			fmt.Fprintf(&text, "%s\n", file)
		}
		fmt.Fprintf(&text, "%s%s\n", sign, line)
	}
	for _, m := range missing {
		if m.Stands != nil {
			write(m, "-", m.StandsLine())
		}
		write(m, "+", m.Line())
	}
	for _, m := range stray {
		write(m, "-", m.Line())
	}
	_, err := io.WriteString(out, text.String())
	return err
}
