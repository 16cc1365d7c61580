package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner/report"
)

func newCompare() *cobra.Command {
	var details bool
	command := &cobra.Command{
		Use:   "compare CERTIFICATE CERTIFICATE",
		Short: "Say whether two certificates are comparable, and what changed",
		Long: `Say whether the numbers of two certificates may stand side by side: the same
version, pins, corpus, goldens, claims, answers, conditions, exceptions and
mode; and what changed from the first to the second, check by check.

0: comparable, whatever changed; 1: not comparable; 2: one is no certificate.
It does not check that they are true: normcert verify does.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var both [2]*report.Certificate
			for i, file := range args {
				certificate, err := readCertificate(file)
				if err != nil {
					return badInput(err)
				}
				both[i] = certificate
			}
			comparison := report.Compare(both[0], both[1])
			if err := comparison.Text(cmd.OutOrStdout(), details); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the comparison: %w", err)}
			}
			if !comparison.Comparable() {
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&details, "details", false, "list every check that changed")
	return command
}
