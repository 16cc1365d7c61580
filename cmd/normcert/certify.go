package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newCertify() *cobra.Command {
	var flags struct {
		claims, except, patterns []string
		bits, details            bool
		dir, format              string
		program                  programFlags
	}
	command := &cobra.Command{
		Use:   "certify [flags] [-- COMMAND ARG ...]",
		Short: "Say whether an implementation equals a pin, and which traps it has",
		Long: `Put the cases to COMMAND, a program that speaks the protocol of
adapters/PROTOCOL.md on stdin and stdout, or to the built-in reference where
no command is given, and report for each claim: is it the same as the pin?
is it right?

Without --claim each metric that the program names is judged at the pins it
names, else at the metric's default pin. Some requests are asked a second
time: an answer that depends on order or time is never conformant.`,
		Example: `  normcert certify
  normcert certify -- python3 my_adapter.py
  normcert certify --claim squad@hf-evaluate@86baf12 -- python3 my_adapter.py
  normcert certify --filter --claim squad@hf-evaluate@a7dd338 -- ./normalize
  normcert certify --case empty-collapse --case '*/no-break-*' --details`,
		Args: afterDash,
		RunE: func(cmd *cobra.Command, args []string) error {
			write, known := map[string]func(io.Writer, *runner.Report) error{
				"text": func(out io.Writer, r *runner.Report) error { return report.Text(out, r, flags.details) },
				"json": report.JSON,
			}[flags.format]
			if !known {
				return badInput(fmt.Errorf("--format %s: it is text or json", flags.format))
			}
			if err := flags.program.validate(args, flags.claims); err != nil {
				return badInput(err)
			}
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			config := runner.Config{
				Corpus: corpus, Goldens: set, Claims: flags.claims, Except: flags.except, Bits: flags.bits, Patterns: flags.patterns, Command: args,
				Shuffle: flags.program.shuffle.seed, Window: flags.program.window(),
			}
			if err := config.Validate(); err != nil {
				return failed(err)
			}
			adapter, err := flags.program.start(args, flags.claims)
			if err != nil {
				return exitError{exitNoVerdict, err}
			}
			ended := showProgress(cmd.ErrOrStderr(), &config)
			result, err := runner.Certify(cmd.Context(), adapter, config)
			ended()
			if err != nil {
				return failed(err)
			}
			if result.ExitCode() != exitHolds {
				tellStderr(cmd.ErrOrStderr(), adapter)
			}
			return finish(cmd.OutOrStdout(), result, write)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringArrayVar(&flags.claims, "claim", nil, "certify for this `CLAIM`, METRIC@UPSTREAM@COMMIT; may be repeated")
	f.StringSliceVar(&flags.except, "except", nil, "`CONDITIONS` to take out of the claim, separated by commas")
	f.BoolVar(&flags.bits, "bits", false, "let rounding differences fail the claim too")
	caseFlag(command, &flags.patterns)
	dirFlag(command, &flags.dir)
	f.StringVar(&flags.format, "format", "text", "`FORMAT` of the report: text or json")
	f.BoolVar(&flags.details, "details", false, "list every deviation and every wrong decision")
	flags.program.add(f)
	flags.program.addFilter(f)
	return command
}

// afterDash refuses arguments that do not follow --: a command that is taken
// for a pattern, or the other way round, would certify something else.
func afterDash(cmd *cobra.Command, args []string) error {
	if dash := cmd.ArgsLenAtDash(); len(args) > 0 && dash != 0 {
		return fmt.Errorf("unexpected argument %q; put the command and its arguments after --", args[0])
	}
	if cmd.ArgsLenAtDash() == 0 && len(args) == 0 {
		return fmt.Errorf("no command after --; leave -- out to certify the built-in reference")
	}
	return nil
}

func finish(out io.Writer, result *runner.Report, write func(io.Writer, *runner.Report) error) error {
	if err := write(out, result); err != nil {
		return exitError{exitNoVerdict, fmt.Errorf("writing the report: %w", err)}
	}
	if code := result.ExitCode(); code != exitHolds {
		return exitError{code: code}
	}
	return nil
}
