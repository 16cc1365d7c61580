package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
)

func newScore() *cobra.Command {
	var config runner.ScoreConfig
	var rows string
	command := &cobra.Command{
		Use:   "score --setup SETUP --pin PIN [FILE.jsonl|-]",
		Short: "Score a file of predictions exactly as a pin would",
		Long: `Read one item per line, {"prediction": "...", "references": ["..."]}, score
them as one batch exactly as the pin would, and print one JSON object with
scores, row count and signature. An item may carry an "id" and, for squad_v2,
a "no_answer_probability"; exact_match takes exactly one reference.

A bad line ends it with an error that names it; none is dropped. Where the
metric itself refuses the batch, as upstream does by raising, the object has
an "error", and the exit code is 1.`,
		Example: `  normcert score --setup squad --pin hf-evaluate@a7dd338 answers.jsonl
  normcert score --setup 'exact_match{ignore_case=true}' \
    --pin hf-evaluate@86baf12 - < answers.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			config.Name, config.Input = "stdin", untilDone(cmd.Context(), cmd.InOrStdin())
			if len(args) == 1 && args[0] != "-" {
				file, err := openInput(args[0], rows)
				if err != nil {
					return badInput(err)
				}
				defer file.Close()
				config.Name, config.Input = args[0], file
			}
			done := func() error { return nil }
			if rows != "" {
				file, err := os.Create(rows)
				if err != nil {
					return exitError{exitNoVerdict, err}
				}
				config.Rows = file
				done = file.Close
			}
			result, err := runner.ScoreFile(cmd.Context(), config)
			err = errors.Join(err, done())
			if err != nil {
				return failed(err)
			}
			return printScores(cmd.OutOrStdout(), result)
		},
	}
	f := command.Flags()
	f.StringVar(&config.Setup, "setup", "", "metric with its options, such as squad_v2{no_answer_threshold=0.5}")
	f.StringVar(&config.Pin, "pin", "", "upstream and commit, such as hf-evaluate@a7dd338")
	f.StringVar(&rows, "rows", "", "write what each item scored to this file, one JSON line each")
	for _, name := range []string{"setup", "pin"} {
		if err := command.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return command
}

// openInput opens the file of items, which is not the one that rows go to:
// that one is emptied before anything is read.
func openInput(name, rows string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a directory, not a file of items", name)
	case rows != "":
		if other, statErr := os.Stat(rows); statErr == nil && os.SameFile(info, other) {
			err = fmt.Errorf("--rows %s is the file of items itself; name another one", rows)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func printScores(out io.Writer, result *runner.ScoreResult) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return exitError{exitNoVerdict, fmt.Errorf("writing the scores: %w", err)}
	}
	if result.Error != nil {
		return exitError{code: exitFails}
	}
	return nil
}
