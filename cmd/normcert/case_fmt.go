package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

func newCaseFmt() *cobra.Command {
	var dir string
	var check bool
	command := &cobra.Command{
		Use:   "fmt [--check] [FILE ...]",
		Short: "Bring case files to their canonical form",
		Long: `Bring case files to their canonical form: keys in one order, the signs =
below each other, an escape for what cannot be seen. What a file says does not
change. Without FILE it is every file of cases/. It is all or nothing: where a
file does not parse, none is written.

With --check nothing is written, and exit code 1 says that a file would be.`,
		Example: `  normcert case fmt
  normcert case fmt --check cases/article-glue.toml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files := args
			if len(files) == 0 {
				found, err := filepath.Glob(filepath.Join(dir, "cases", "*.toml"))
				if err != nil || len(found) == 0 {
					return badInput(fmt.Errorf("no case files in %s; --dir takes the root of a checkout", filepath.Join(dir, "cases")))
				}
				files = found
			}
			changes, err := formatted(files)
			if err != nil {
				return badInput(err)
			}
			if !check {
				if err := golden.Commit(changes); err != nil {
					return exitError{exitNoVerdict, err}
				}
			}
			for _, change := range changes {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), change.Path); err != nil {
					return exitError{exitNoVerdict, err}
				}
			}
			if check && len(changes) > 0 {
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	command.Flags().StringVar(&dir, "dir", ".", "the `ROOT` of the checkout, with cases/")
	command.Flags().BoolVar(&check, "check", false, "write nothing, name the files that are in another form")
	return command
}

// formatted returns the files that are not in canonical form, as they would be.
func formatted(files []string) ([]golden.Change, error) {
	var changes []golden.Change
	var problems []error
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		canonical, err := cases.Format(name, content)
		switch {
		case err != nil:
			problems = append(problems, err)
		case !bytes.Equal(canonical, content):
			changes = append(changes, golden.Change{Path: name, Content: canonical})
		}
	}
	return changes, errors.Join(problems...)
}
