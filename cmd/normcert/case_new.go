package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// newCaseFlags are those of case new.
type newCaseFlags struct {
	hazard, about, id, prediction, intent string
	references, setups                    []string
	why, purpose, source                  string
	probability                           float64
	noPrediction, noReference             bool
	escapes, dryRun, anyway               bool
	config                                runner.RegenConfig
}

func newCaseNew() *cobra.Command {
	var flags newCaseFlags
	command := &cobra.Command{
		Use:   "new",
		Short: "Add a case to a checkout, with its goldens",
		Long: `Add a case with one item to a checkout: ask for what the flags leave out, where
stdin is a terminal; show what every metric at every pin says, and which case
shows the same already; write it at the end of its hazard's file in canonical
form, its goldens, and the table of outcomes. On failure nothing is written.

What only the reference answered stays unconfirmed until upstream is asked:
with --from, or later by the maintainers.`,
		Example: `  normcert case new
  normcert case new --hazard article-glue --id hyphen-for-space \
    --prediction the-car --reference 'the car' --intent match \
    --why 'A hyphen where a space belongs is a typo, the answer is the same.'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd) },
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&flags.hazard, "hazard", "", "the `HAZARD`, the name of its file")
	f.StringVar(&flags.about, "about", "", "what the trap is, for a hazard that is not there yet; with --setup")
	f.StringVar(&flags.id, "id", "", "lower-case words with hyphens that say what the case shows")
	f.StringVar(&flags.prediction, "prediction", "", "what was answered")
	f.BoolVar(&flags.noPrediction, "no-prediction", false, "nothing was handed in (squad, squad_v2)")
	f.StringArrayVar(&flags.references, "reference", nil, "a right answer; may be repeated")
	f.BoolVar(&flags.noReference, "no-reference", false, "there is no right answer")
	f.StringVar(&flags.intent, "intent", "", "what a person would say: match, no-match or ambiguous")
	f.StringVar(&flags.why, "why", "", "why a person judges so, and what happens")
	f.StringVar(&flags.purpose, "purpose", "", "what the case is for, where it catches no variation")
	f.StringVar(&flags.source, "source", "", "the `URL` where it was seen; left out when written for this corpus")
	f.StringArrayVar(&flags.setups, "setup", nil, "a `SETUP` in place of those of the file, such as 'exact_match{ignore_case=true}'; may be repeated")
	f.Float64Var(&flags.probability, "no-answer-probability", 0, "squad_v2's, a `number`")
	f.BoolVar(&flags.escapes, "escapes", false, `read \u00A0, \n and \\ in prediction and references, as TOML does`)
	f.BoolVar(&flags.dryRun, "dry-run", false, "show everything and write nothing")
	f.BoolVar(&flags.anyway, "anyway", false, "write a case whose strings another case has")
	f.StringVar(&flags.config.Root, "dir", ".", "the `ROOT` of the checkout, with cases/ and golden/")
	f.StringArrayVar(&flags.config.From, "from", nil, "record from `DIR`, as regen does; may be repeated")
	f.StringVar(&flags.config.Python, "python", "", "the `INTERPRETER` to record under")
	return command
}

func (f *newCaseFlags) run(cmd *cobra.Command) error {
	corpus, err := loadCorpus(f.config.Root)
	if err != nil {
		return err
	}
	if err := f.ask(cmd, corpus); err != nil {
		return badInput(err)
	}
	draft, err := f.draft()
	if err != nil {
		return badInput(err)
	}
	addition, err := runner.AddCase(cmd.Context(), f.config, draft)
	if err != nil {
		return failed(err)
	}
	out := cmd.OutOrStdout()
	if err := f.show(out, addition); err != nil {
		return exitError{exitNoVerdict, fmt.Errorf("writing what the metrics say: %w", err)}
	}
	switch {
	case len(addition.Problems) > 0:
		return badInput(fmt.Errorf("nothing was written; the linter says: %w", addition.Problems[0]))
	case len(addition.Same) > 0 && !f.anyway:
		return badInput(fmt.Errorf("nothing was written: %s has the same strings; add the setups there, or say --anyway", addition.Same[0]))
	case f.dryRun:
		_, err = fmt.Fprintln(out, "nothing was written: --dry-run")
		return err
	}
	if err := golden.Commit(addition.Changes); err != nil {
		return exitError{exitNoVerdict, err}
	}
	for _, change := range addition.Changes {
		fmt.Fprintf(out, "wrote %s\n", change.Path)
		for _, line := range addition.Added[change.Path] {
			fmt.Fprintf(out, "+%s\n", line)
		}
	}
	if len(addition.Unconfirmed) > 0 {
		fmt.Fprintf(out, "unconfirmed, only the reference answered: %s; regen --from asks upstream\n", strings.Join(addition.Unconfirmed, ", "))
	}
	return nil
}

// show says what every metric at every pin makes of the case, and where the
// same is shown.
func (f *newCaseFlags) show(out io.Writer, a *runner.Addition) error {
	var text strings.Builder
	one := cases.Corpus{Hazards: []cases.Hazard{{Name: a.Case.Hazard(), Cases: []cases.Case{a.Case}}}}
	if err := report.Cases(&text, one, a.Goldens); err != nil {
		return err
	}
	for _, id := range a.Same {
		fmt.Fprintf(&text, "the same strings: %s\n", id)
	}
	const most = 5
	for i, id := range a.Alike {
		if i == most {
			fmt.Fprintf(&text, "and %d more to which a metric sees no difference\n", len(a.Alike)-most)
			break
		}
		fmt.Fprintf(&text, "the same normalized forms and decisions: %s\n", id)
	}
	text.WriteByte('\n')
	_, err := io.WriteString(out, text.String())
	return err
}

// draft is the case that the flags tell.
func (f *newCaseFlags) draft() (cases.Draft, error) {
	draft := cases.Draft{
		Hazard: f.hazard, About: f.about, ID: f.id, References: []string{}, Intent: cases.Intent(f.intent),
		Why: f.why, Purpose: f.purpose, Source: f.source, NoAnswerProbability: f.probability,
	}
	for _, text := range f.setups {
		setup, err := metric.ParseSetup(text)
		if err != nil {
			return draft, fmt.Errorf("--setup: %w", err)
		}
		draft.Setups = append(draft.Setups, setup)
	}
	read := func(text string) (string, error) {
		if !f.escapes {
			return text, nil
		}
		return cases.Unescape(text)
	}
	if !f.noPrediction {
		prediction, err := read(f.prediction)
		if err != nil {
			return draft, fmt.Errorf("--prediction: %w", err)
		}
		draft.Prediction = &prediction
	}
	for _, text := range f.references {
		reference, err := read(text)
		if err != nil {
			return draft, fmt.Errorf("--reference: %w", err)
		}
		draft.References = append(draft.References, reference)
	}
	if f.noPrediction && f.prediction != "" || f.noReference && len(f.references) > 0 {
		return draft, errors.New("--no-prediction goes without --prediction, --no-reference without --reference")
	}
	return draft, nil
}

// hazardsOf lists the hazards that a case may go to.
func hazardsOf(corpus cases.Corpus) string {
	names := make([]string, len(corpus.Hazards))
	for i, hazard := range corpus.Hazards {
		names[i] = hazard.Name
	}
	return strings.Join(names, ", ")
}
