package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/normcert/normcert/cases"
)

// ask asks a person for what the flags left out. Without a terminal it is an
// error that names the flags. The intent is asked for before anybody has seen
// what the metrics say.
func (f *newCaseFlags) ask(cmd *cobra.Command, corpus cases.Corpus) error {
	missing := f.missing(cmd)
	if len(missing) == 0 {
		return nil
	}
	file, isFile := cmd.InOrStdin().(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return fmt.Errorf("left out, and stdin is no terminal to ask on: --%s", strings.Join(missing, ", --"))
	}
	q := &questioner{in: bufio.NewScanner(untilDone(cmd.Context(), file)), out: cmd.ErrOrStderr()}
	known := func(name string) bool {
		return slices.ContainsFunc(corpus.Hazards, func(h cases.Hazard) bool { return h.Name == name })
	}
	for _, flag := range missing {
		switch flag {
		case "hazard":
			fmt.Fprintf(q.out, "Hazards: %s\n", hazardsOf(corpus))
			f.hazard = q.line("Hazard", known, "there is no such hazard; a new one takes --about and --setup")
		case "id":
			f.id = q.line("Id, words with hyphens that say what the case shows", notBlank, "it takes an id")
		case "prediction":
			f.escapes = true
			f.prediction = q.line(`Prediction (with escapes such as \u00A0)`, nil, "")
		case "reference":
			f.escapes = true
			f.references = q.list("Reference")
			f.noReference = len(f.references) == 0
		case "intent":
			f.intent = q.line("Is it right? A person would say: match, no-match, ambiguous", func(text string) bool { return slices.Contains(cases.Intents(), cases.Intent(text)) }, "it is match, no-match or ambiguous")
		case "why":
			f.why = q.line("Why, in one or two sentences", notBlank, "it takes a reason")
		}
	}
	if f.source == "" {
		f.source = q.line("Source, a URL, empty if written for this corpus", nil, "")
	}
	return q.err()
}

func notBlank(text string) bool { return strings.TrimSpace(text) != "" }

// missing are the flags that have to be there and are not, in the order in
// which they are asked for.
func (f *newCaseFlags) missing(cmd *cobra.Command) []string {
	var list []string
	for _, name := range []string{"hazard", "id", "prediction", "reference", "intent", "why"} {
		given := cmd.Flags().Changed(name) || name == "prediction" && f.noPrediction || name == "reference" && f.noReference
		if !given {
			list = append(list, name)
		}
	}
	return list
}

// questioner asks on a terminal.
type questioner struct {
	in    *bufio.Scanner
	out   io.Writer
	ended bool
}

func (q *questioner) read(prompt string) string {
	if q.ended {
		return ""
	}
	fmt.Fprintf(q.out, "%s: ", prompt)
	if !q.in.Scan() {
		q.ended = true
		return ""
	}
	return strings.TrimSuffix(q.in.Text(), "\r")
}

// line asks until the answer will do; will may be nil.
func (q *questioner) line(prompt string, will func(string) bool, otherwise string) string {
	for !q.ended {
		answer := q.read(prompt)
		if q.ended || will == nil || will(answer) {
			return answer
		}
		fmt.Fprintln(q.out, otherwise)
	}
	return ""
}

// list asks for lines until one is empty.
func (q *questioner) list(prompt string) []string {
	var list []string
	for !q.ended {
		answer := q.read(fmt.Sprintf("%s %d (empty ends)", prompt, len(list)+1))
		if answer == "" {
			break
		}
		list = append(list, answer)
	}
	return list
}

func (q *questioner) err() error {
	if q.ended {
		return errors.New("the answers ended early; nothing was written")
	}
	return q.in.Err()
}
