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
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
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
	root.AddCommand(newCertify(), newList(), newRegen(), newServe(), newShow())
	return root
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
	case errors.As(err, &start):
		return exitError{exitNoVerdict, err}
	case errors.Is(err, context.Canceled):
		return exitError{exitIncomplete, errors.New("interrupted")}
	}
	return exitError{exitNoVerdict, err}
}

func badInput(err error) error { return exitError{exitUsage, err} }
