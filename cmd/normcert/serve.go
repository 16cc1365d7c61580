package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
)

func newServe() *cobra.Command {
	var variations []string
	command := &cobra.Command{
		Use:   "serve",
		Short: "Answer the protocol on stdin and stdout with the reference",
		Long: `Answer the protocol of adapters/PROTOCOL.md on stdin and stdout with the
built-in reference, or with a variation of it: a scorer that differs in one
named way.`,
		Example: `  echo '{"id":0,"op":"hello","protocol":1}' | normcert serve
  normcert certify -- normcert serve --variation articles-first`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			changes, err := reference.Named(variations...)
			if err != nil {
				return badInput(err)
			}
			err = adapters.Serve(cmd.Context(), reference.New(changes...), untilDone(cmd.Context(), cmd.InOrStdin()), cmd.OutOrStdout())
			switch {
			case errors.Is(err, adapters.ErrBadRequests):
				return badInput(err)
			case err != nil:
				return failed(err)
			}
			return nil
		},
	}
	command.Flags().StringArrayVar(&variations, "variation", nil, "answer with this `VARIATION` of the reference; may be repeated")
	return command
}
