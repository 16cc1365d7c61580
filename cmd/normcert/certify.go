package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newCertify() *cobra.Command {
	var flags struct {
		claims, except, patterns []string
		bits, details            bool
		dir, baseline, set       string
		outputs                  outputs
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
time: where the answer is then another, it is different, and the claim is
not conformant.`,
		Example: `  normcert certify
  normcert certify -- python3 my_adapter.py
  normcert certify --claim squad@hf-evaluate@86baf12 -- python3 my_adapter.py
  normcert certify --filter --claim squad@hf-evaluate@a7dd338 -- ./normalize
  normcert certify --format json -o a.json --format html -o a.html -- ./acme
  normcert certify --case empty-collapse --case '*/no-break-*' --details`,
		Args: afterDash,
		RunE: func(cmd *cobra.Command, args []string) error {
			files := runner.FilesOf(args)
			formats, err := reportOutputs(&flags.outputs, files)
			if err != nil {
				return badInput(err)
			}
			corpus, set, err := load(flags.dir)
			if err != nil {
				return err
			}
			frozen, err := frozenSet(flags.set, flags.dir, corpus)
			if err != nil {
				return err
			}
			config := runner.Config{
				Corpus: corpus, Set: frozen, Goldens: set, Claims: flags.claims, Except: flags.except, Bits: flags.bits, Patterns: flags.patterns, Command: args,
				Files: files, Flags: flags.program.again(flags.dir),
			}
			var known *runner.Baseline
			if flags.baseline != "" {
				if known, err = readBaseline(flags.baseline); err != nil {
					return badInput(err)
				}
			}
			result, err := flags.program.certify(cmd, config)
			if err != nil {
				return err
			}
			if known != nil {
				result.Apply(known, config, runner.Day(time.Now()))
				tellStale(cmd.ErrOrStderr(), result.Baseline)
			}
			if err := writeReport(cmd.OutOrStdout(), formats, result, flags.details); err != nil {
				return err
			}
			return exitOf(result)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringArrayVar(&flags.claims, "claim", nil, "certify for this `CLAIM`, METRIC@UPSTREAM@COMMIT; may be repeated")
	f.StringSliceVar(&flags.except, "except", nil, "`CONDITIONS` to take out of the claim, separated by commas")
	f.BoolVar(&flags.bits, "bits", false, "let rounding differences fail the claim too")
	caseFlag(command, &flags.patterns)
	f.StringVar(&flags.set, "set", "", "only what the frozen set `NAME` has; what is outside is named as not scored")
	dirFlag(command, &flags.dir)
	f.StringVar(&flags.baseline, "baseline", "", "`FILE` of known deviations, which have to deviate as recorded")
	flags.outputs.add(f, formatNames())
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

// reportOutputs are the formats of a report, checked before anything runs.
func reportOutputs(all *outputs, files []runner.File) ([]output, error) {
	list, err := all.resolve("text")
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if _, err := report.Named(one.format, false); err != nil {
			return nil, err
		}
		if one.format == "in-toto" && len(files) == 0 {
			return nil, fmt.Errorf("--format in-toto: %w", report.ErrNoSubject)
		}
	}
	return list, nil
}

func exitOf(result *runner.Report) error {
	if code := result.ExitCode(); code != exitHolds {
		return exitError{code: code}
	}
	return nil
}
