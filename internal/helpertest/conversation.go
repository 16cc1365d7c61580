// Package helpertest holds the one-file helpers for writing an adapter, and
// their examples, to what they promise. It is imported by tests only.
package helpertest

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Outcome is what a program did with requests that were all there at once.
type Outcome struct {
	// Lines are its replies as they came, Replies the same decoded.
	Lines   []string
	Replies []map[string]any
	Stderr  string
	Exit    int
}

// Converse runs a program over request lines and closes its stdin. What is on
// stdout that is not ASCII, no JSON object or unfinished fails the test.
func Converse(t testing.TB, command []string, lines ...string) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stdout, stderr bytes.Buffer
	program.Stdout, program.Stderr = &stdout, &stderr
	if err := program.Run(); ctx.Err() != nil || program.ProcessState == nil {
		t.Fatalf("%s did not run to its end: %v", command, err)
	}
	got := Outcome{Stderr: stderr.String(), Exit: program.ProcessState.ExitCode()}
	for line := range strings.SplitAfterSeq(stdout.String(), "\n") {
		if line == "" {
			continue
		}
		whole, finished := strings.CutSuffix(line, "\n")
		var reply map[string]any
		if err := json.Unmarshal([]byte(whole), &reply); err != nil || !finished {
			t.Errorf("a line on stdout is not a finished reply: %v: %q", err, line)
		}
		if i := strings.IndexFunc(whole, func(r rune) bool { return r > 0x7f }); i >= 0 {
			t.Errorf("byte %d of a reply is not ASCII: %q", i, line)
		}
		got.Lines = append(got.Lines, whole)
		got.Replies = append(got.Replies, reply)
	}
	return got
}
