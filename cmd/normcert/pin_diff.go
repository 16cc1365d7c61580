package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newPinDiff() *cobra.Command {
	var flags struct {
		dir, format string
		details     bool
	}
	command := &cobra.Command{
		Use:   "diff A B",
		Short: "Say what differs between two pins, and why",
		Long: `Compare two pins, case by case: of each metric that both cover, first whether
a change of scale explains everything; then what changed, grouped by the
variation of the reference that explains it; then every case that is accepted
or rejected otherwise, or agrees with its intent otherwise.

A and B are pins, or PATH:PIN, where PATH is a checkout or a folder of
goldens: the same pin recorded under two environments is compared like that.
A diff that shows differences is exit code 0.`,
		Example: `  normcert pin diff hf-evaluate@a7dd338 hf-evaluate@10ee266
  normcert pin diff hf-evaluate@a7dd338 ../python3.13:hf-evaluate@a7dd338`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("it takes two pins, A and B; there are %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write, known := map[string]func(io.Writer, *runner.PinDiff) error{
				"text":     func(out io.Writer, d *runner.PinDiff) error { return report.PinDiffText(out, d, flags.details) },
				"markdown": func(out io.Writer, d *runner.PinDiff) error { return report.PinDiffMarkdown(out, d, flags.details) },
				"json":     report.PinDiffJSON,
			}[flags.format]
			if !known {
				return badInput(fmt.Errorf("--format %s: it is text, markdown or json", flags.format))
			}
			diff, err := diffOf(args[0], args[1], flags.dir)
			if err != nil {
				return failed(err)
			}
			if err := write(cmd.OutOrStdout(), diff); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the diff: %w", err)}
			}
			return nil
		},
	}
	dirFlag(command, &flags.dir)
	command.Flags().StringVar(&flags.format, "format", "text", "`FORMAT`: text, markdown or json")
	command.Flags().BoolVar(&flags.details, "details", false, "list every answer that differs, not an example of each cause")
	return command
}

// diffOf loads both sides. The cases are those of --dir, else of the first side
// that has any, else the embedded ones.
func diffOf(first, second, dir string) (*runner.PinDiff, error) {
	corpusDir := dir
	var sides [2]*golden.Goldens
	for i, text := range []string{first, second} {
		place, name := splitPlace(text)
		if place == "" {
			place = dir
		}
		set, err := goldensAt(place)
		if err != nil {
			return nil, err
		}
		if sides[i], err = set.Find(name); err != nil {
			return nil, badInput(err)
		}
		if _, err := os.Stat(filepath.Join(place, "cases")); place != "" && err == nil && corpusDir == "" {
			corpusDir = place
		}
	}
	corpus, err := loadCorpus(corpusDir)
	if err != nil {
		return nil, err
	}
	diff, err := runner.DiffPins(sides[0], sides[1], corpus)
	if err == nil && diff.NameA == diff.NameB {
		diff.NameA, diff.NameB = first, second
	}
	return diff, err
}

// goldensAt reads goldens from a checkout or a folder of goldens; "" is the
// embedded ones.
func goldensAt(place string) (*golden.Set, error) {
	if place == "" {
		return golden.Embedded()
	}
	folder := place
	if inside := filepath.Join(place, "golden"); isFolder(inside) {
		folder = inside
	}
	if !isFolder(folder) {
		return nil, badInput(fmt.Errorf("%s is not a folder", folder))
	}
	set, err := golden.Load(os.DirFS(folder))
	if err != nil {
		return nil, badInput(fmt.Errorf("goldens in %s: %w", folder, err))
	}
	return set, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
