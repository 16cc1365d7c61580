package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
)

func newBaseline() *cobra.Command {
	command := &cobra.Command{
		Use:   "baseline",
		Short: "Make or update a file of known deviations",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.New("baseline takes a verb: normcert baseline write FILE")
		},
	}
	command.AddCommand(newBaselineWrite())
	return command
}

func newBaselineWrite() *cobra.Command {
	var flags struct {
		claims, except, patterns []string
		bits                     bool
		dir, class               string
		program                  programFlags
	}
	command := &cobra.Command{
		Use:   "write [flags] FILE [-- COMMAND ARG ...]",
		Short: "Record the deviations of today in a file, for certify --baseline",
		Long: `Certify COMMAND and record in FILE how it deviates. Where FILE is there it is
updated with the smallest change: classes, reasons, order and comments stay,
entries that no longer deviate go, new ones are put at the end. Entries of
cases or claims that this run does not ask for are left alone.

Timeouts, crashes and broken protocol are never recorded: no baseline
excuses them.`,
		Example: `  normcert baseline write known.toml -- ./acme
  normcert certify --baseline known.toml -- ./acme`,
		Args: func(cmd *cobra.Command, args []string) error { return oneBeforeDash(cmd, args, "FILE") },
		RunE: func(cmd *cobra.Command, args []string) error {
			file, program := args[0], args[1:]
			if flags.class != runner.Bug && flags.class != runner.Wontfix {
				return badInput(fmt.Errorf("--class %s: it is %s or %s", flags.class, runner.Bug, runner.Wontfix))
			}
			content, err := os.ReadFile(file)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return badInput(fmt.Errorf("reading the baseline: %w", err))
			}
			if _, err := runner.ParseBaseline(file, content); err != nil {
				return badInput(err)
			}
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			config := runner.Config{Corpus: corpus, Goldens: set, Claims: flags.claims, Except: flags.except, Bits: flags.bits, Patterns: flags.patterns, Command: program, NoWhy: true}
			result, err := flags.program.certify(cmd, config)
			if err != nil {
				return err
			}
			if result.Interrupted {
				return exitError{exitIncomplete, errors.New("interrupted; the baseline is as it was")}
			}
			return writeBaseline(cmd.OutOrStdout(), file, content, result, config, flags.class)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringArrayVar(&flags.claims, "claim", nil, "certify for this `CLAIM`, METRIC@UPSTREAM@COMMIT; may be repeated")
	f.StringSliceVar(&flags.except, "except", nil, "`CONDITIONS` to take out of the claim, separated by commas")
	f.BoolVar(&flags.bits, "bits", false, "let rounding differences count as deviations")
	caseFlag(command, &flags.patterns)
	dirFlag(command, &flags.dir)
	f.StringVar(&flags.class, "class", runner.Bug, "`CLASS` of new entries: bug or wontfix")
	flags.program.add(f)
	flags.program.addFilter(f)
	return command
}

func writeBaseline(out io.Writer, file string, content []byte, result *runner.Report, config runner.Config, class string) error {
	updated, err := result.Update(file, content, config, class)
	if err != nil {
		return badInput(err)
	}
	verb := "written"
	if string(updated) == string(content) {
		verb = "as it was"
	} else if err := writeWhole(file, func(to io.Writer) error { _, err := to.Write(updated); return err }); err != nil {
		return exitError{exitNoVerdict, fmt.Errorf("writing the baseline: %w", err)}
	}
	b, err := runner.ParseBaseline(file, updated)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s: %d known, %s\n", file, len(b.Entries), verb); err != nil {
		return exitError{exitNoVerdict, err}
	}
	return nil
}

// oneBeforeDash wants one argument before --, and after it, where it is there, a command.
func oneBeforeDash(cmd *cobra.Command, args []string, name string) error {
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash < 0 && len(args) != 1, dash >= 0 && dash != 1:
		return fmt.Errorf("%s takes one argument, %s; a command goes after --", cmd.CommandPath(), name)
	case dash == 1 && len(args) == 1:
		return errors.New("no command after --; leave -- out where there is none")
	}
	return nil
}

// readBaseline reads a file of known deviations.
func readBaseline(file string) (*runner.Baseline, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	return runner.ParseBaseline(file, content)
}

// tellStale says which entries no longer hold, and in which line.
func tellStale(errs io.Writer, b *runner.BaselineReport) {
	for _, problem := range b.Problems {
		fmt.Fprintln(errs, "normcert: "+b.At(problem))
	}
}

// certify starts a program and certifies it. The error has an exit code.
func (p *programFlags) certify(cmd *cobra.Command, config runner.Config) (*runner.Report, error) {
	if err := p.validate(config.Command, config.Claims); err != nil {
		return nil, badInput(err)
	}
	config.Window, config.Shuffle = p.window(), p.shuffle.seed
	if err := config.Validate(); err != nil {
		return nil, failed(err)
	}
	adapter, err := p.start(config.Command, config.Claims)
	if err != nil {
		return nil, exitError{exitNoVerdict, err}
	}
	ended := showProgress(cmd.ErrOrStderr(), &config)
	result, err := runner.Certify(cmd.Context(), adapter, config)
	ended()
	if err != nil {
		return nil, failed(err)
	}
	if result.ExitCode() != exitHolds {
		tellStderr(cmd.ErrOrStderr(), adapter)
	}
	return result, nil
}
