package main_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/pytest"
)

var writeReadme = flag.Bool("write-readme", false, "write what the commands of README.md print into it")

// anyLines, alone on a line, stands for any number of lines of output.
const anyLines = "…"

// readmeRoot is the root of the repository, seen from this package.
var readmeRoot = filepath.Join("..", "..")

// runnable are the commands that a console block may hold; each is run.
var runnable = regexp.MustCompile(`^(normcert|go run \./cmd/normcert|echo '[^']*' \| normcert) `)

// pasted finds the file name that a block of code gives itself in its first line.
var pasted = regexp.MustCompile(`^(?:#|//) ([a-z_]+\.(?:py|mjs|go))\b`)

// readmeBlock is a fenced block of README.md.
type readmeBlock struct {
	language    string
	first, last int // the lines between the fences: [first, last)
}

// readmeCommand is a command of a console block and what is written below it.
type readmeCommand struct {
	line   string
	output []string
}

func readReadme(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(readmeRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(content), "\n")
}

func readmeBlocks(t *testing.T, lines []string) []readmeBlock {
	t.Helper()
	var blocks []readmeBlock
	open := -1
	for i, line := range lines {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open < 0:
			open = i
			blocks = append(blocks, readmeBlock{language: language, first: i + 1})
		case fence:
			open = -1
			blocks[len(blocks)-1].last = i
		}
	}
	if open >= 0 {
		t.Fatalf("README.md:%d: this block is never closed", open+1)
	}
	return blocks
}

func readmeCommands(t *testing.T, lines []string, block readmeBlock) []readmeCommand {
	t.Helper()
	var commands []readmeCommand
	for i := block.first; i < block.last; i++ {
		if line, prompt := strings.CutPrefix(lines[i], "$ "); prompt {
			commands = append(commands, readmeCommand{line: line})
			continue
		}
		if len(commands) == 0 {
			t.Fatalf("README.md:%d: a console block begins with a command", i+1)
		}
		last := &commands[len(commands)-1]
		last.output = append(last.output, lines[i])
	}
	return commands
}

// TestReadmeCommands runs every command of the console blocks and requires the
// output that is written below it. After a change that is meant:
//
//	go test ./cmd/normcert -run Readme -write-readme
func TestReadmeCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands of README.md are written for a Unix shell")
	}
	lines := readReadme(t)
	blocks := readmeBlocks(t, lines)
	shell := newReadmeShell(t, lines, blocks)
	ran := 0
	for _, block := range slices.Backward(blocks) {
		if block.language != "console" {
			continue
		}
		var written []string
		for _, command := range readmeCommands(t, lines, block) {
			output := command.output
			t.Run(command.line, func(t *testing.T) {
				got := shell.run(t, command.line)
				ran++
				if *writeReadme {
					output = keepCut(command.output, got)
				} else if !matchesCut(command.output, got) {
					t.Errorf("%s\nIf the change is meant: go test ./cmd/normcert -run Readme -write-readme", firstChange(command.output, keepCut(command.output, got)))
				}
			})
			written = append(append(written, "$ "+command.line), output...)
		}
		lines = slices.Replace(lines, block.first, block.last, written...)
	}
	if ran == 0 {
		t.Error("README.md shows no command")
	}
	if *writeReadme {
		if err := os.WriteFile(filepath.Join(readmeRoot, "README.md"), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// matchesCut reports whether got is what is written, in which one line of
// anyLines stands for any number of lines.
func matchesCut(written, got []string) bool {
	at := slices.Index(written, anyLines)
	if at < 0 {
		return slices.Equal(written, got)
	}
	head, tail := written[:at], written[at+1:]
	return len(got) > len(head)+len(tail) && slices.Equal(head, got[:len(head)]) && slices.Equal(tail, got[len(got)-len(tail):])
}

// keepCut cuts got where the written output is cut.
func keepCut(written, got []string) []string {
	at := slices.Index(written, anyLines)
	tail := len(written) - at - 1
	if at < 0 || len(got) <= at+tail {
		return got
	}
	return slices.Concat(got[:at], []string{anyLines}, got[len(got)-tail:])
}

// firstChange draws the first line that differs.
func firstChange(written, got []string) string {
	at := 0
	for at < len(written) && at < len(got) && written[at] == got[at] {
		at++
	}
	line := func(lines []string) string {
		if at == len(lines) {
			return "(nothing more)"
		}
		return lines[at]
	}
	return fmt.Sprintf("line %d of the output\n  in README.md: %s\n  now:          %s", at+1, line(written), line(got))
}

// readmeShell runs commands as a reader would, who has pasted the code of
// README.md into files.
type readmeShell struct {
	bin, pasted string
	names       []string
	exit        int
}

func newReadmeShell(t *testing.T, lines []string, blocks []readmeBlock) *readmeShell {
	t.Helper()
	shell := &readmeShell{bin: t.TempDir(), pasted: t.TempDir()}
	build := exec.Command("go", "build", "-o", filepath.Join(shell.bin, "normcert"), "./cmd/normcert")
	build.Dir = readmeRoot
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building normcert: %v\n%s", err, output)
	}
	for _, helper := range []string{"adapters/python/adapter.py", "adapters/node/adapter.mjs"} {
		content, err := os.ReadFile(filepath.Join(readmeRoot, filepath.FromSlash(helper)))
		if err != nil {
			t.Fatal(err)
		}
		writeReadmeFile(t, filepath.Join(shell.pasted, filepath.Base(helper)), string(content), 0o644)
	}
	for _, block := range blocks {
		code := lines[block.first:block.last]
		if len(code) == 0 {
			continue
		}
		if name := pasted.FindStringSubmatch(code[0]); name != nil {
			shell.names = append(shell.names, name[1])
			writeReadmeFile(t, filepath.Join(shell.pasted, name[1]), strings.Join(code, "\n")+"\n", 0o644)
		}
	}
	return shell
}

// run runs a command and returns what it writes, line by line.
func (s *readmeShell) run(t *testing.T, line string) []string {
	t.Helper()
	if line == "echo $?" {
		return []string{fmt.Sprint(s.exit)}
	}
	if !runnable.MatchString(line) {
		t.Fatalf("a console block of README.md holds only commands that this test can run; write %q in a sh block", line)
	}
	s.need(t, line)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", line)
	command.Dir = readmeRoot
	if slices.ContainsFunc(s.names, func(name string) bool { return slices.Contains(strings.Fields(line), name) }) {
		command.Dir = s.pasted
	}
	command.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	output, err := command.CombinedOutput()
	if command.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("running it: %v %v", err, ctx.Err())
	}
	s.exit = command.ProcessState.ExitCode()
	if len(output) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
}

// need skips a command whose interpreter is not there. The python3 that it runs
// is the one that the other tests use.
func (s *readmeShell) need(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	if slices.Contains(words, "python3") {
		script := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\"\n", pytest.Interpreter(t))
		writeReadmeFile(t, filepath.Join(s.bin, "python3"), script, 0o755)
	}
	if slices.Contains(words, "node") {
		if _, err := exec.LookPath("node"); err != nil {
			t.Skip("this command of README.md needs Node 18 or newer as node on PATH; see https://nodejs.org")
		}
	}
}

// TestReadmeGo runs the test that README.md proposes to Go authors, for a
// normalizer that is conformant.
func TestReadmeGo(t *testing.T) {
	lines := readReadme(t)
	dir := t.TempDir()
	found := false
	for _, block := range readmeBlocks(t, lines) {
		if block.language == "go" {
			found = true
			writeReadmeFile(t, filepath.Join(dir, "acme_test.go"), strings.Join(lines[block.first:block.last], "\n")+"\n", 0o644)
		}
	}
	if !found {
		t.Fatal("README.md shows no Go code")
	}
	writeReadmeFile(t, filepath.Join(dir, "acme.go"), acmeGo, 0o644)
	run := exec.Command("go", "test", filepath.Join(dir, "acme.go"), filepath.Join(dir, "acme_test.go"))
	run.Dir = readmeRoot
	if output, err := run.CombinedOutput(); err != nil {
		t.Errorf("go test of the code in README.md: %v\n%s", err, output)
	}
}

// acmeGo is the package that the Go code of README.md tests.
const acmeGo = `package acme

import (
	"context"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
)

func Normalize(text string) string {
	answer, err := reference.New().Answer(context.Background(), adapters.Request{
		Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: text,
	})
	if err != nil {
		panic(err)
	}
	return answer.Text
}
`

// TestReadmeNames: the pins in README.md are those that there are, and the
// files and folders that it names exist.
func TestReadmeNames(t *testing.T) {
	lines := readReadme(t)
	text := strings.Join(lines, "\n")
	set, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var pins []string
	for _, goldens := range set.Pins() {
		pins = append(pins, goldens.Pin.Name())
	}
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^` ]+@[^` ]+)` \\|").FindAllStringSubmatch(text, -1) {
		rows = append(rows, row[1])
	}
	slices.Sort(pins)
	slices.Sort(rows)
	if diff := cmp.Diff(pins, rows); diff != "" {
		t.Errorf("the table of pins (- golden/, + README.md):\n%s", diff)
	}

	var paths []string
	for _, link := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(text, -1) {
		paths = append(paths, link[1])
	}
	for _, block := range readmeBlocks(t, lines) {
		for _, line := range lines[block.first:block.last] {
			if word, _, _ := strings.Cut(line, " "); block.language == "text" && strings.HasSuffix(word, "/") {
				paths = append(paths, word)
			}
		}
	}
	if len(paths) == 0 {
		t.Error("README.md links to no file")
	}
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join(readmeRoot, filepath.FromSlash(path))); err != nil {
			t.Errorf("README.md names %s: %v", path, err)
		}
	}
}

func writeReadmeFile(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
