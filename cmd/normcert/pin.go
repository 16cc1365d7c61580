package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newPin() *cobra.Command {
	command := &cobra.Command{
		Use:   "pin",
		Short: "Record, verify, list and compare pins",
		Long: `A pin is an upstream at an exact commit, with what it returns for every case.
These verbs record one, hold what is committed against upstream again, list
what there is, and say what differs between two.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q of pin; it is add, diff, list or verify", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newPinAdd(), newPinDiff(), newPinList(), newPinVerify())
	return command
}

func newPinAdd() *cobra.Command {
	var config runner.PinAddConfig
	command := &cobra.Command{
		Use:   "add PIN (--from DIR | -- COMMAND ARG ...)",
		Short: "Record a new pin: all of it, or nothing",
		Long: `Record a pin. UPSTREAM@COMMIT is recorded from DIR: a git repository that has
the commit, or a plain tree of its files, where COMMIT is in full. Which
metrics it covers is found out, and so are the blob ids and the scale.

NAME@VERSION is recorded from COMMAND, a program that speaks the protocol of
adapters/PROTOCOL.md: what its hello names becomes goldens of your own, for
certify --dir ROOT to hold other implementations against. Where ROOT has no
cases/, the built-in ones are asked.

Nothing is written before everything was answered; then one rename puts the
pin's folder into place.`,
		Example: `  normcert pin add hf-evaluate@a7dd338 --from ~/src/evaluate
  normcert pin add acme@2.1 --dir ~/acme -- python3 acme_adapter.py`,
		Args: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			switch {
			case len(args) == 0 || dash == 0:
				return errors.New("no pin; name it, as in: pin add hf-evaluate@a7dd338 --from DIR")
			case dash < 0 && len(args) > 1:
				return fmt.Errorf("unexpected argument %q; put a command and its arguments after --", args[1])
			case dash > 1:
				return fmt.Errorf("unexpected argument %q; one pin is added at a time", args[1])
			case dash == len(args):
				return errors.New("no command after --")
			case (dash == 1) == (config.From != ""):
				return errors.New("it takes either --from DIR, or a command after --")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Name, config.Command = args[0], args[1:]
			added, err := runner.AddPin(cmd.Context(), config)
			if err != nil {
				return failed(err)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "wrote %s\n", added.Folder)
			if err := report.PinList(out, added.Covered); err != nil {
				return exitError{exitNoVerdict, err}
			}
			return nil
		},
	}
	f := command.Flags()
	f.StringVar(&config.Root, "dir", ".", "the `ROOT` whose golden/ gets the pin, and whose cases/ are asked")
	f.StringVar(&config.From, "from", "", "`DIR`, a git repository of upstream or a plain tree of its files")
	f.StringVar(&config.Python, "python", "", "the `INTERPRETER` to record under (default: the first that has numpy)")
	f.StringSliceVar(&config.Metrics, "metric", nil, "record only these `METRICS`, separated by commas")
	f.StringVar(&config.About, "about", "", "`TEXT` for pin.toml: what there is to know of it")
	f.StringSliceVar(&config.Defaults, "default", nil, "`METRICS` for which this becomes the default pin")
	f.BoolVar(&config.Replace, "replace", false, "take the place of a pin of that name")
	return command
}

func newPinVerify() *cobra.Command {
	var config runner.PinVerifyConfig
	var details bool
	command := &cobra.Command{
		Use:   "verify [PIN ...] [--from DIR ...] [-- COMMAND ARG ...]",
		Short: "Ask upstream again and compare with what is committed",
		Long: `Run upstream again and compare every line with what is committed. A source
whose blob id is not the one in pin.toml is refused before anything runs.
Another Python, Unicode or numpy than the goldens were recorded under is
named, so that what it answers otherwise is not taken for tampering.

Without PIN, every pin that a DIR has the sources of is verified, and every
specification. A pin that was recorded from a program takes COMMAND.

Exit code 0 where all that was verified is equal, 1 where a line differs.`,
		Example: `  normcert pin verify --from ~/src/evaluate
  normcert pin verify hf-evaluate@10ee266 --from ~/src/evaluate-10ee266`,
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash >= 0 && (dash != 1 || dash == len(args)) {
				return errors.New("a command after -- speaks for the one pin before it, as in: pin verify acme@2.1 -- python3 acme_adapter.py")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Pins = args
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				config.Pins, config.Command = args[:dash], args[dash:]
			}
			list, err := runner.VerifyPins(cmd.Context(), config)
			if err != nil {
				return failed(err)
			}
			code := exitHolds
			for _, one := range list {
				if err := report.PinVerified(cmd.OutOrStdout(), one, details); err != nil {
					return exitError{exitNoVerdict, fmt.Errorf("writing the report: %w", err)}
				}
				if !one.Equal() {
					code = exitFails
				}
			}
			if code != exitHolds {
				return exitError{code: code}
			}
			return nil
		},
	}
	f := command.Flags()
	f.StringVar(&config.Root, "dir", ".", "the `ROOT` of the checkout, with cases/ and golden/")
	f.StringArrayVar(&config.From, "from", nil, "`DIR`, a git repository of upstream or a plain tree of its files; may be repeated")
	f.StringVar(&config.Python, "python", "", "the `INTERPRETER` to run under (default: the first that has numpy)")
	f.BoolVar(&config.Confirm, "confirm", false, "where all is equal, list the digests of unconfirmed golden files")
	f.BoolVar(&details, "details", false, "list every line that differs")
	return command
}

func newPinList() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "list",
		Short: "List the pins: what each covers, and whether it is confirmed",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, set, err := load(hereIf(dir, "golden"))
			if err != nil {
				return err
			}
			if err := report.PinList(cmd.OutOrStdout(), runner.ListPins(corpus, set)); err != nil {
				return exitError{exitNoVerdict, fmt.Errorf("writing the list: %w", err)}
			}
			return nil
		},
	}
	dirFlag(command, &dir)
	return command
}

// splitPlace cuts PATH:PIN; a pin's name has no colon.
func splitPlace(text string) (place, pin string) {
	if at := strings.LastIndex(text, ":"); at >= 0 {
		return text[:at], text[at+1:]
	}
	return "", text
}
