package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/runner"
)

func newCaseLint() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "lint",
		Short: "Say what is wrong with cases that load",
		Long: `Check what a reviewer should not have to: what cannot be seen is escaped,
reasons are plain and given once, intents do not contradict each other, sources
lead somewhere, no character depends on the Unicode version, released ids stay
as they are, each hazard has a contrast, each case shows something.

Exit code 1 says that something was found.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			files := caseFiles(dir)
			problems, err := cases.Lint(files)
			if err != nil {
				return badInput(err)
			}
			released, err := cases.LoadSets(files)
			if err != nil {
				return badInput(err)
			}
			problems = append(problems, released.Check(corpus)...)
			shown, err := runner.Lint(cmd.Context(), corpus, set)
			if err != nil {
				return failed(err)
			}
			problems = append(problems, shown...)
			for _, problem := range problems {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", inCases(problem)); err != nil {
					return exitError{exitNoVerdict, err}
				}
			}
			if len(problems) > 0 {
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	checkoutFlag(command, &dir)
	return command
}

// caseFiles are the files of cases/, embedded or of a checkout.
func caseFiles(dir string) fs.FS {
	if dir == "" {
		return cases.Files()
	}
	return os.DirFS(filepath.Join(dir, "cases"))
}

// inCases is a problem with the path from the root of a checkout.
func inCases(problem *cases.Error) string { return "cases/" + problem.Error() }
