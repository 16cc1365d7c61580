package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// matrixFormats are the ways to write a matrix.
var matrixFormats = map[string]func(io.Writer, *runner.Matrix) error{
	"markdown": report.MatrixMarkdown, "json": report.MatrixJSON, "html": report.MatrixHTML,
}

func newMatrix() *cobra.Command {
	var flags struct {
		adapters string
		patterns []string
		dir      string
		outputs  outputs
		program  programFlags
	}
	command := &cobra.Command{
		Use:   "matrix --adapters FILE",
		Short: "Show several implementations side by side over the same checks",
		Long: `Certify each adapter of a TOML list and show them side by side over the checks
that all were asked: verdicts and counts, which behave alike, and the cases
that split them most. The list:

  [[adapter]]
  name    = "ours"
  command = ["python3", "ours.py"]   # left out: the built-in reference
  claims  = ["squad@hf-evaluate@a7dd338"]     # left out: what it says
  filter  = false                    # true: a filter, as with certify

0: all were run, whatever the verdicts; 2: the list is wrong; 3: one of them
cannot be run (the others are shown); 4: interrupted.`,
		Example: `  normcert matrix --adapters adapters.toml --format html -o matrix.html`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := flags.outputs.resolve("markdown")
			if err != nil {
				return badInput(err)
			}
			for _, one := range list {
				if matrixFormats[one.format] == nil {
					return badInput(fmt.Errorf("--format %s: of a matrix it is markdown, json or html", one.format))
				}
			}
			contenders, err := readContenders(flags.adapters)
			if err != nil {
				return badInput(err)
			}
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			config := runner.Config{Corpus: corpus, Goldens: set, Patterns: flags.patterns, NoWhy: true}
			for _, one := range contenders {
				own := config
				own.Claims = one.Claims
				if err := own.Validate(); err != nil {
					return failed(fmt.Errorf("adapter %s: %w", one.Name, err))
				}
			}
			contestants, err := contest(cmd, contenders, config, flags.program)
			if err != nil {
				return err
			}
			matrix := runner.NewMatrix(contestants)
			for _, one := range list {
				if err := one.write(cmd.OutOrStdout(), func(out io.Writer) error { return matrixFormats[one.format](out, matrix) }); err != nil {
					return exitError{exitNoVerdict, fmt.Errorf("writing the matrix as %s: %w", one.format, err)}
				}
			}
			return notRun(contestants)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&flags.adapters, "adapters", "", "`FILE` that lists the adapters")
	caseFlag(command, &flags.patterns)
	dirFlag(command, &flags.dir)
	flags.outputs.add(f, "markdown, json or html")
	flags.program.add(f)
	return command
}

func readContenders(file string) ([]runner.Contender, error) {
	if file == "" {
		return nil, errors.New("matrix takes --adapters FILE; see normcert matrix --help")
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--adapters: %w", err)
	}
	return runner.ParseContenders(file, content)
}

// contest certifies one after the other. One that cannot be run is named in the
// matrix; an interruption and a mistake in the list end it.
func contest(cmd *cobra.Command, list []runner.Contender, config runner.Config, program programFlags) ([]runner.Contestant, error) {
	var contestants []runner.Contestant
	for _, one := range list {
		own := config
		own.Claims, own.Command, own.Files = one.Claims, one.Command, runner.FilesOf(one.Command)
		program.filter = one.Filter
		own.Flags = program.again("")
		result, err := program.certify(cmd, own)
		var exit exitError
		switch {
		case errors.As(err, &exit) && exit.code == exitNoVerdict:
			contestants = append(contestants, runner.Contestant{Contender: one, Err: exit.err})
			continue
		case err != nil:
			return nil, fmt.Errorf("adapter %s: %w", one.Name, err)
		case result.Interrupted:
			return nil, exitError{exitIncomplete, errors.New("interrupted")}
		}
		contestants = append(contestants, runner.Contestant{Contender: one, Report: result})
	}
	return contestants, nil
}

func notRun(list []runner.Contestant) error {
	for _, one := range list {
		if one.Err != nil {
			return exitError{exitNoVerdict, fmt.Errorf("adapter %s: %w", one.Name, one.Err)}
		}
	}
	return nil
}
