package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/runner"
)

func newRegen() *cobra.Command {
	var config runner.RegenConfig
	command := &cobra.Command{
		Use:   "regen --from DIR [--from DIR ...]",
		Short: "Record the goldens anew from upstream's own source",
		Long: `Record the goldens of every pin of a checkout anew: from the source of the
upstream, and for a specification from the independent implementation.

DIR is a git repository of upstream that has a pin's commit, or a plain tree
of its files; each file must have the blob id that pin.toml lists. It is all
or nothing: nothing is written unless every pin could be recorded.`,
		Example: `  normcert regen --from ~/src/evaluate --from ~/src/evaluate-10ee266`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := runner.Regenerate(cmd.Context(), config)
			if err != nil {
				return failed(err)
			}
			out := cmd.OutOrStdout()
			for _, pin := range report.Recorded {
				fmt.Fprintf(out, "%s recorded under %s, Unicode %s\n", pin.Name(), pin.Environment["interpreter"], pin.Environment["unicode"])
			}
			for _, name := range report.Kept {
				fmt.Fprintf(out, "%s kept: no --from has its sources, and its goldens are of these cases\n", name)
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
	command.Flags().BoolVar(&config.NewEnvironment, "new-environment", false, "record under other versions than before")
	return command
}
