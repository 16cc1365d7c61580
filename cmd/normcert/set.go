package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

func newSet() *cobra.Command {
	command := &cobra.Command{
		Use:   "set",
		Short: "The frozen sets of cases that certify --set is held to",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newSetFreeze(), newSetList())
	return command
}

func newSetFreeze() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "freeze NAME",
		Short: "Freeze the corpus of a checkout as a set",
		Long: `Write cases/sets/NAME.set: every case under every setup, with a digest of
what is judged. A set never changes: a name that is there is refused, and so is
a corpus that another set does not hold for.`,
		Example: "  normcert set freeze 1.0",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			corpus, err := loadCorpus(dir)
			if err != nil {
				return err
			}
			sets, err := cases.LoadSets(caseFiles(dir))
			if err != nil {
				return badInput(err)
			}
			if problems := sets.Check(corpus); len(problems) > 0 {
				return badInput(fmt.Errorf("the corpus breaks with what is frozen; normcert case lint lists it all: %w", problems[0]))
			}
			set, err := corpus.Freeze(args[0])
			if err != nil {
				return badInput(err)
			}
			path := filepath.Join(dir, "cases", filepath.FromSlash(set.File()))
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				return badInput(fmt.Errorf("%s is there; a set never changes, freeze another name", path))
			}
			if err := golden.Commit([]golden.Change{{Path: path, Content: set.Encode()}}); err != nil {
				return exitError{exitNoVerdict, err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: %d checks of %d cases\n", path, len(set.Entries), set.Cases())
			return err
		},
	}
	command.Flags().StringVar(&dir, "dir", ".", "the `ROOT` of the checkout, with cases/")
	return command
}

func newSetList() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "list",
		Short: "List the frozen sets",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			sets, err := cases.LoadSets(caseFiles(hereIf(dir, "cases")))
			if err != nil {
				return badInput(err)
			}
			if len(sets.List) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "no set is frozen yet")
				return err
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, set := range sets.List {
				fmt.Fprintf(table, "%s\t%d cases\t%d checks\t%s\n", set.Name, set.Cases(), len(set.Entries), set.Digest()[:12])
			}
			return table.Flush()
		},
	}
	dirFlag(command, &dir)
	return command
}

// frozenSet is the set that a run is held to; nil for the name "", all cases.
func frozenSet(name, dir string, corpus cases.Corpus) (*runner.FrozenSet, error) {
	sets, err := cases.LoadSets(caseFiles(dir))
	if err != nil {
		return nil, badInput(err)
	}
	frozen, err := runner.Freeze(name, sets, corpus)
	return frozen, failed(err)
}
