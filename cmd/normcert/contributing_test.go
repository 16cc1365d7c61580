package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shellWord is a word of the commands in CONTRIBUTING.md.
var shellWord = regexp.MustCompile(`'([^']*)'|(\S+)`)

// consoleBlocks returns the commands of the console blocks of a text, each with
// what is written below it.
func consoleBlocks(text string) (commands, outputs []string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "   ")
		switch command, prompt := strings.CutPrefix(line, "$ "); {
		case line == "```console":
			inside = true
		case line == "```":
			inside = false
		case inside && prompt:
			commands, outputs = append(commands, command), append(outputs, "")
		case inside:
			outputs[len(outputs)-1] += line + "\n"
		}
	}
	return commands, outputs
}

// TestContributingExample replays the worked example of CONTRIBUTING.md on a copy
// of the corpus. A line … stands for any number of lines.
func TestContributingExample(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	checkout := t.TempDir()
	for _, name := range []string{"cases", "golden", "conformance/testdata"} {
		if err := os.CopyFS(filepath.Join(checkout, filepath.FromSlash(name)), os.DirFS(filepath.Join(root, filepath.FromSlash(name)))); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(checkout)
	commands, outputs := consoleBlocks(string(text))
	if len(commands) < 4 {
		t.Fatalf("CONTRIBUTING.md shows %d commands", len(commands))
	}
	for i, command := range commands {
		var args []string
		for _, word := range shellWord.FindAllStringSubmatch(command, -1) {
			args = append(args, word[1]+word[2])
		}
		if args[0] != "normcert" {
			t.Fatalf("%s: it is no command of normcert", command)
		}
		var out, errs bytes.Buffer
		if code := Main(args[1:], strings.NewReader(""), &out, &errs); code != exitHolds {
			t.Fatalf("%s\nexit %d: %s%s", command, code, out.String(), errs.String())
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(outputs[i]), "…\n", "(?s:.*)")
		if got := filepath.ToSlash(out.String()); !regexp.MustCompile(`\A` + pattern + `\z`).MatchString(got) {
			t.Errorf("%s\nprints\n%s\nand CONTRIBUTING.md has\n%s", command, got, outputs[i])
		}
	}
}

// TestWorkflowRunsTheScript holds the workflow to what anybody can run at home.
func TestWorkflowRunsTheScript(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var run []string
	for line := range strings.Lines(string(text)) {
		if command, found := strings.CutPrefix(strings.TrimLeft(line, " -"), "run:"); found {
			run = append(run, strings.TrimSpace(command))
		}
	}
	if len(run) != 1 || run[0] != ".ci/run" {
		t.Errorf("the workflow runs %q, and has to run .ci/run alone", run)
	}
}
