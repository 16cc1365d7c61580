package process_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
)

// escaped counts the processes that orphanEscaped started and that still run.
func escaped(t *testing.T) (running int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if content, err := os.ReadFile(line); err == nil && string(content) == "sleep\x0047.11\x00" {
			running++
		}
	}
	return running
}

// A process that makes itself a session of its own is ended and named all the
// same: with the crash, or in a note where the program ended as it should.
func TestWhatLeavesTheGroupIsEndedAndNamed(t *testing.T) {
	a := start(t, "", func(c *process.Config) { c.RequestTimeout = 5 * time.Second })
	outcomes := ask(a, around("orphan-escaped", 3, 4))
	expectFault(t, outcomes[3].err, adapters.Crash, "it left processes running, which normcert ended: sleep 47.11")
	if _, err := a.Close(); err != nil {
		t.Error(err)
	}
	if notes := a.Notes(); len(notes) > 0 {
		t.Errorf("a crash is no note as well: %q", notes)
	}

	a = start(t, "leaves", func(c *process.Config) { c.RequestTimeout = 5 * time.Second })
	for _, got := range ask(a, []string{"x", "y"}) {
		if got.err != nil {
			t.Error(got.err)
		}
	}
	if late, err := a.Close(); err != nil || len(late) > 0 {
		t.Error(late, err)
	}
	want := []string{"when its stdin was closed the program ended and left processes running, which normcert ended: sleep 47.11"}
	if notes := a.Notes(); !slices.Equal(notes, want) {
		t.Errorf("notes are %q", notes)
	}
	if n := escaped(t); n > 0 {
		t.Errorf("%d of them still run", n)
	}
}

func TestProgramThatStaysIsNoted(t *testing.T) {
	t.Parallel()
	a := start(t, "stays")
	ask(a, []string{"x"})
	if _, err := a.Close(); err != nil {
		t.Error(err)
	}
	if notes := a.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "went on after its stdin was closed") {
		t.Errorf("notes are %q", notes)
	}
}
