package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// run runs a command line within the test.
func run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// widest is what a terminal shows without wrapping.
const widest = 80

// TestHelp: help of every verb fits a terminal, and is no failure.
func TestHelp(t *testing.T) {
	var verbs [][]string
	var collect func(path []string, command *cobra.Command)
	collect = func(path []string, command *cobra.Command) {
		verbs = append(verbs, append(path[:len(path):len(path)], "--help"))
		for _, child := range command.Commands() {
			collect(append(path[:len(path):len(path)], child.Name()), child)
		}
	}
	collect(nil, newRoot())
	if len(verbs) < 6 {
		t.Fatalf("only %d verbs found", len(verbs))
	}
	verbs = append(verbs, []string{}, []string{"help"}, []string{"help", "certify"}, []string{"--version"}, []string{"certify", "-h"})
	for _, args := range verbs {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, stdout, stderr := run(args...)
			if code != exitHolds || stderr != "" {
				t.Errorf("exit %d, stderr %q", code, stderr)
			}
			if stdout == "" {
				t.Error("nothing on stdout")
			}
			for line := range strings.Lines(stdout) {
				if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > widest {
					t.Errorf("%d columns wide:\n%s", width, line)
				}
			}
		})
	}
}

// TestHelpNamesWhatThereIs: a newcomer finds every verb, and the exit codes.
func TestHelpNamesWhatThereIs(t *testing.T) {
	_, stdout, _ := run("--help")
	for _, text := range []string{"certify ", "list ", "regen ", "serve ", "show ", "Exit codes: 0 ", "; 1 ", "; 2 ", "; 3 ", "; 4 "} {
		if !strings.Contains(strings.ReplaceAll(stdout, "\n", " "), text) {
			t.Errorf("help does not say %q", text)
		}
	}
}

// TestListHasEveryCase: certify counts as many cases as list has lines, and
// every id is there once.
func TestListHasEveryCase(t *testing.T) {
	for _, selection := range [][]string{nil, {"--case", "dates"}, {"--case", "dates", "--case", "*/no-break-*"}} {
		code, list, stderr := run(append([]string{"list"}, selection...)...)
		if code != exitHolds {
			t.Fatalf("list: exit %d, %s", code, stderr)
		}
		ids := map[string]bool{}
		for line := range strings.Lines(list) {
			ids[strings.Fields(line)[0]] = true
		}
		var report struct {
			Cases  int `json:"cases"`
			Corpus int `json:"corpus_cases"`
		}
		code, stdout, stderr := run(append([]string{"certify", "--format", "json"}, selection...)...)
		if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != exitHolds {
			t.Fatalf("certify: exit %d, %v, %s", code, err, stderr)
		}
		if lines := strings.Count(list, "\n"); lines != report.Cases || len(ids) != report.Cases {
			t.Errorf("%v: list has %d lines and %d ids, certify %d cases", selection, lines, len(ids), report.Cases)
		}
		if whole := report.Cases == report.Corpus; whole != (selection == nil) {
			t.Errorf("%v: %d of %d cases", selection, report.Cases, report.Corpus)
		}
	}
}

// TestShowKnowsEveryListedCase: what list names can be shown.
func TestShowKnowsEveryListedCase(t *testing.T) {
	_, list, _ := run("list", "--case", "repeated-id")
	for line := range strings.Lines(list) {
		id := strings.Fields(line)[0]
		if code, stdout, stderr := run("show", id); code != exitHolds || !strings.HasPrefix(stdout, id+"\n") {
			t.Errorf("show %s: exit %d, %s%s", id, code, stdout, stderr)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { panic("kaput") }

// TestPanicIsNoUsageError: Go ends a panic with 2, which is ours for a mistake
// in the command line.
func TestPanicIsNoUsageError(t *testing.T) {
	for _, args := range [][]string{{"list"}, {"show", "dates"}, {"certify", "--case", "dates"}} {
		var errs bytes.Buffer
		code := Main(args, strings.NewReader(""), broken{}, &errs)
		if code != exitNoVerdict || !strings.Contains(errs.String(), "a bug in normcert, please report it") || !strings.Contains(errs.String(), "kaput") {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestOutputThatCannotBeWritten is no verdict, whatever the verb.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{
		{"certify", "--case", "dates"}, {"certify", "--case", "dates", "--format", "json"}, {"list"}, {"list", "--outcomes"}, {"show", "dates"},
		{"serve"}, {"--help"}, {"help"}, {"certify", "--help"}, {"--version"}, {},
	} {
		var errs bytes.Buffer
		code := Main(args, strings.NewReader(`{"id":0,"op":"hello","protocol":1}`+"\n"), full{}, &errs)
		if code != exitNoVerdict || strings.Count(errs.String(), errFull.Error()) != 1 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}

// TestServeAnswersAtOnce: each reply is there before the next request is.
func TestServeAnswersAtOnce(t *testing.T) {
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errs bytes.Buffer
		ended <- Main([]string{"serve"}, in, out, &errs)
		out.Close()
	}()
	decoder := json.NewDecoder(replies)
	for id, text := range []string{"The car", "a", "end.the"} {
		request, _ := json.Marshal(map[string]any{"id": id, "op": "normalize", "metric": "squad", "pin": "hf-evaluate@86baf12", "text": text})
		if _, err := requests.Write(append(request, '\n')); err != nil {
			t.Fatal(err)
		}
		var reply struct {
			ID   int
			Text *string
		}
		if err := decoder.Decode(&reply); err != nil || reply.ID != id || reply.Text == nil || *reply.Text != []string{"car", "", "endthe"}[id] {
			t.Fatalf("%q: %+v, %v", text, reply, err)
		}
	}
	requests.Close()
	if code := <-ended; code != exitHolds {
		t.Errorf("exit %d", code)
	}
}
