package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
)

func newRegen() *cobra.Command {
	var config runner.RegenConfig
	command := &cobra.Command{
		Use:   "regen [--from DIR ...]",
		Short: "Bring the goldens up to date with the cases",
		Long: `Bring the goldens of a checkout up to date after cases were added, changed or
removed: from upstream's own source where a DIR has it, of a specification
from the independent implementation, else from the reference. What only the
reference answered stays unconfirmed until pin verify --confirm, or regen with
that DIR.

DIR is a git repository of upstream that has a pin's commit, or a plain tree
of its files; each file must have the blob id that pin.toml lists. Lines are
added, and removed with their case; a line that is there changes only with
--change. It is all or nothing: one pin that cannot be recorded, and nothing
is written.`,
		Example: `  normcert regen
  normcert regen --from ~/src/evaluate --from ~/src/evaluate-10ee266`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := runner.Regenerate(cmd.Context(), config)
			if err != nil {
				return failed(err)
			}
			out := cmd.OutOrStdout()
			for _, pin := range report.Pins {
				regenerated(out, pin)
			}
			for _, change := range report.Changes {
				verb := "wrote"
				if change.Content == nil {
					verb = "removed"
				}
				fmt.Fprintf(out, "%s %s\n", verb, change.Path)
			}
			if len(report.Changes) == 0 {
				fmt.Fprintln(out, "nothing changed")
			}
			return nil
		},
	}
	command.Flags().StringVar(&config.Root, "dir", ".", "the `ROOT` of the checkout, with cases/ and golden/")
	command.Flags().StringArrayVar(&config.From, "from", nil, "`DIR`, a git repository of upstream or a plain tree of its files; may be repeated")
	command.Flags().StringVar(&config.Python, "python", "", "the `INTERPRETER` to record under (default: the first that has numpy)")
	command.Flags().BoolVar(&config.Change, "change", false, "let lines that are there change")
	command.Flags().BoolVar(&config.AllowErrors, "allow-errors", false, "with --change, let scores turn into an error")
	command.Flags().BoolVar(&config.NewEnvironment, "new-environment", false, "record under other versions than before")
	return command
}

// regenerated says who answered for a pin and which lines that changed.
func regenerated(out io.Writer, pin runner.RegenPin) {
	name := pin.Pin.Name()
	switch {
	case pin.Source == runner.FromUpstream:
		fmt.Fprintf(out, "%s recorded under %s, Unicode %s\n", name, pin.Pin.Environment["interpreter"], pin.Pin.Environment["unicode"])
	case pin.Source == runner.FromReference:
		fmt.Fprintf(out, "%s: no --from has its sources; the reference answered, and %s unconfirmed: %s\n", name,
			map[bool]string{true: "this is", false: "these are"}[len(pin.Unconfirmed) == 1], strings.Join(pin.Unconfirmed, ", "))
	case len(pin.Pin.Command) > 0:
		fmt.Fprintf(out, "%s kept: it is recorded from a program, by pin add --replace\n", name)
	default:
		fmt.Fprintf(out, "%s kept: no --from has its sources, and its goldens are of these cases\n", name)
	}
	counts := map[string]int{}
	for _, line := range pin.Lines {
		counts[line.Verb()]++
	}
	if len(pin.Lines) > 0 {
		fmt.Fprintf(out, "  lines: %d added, %d changed, %d removed\n", counts["added"], counts["changed"], counts["removed"])
	}
	for _, line := range pin.Lines {
		fmt.Fprintf(out, "  %s\n", line)
	}
}
