package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
)

func newCase() *cobra.Command {
	command := &cobra.Command{
		Use:   "case",
		Short: "Add cases, and check and format case files",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newCaseFmt(), newCaseGoldens(), newCaseLint(), newCaseNew(), newCaseSchema())
	return command
}

func newCaseSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of case files, cases/schema.json",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := cmd.OutOrStdout().Write(cases.Schema()); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the schema: %w", err)}
			}
			return nil
		},
	}
}
