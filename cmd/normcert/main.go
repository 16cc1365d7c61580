// Command normcert certifies answer normalizers and exact-match / F1 scorers
// against pinned upstreams.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/runner"
)

// The exit codes, the same for every verb; the first that applies.
const (
	exitHolds      = 0
	exitFails      = 1 // something claimed does not hold
	exitUsage      = 2 // the command line or an input file is wrong
	exitNoVerdict  = 3 // no verdict is possible: cannot start, no hello, cannot write
	exitIncomplete = 4 // interrupted, or something is incomplete
)

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Main runs the command line and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) (code int) {
	// Go ends a panic with 2, which would pass for a mistake in the command line.
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(errs, "normcert: a bug in normcert, please report it: %v\n%s", broken, debug.Stack())
			code = exitNoVerdict
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A closed pipe is an error of the write, not the end of the process: the
	// exit code must say that there is no verdict.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)
	written := &writer{out: out}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(written)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case written.err != nil && !errors.As(err, &exit):
		// Help and version do not say that they could not be written.
		fmt.Fprintf(errs, "normcert: %v\n", written.err)
		return exitNoVerdict
	case err == nil:
		return exitHolds
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(errs, "normcert: %v\n", exit.err)
		}
		return exit.code
	}
	// What is left is cobra's: unknown verbs, flags and arguments.
	fmt.Fprintf(errs, "normcert: %s\nTry 'normcert --help'.\n", strings.TrimSpace(err.Error()))
	return exitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "normcert",
		Short:         "Conformance tests for answer normalizers and exact-match / F1 scorers",
		Version:       version.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Long: `normcert puts a corpus of labelled cases to a normalizer or scorer and says
whether it returns what a pinned upstream returns, to the last bit, and
whether it accepts and rejects what a person would.

Exit codes: 0 it all holds; 1 something claimed does not hold; 2 the command
line or an input file is wrong; 3 no verdict is possible; 4 interrupted, or
something is incomplete.`,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetVersionTemplate("normcert {{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 80 "))
	root.SetHelpCommand(newHelp())
	root.AddCommand(newAdequacy(), newBaseline(), newCompare(), newVerify(), newCase(), newCertify(), newDoctor(), newExplain(), newIdentify(), newList(), newMatrix(), newPin(), newRegen(), newScore(), newServe(), newSet(), newShow())
	return root
}

// newHelp is cobra's help, except that an unknown verb is a mistake.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Help about a verb",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q", strings.Join(args, " "))
			}
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// writer keeps the first error of a write.
type writer struct {
	out io.Writer
	err error
}

func (w *writer) Write(content []byte) (int, error) {
	n, err := w.out.Write(content)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// exitError carries an exit code, and what to say where there is something to say.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// failed gives an error the exit code of its type.
func failed(err error) error {
	var wrong *runner.UsageError
	var start *runner.StartError
	var exit exitError
	switch {
	case err == nil || errors.As(err, &exit):
		return err
	case errors.As(err, &wrong):
		return exitError{exitUsage, err}
	case errors.Is(err, context.Canceled):
		// Also of a program that was still starting: it did nothing wrong.
		return exitError{exitIncomplete, errors.New("interrupted")}
	case errors.As(err, &start):
		return exitError{exitNoVerdict, err}
	}
	return exitError{exitNoVerdict, err}
}

func badInput(err error) error { return exitError{exitUsage, err} }
