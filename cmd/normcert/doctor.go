package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner/doctor"
)

func newDoctor() *cobra.Command {
	config := doctor.Config{}
	command := &cobra.Command{
		Use:   "doctor [flags] -- COMMAND [ARG ...]",
		Short: "Say what is wrong with how an adapter speaks the protocol",
		Long: `Speak the protocol of adapters/PROTOCOL.md with COMMAND, in short sessions
with nasty inputs, and say for whatever goes wrong what was sent, what came
back, which rule it breaks and what to do.

It does not judge whether the answers are right; certify does.

Exit code 1 says that something was found.`,
		Example: `  normcert doctor -- python3 my_adapter.py`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no command: doctor takes one after --")
			}
			return afterDash(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if config.StartTimeout <= 0 || config.RequestTimeout <= 0 {
				return badInput(errors.New("--start-timeout and --timeout are longer than 0s"))
			}
			set, err := golden.Embedded()
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			var unwritten error
			config.Command, config.Goldens = args, set
			config.Each = func(probe doctor.Probe) { unwritten = errors.Join(unwritten, doctor.WriteProbe(out, probe)) }
			result, err := doctor.Run(cmd.Context(), config)
			if err != nil && len(result.Probes) == 0 {
				return failed(err)
			}
			unwritten = errors.Join(unwritten, doctor.WriteFindings(out, result))
			switch {
			case unwritten != nil:
				return exitError{exitNoVerdict, fmt.Errorf("writing what was found: %w", unwritten)}
			case err != nil:
				return failed(err)
			case result.Count(doctor.Wrong) > 0:
				return exitError{code: exitFails}
			}
			return nil
		},
	}
	command.Flags().SortFlags = false
	command.Flags().DurationVar(&config.StartTimeout, "start-timeout", 10*time.Second, "how long the program may take to say hello")
	command.Flags().DurationVar(&config.RequestTimeout, "timeout", 5*time.Second, "how long it may take for an answer")
	return command
}
