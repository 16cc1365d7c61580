package python_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// reply is one line of an adapter, read the way a program in another language
// would: these tests hold the Python side to the protocol without the help of
// the Go side's own decoder.
type reply struct {
	ID          *int
	Text        *string
	Scores      map[string]any
	Unsupported *string
	Error       *struct{ Kind, Message string }
	Name        string
	Version     string
	Language    string
	Unicode     string
	Libraries   map[string]string
	Metrics     map[string]struct {
		Pins, Answers, Handles []string
	}
}

// kind is what the reply is, in one word: text, scores, unsupported, or the
// kind of its error.
func (r reply) kind() string {
	switch {
	case r.Error != nil:
		return r.Error.Kind
	case r.Unsupported != nil:
		return "unsupported"
	case r.Scores != nil:
		return "scores"
	case r.Text != nil:
		return "text"
	}
	return "nothing"
}

// outcome is how a run of an adapter ended.
type outcome struct {
	replies map[int]reply // by id
	stderr  string
	exit    int
}

// run starts a program, writes the lines to its stdin while it reads its
// replies, and waits for it to end.
func run(t *testing.T, lines []string, command ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stderr bytes.Buffer
	program.Stderr = &stderr
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatalf("starting %q: %v", command, err)
	}
	replies := read(t, stdout)
	if err := program.Wait(); ctx.Err() != nil {
		t.Fatalf("%q did not end in a minute: %v", command, err)
	}
	return outcome{replies, stderr.String(), program.ProcessState.ExitCode()}
}

// read returns the replies on a stream, by id.
func read(t *testing.T, stream io.Reader) map[int]reply {
	t.Helper()
	replies := map[int]reply{}
	lines := bufio.NewScanner(stream)
	for lines.Scan() {
		line := lines.Bytes()
		if i := bytes.IndexFunc(line, func(r rune) bool { return r > 0x7e || r < 0x20 }); i >= 0 {
			t.Errorf("byte %d of a reply is not printable ASCII: %q", i, line)
		}
		var r reply
		if err := json.Unmarshal(line, &r); err != nil {
			t.Errorf("a line on stdout is not a reply: %v: %q", err, line)
			continue
		}
		if r.ID == nil {
			t.Errorf("a reply has no id: %q", line)
			continue
		}
		if _, twice := replies[*r.ID]; twice {
			t.Errorf("two replies have the id %d", *r.ID)
		}
		replies[*r.ID] = r
	}
	if err := lines.Err(); err != nil {
		t.Errorf("reading replies: %v", err)
	}
	return replies
}

// object is a JSON object.
type object = map[string]any

// number gives requests the ids 0, 1, 2, … and returns them as lines.
func number(t *testing.T, requests []object) []string {
	t.Helper()
	lines := make([]string, len(requests))
	for i, request := range requests {
		request["id"] = i
		line, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = escapeNonASCII(string(line))
	}
	return lines
}

// escapeNonASCII writes JSON as the runner sends it.
func escapeNonASCII(text string) string {
	var ascii strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < 0x80 {
			ascii.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&ascii, "\\u%04x", unit)
		}
	}
	return ascii.String()
}
