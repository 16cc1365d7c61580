package process_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
)

func filter(t *testing.T, script string, timeout time.Duration) *process.Filter {
	t.Helper()
	f, err := process.NewFilter(process.Config{Command: sh(t, script), RequestTimeout: timeout}, map[string][]string{"squad": {"hf-evaluate@a7dd338"}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func normalize(f *process.Filter, text string) (string, error) {
	answer, err := f.Answer(context.Background(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: text})
	return answer.Text, err
}

// TestFilterTakesOneNewlineOff, and nothing else.
func TestFilterTakesOneNewlineOff(t *testing.T) {
	tests := []struct{ script, text, want string }{
		{"cat", "the car", "the car"},
		{"cat", "the car\n", "the car"},
		{"cat", "the car\n\n", "the car\n"},
		{"cat", "\n", ""},
		{"cat", "", ""},
		{"cat", "\n\n the\tcar \r\n", "\n\n the\tcar \r"},
		{"cat", "a\x00b\x00", "a\x00b\x00"},
		{"cat", "caf\u00e9 \u2028 \U0001f600", "caf\u00e9 \u2028 \U0001f600"},
		{"tr A-Z a-z", "The Car", "the car"},
		{"cat; echo", "x", "x"},
		{"cat; echo; echo", "x", "x\n"},
		{"echo done", strings.Repeat("not read ", 50_000), "done"},
		{"echo oops >&2; cat", "x", "x"},
		{`printf %s "$LC_ALL $LANG"`, "x", "C.UTF-8 C.UTF-8"},
	}
	for _, test := range tests {
		f := filter(t, test.script, 10*time.Second)
		if got, err := normalize(f, test.text); err != nil || got != test.want {
			t.Errorf("%s: %.60q becomes %q, %v; want %q", test.script, test.text, got, err, test.want)
		}
	}
}

// TestFilterFaults: whatever it does is the outcome of its own text, in time.
func TestFilterFaults(t *testing.T) {
	tests := []struct {
		name, script string
		kind         adapters.FaultKind
		says         string
	}{
		{"exit status", "cat; exit 1", adapters.Crash, "exit status 1"},
		{"killed", "cat; kill -9 $$", adapters.Crash, "killed"},
		{"hangs", "cat; exec sleep 60", adapters.Timeout, "no end within 500ms"},
		{"hangs in a child", "sleep 60; cat", adapters.Timeout, "no end within 500ms"},
		{"invalid UTF-8", `printf '\377'`, adapters.Protocol, "not valid UTF-8"},
		{"floods", "exec cat /dev/zero", adapters.Protocol, "more than 16 MB"},
		{"floods and does not care", "trap '' PIPE; cat /dev/zero; exit 0", adapters.Protocol, "more than 16 MB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			timeout := 20 * time.Second
			if test.kind == adapters.Timeout {
				timeout = 500 * time.Millisecond
			}
			f := filter(t, test.script, timeout)
			start := time.Now()
			_, err := normalize(f, "x")
			var fault *adapters.Fault
			if !errors.As(err, &fault) || fault.Kind != test.kind || !strings.Contains(fault.Error(), test.says) {
				t.Errorf("%v, want %s: %s", err, test.kind, test.says)
			}
			if took := time.Since(start); took > 15*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestFilterLeavesNothingBehind: a child that outlives the filter is ended,
// whether or not it holds the filter's stdout.
func TestFilterLeavesNothingBehind(t *testing.T) {
	for name, script := range map[string]string{
		"silent":          `sleep 60 </dev/null >/dev/null 2>&1 & echo $! >"$0"; cat`,
		"holds the pipes": `sleep 60 & echo $! >"$0"; cat`,
		"and hangs":       `sleep 60 & echo $! >"$0"; sleep 60`,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			f, err := process.NewFilter(process.Config{Command: append(sh(t, script), file), RequestTimeout: 2 * time.Second}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := normalize(f, "x")
			if name == "silent" && (err != nil || got != "x") {
				t.Errorf("it answers %q, %v", got, err)
			}
			if name == "holds the pipes" && (err == nil || !strings.Contains(err.Error(), "still held its stdout")) {
				t.Errorf("it answers %q, %v: what it left behind is not named", got, err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			child, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				if gone(child) {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("its child %d goes on", pid)
				}
			}
		})
	}
}

// gone reports whether a process has ended, reaped or not.
func gone(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.Pid), "stat"))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// TestFilterHello: it claims normalize at the pins it is given, and says
// under which locale it runs.
func TestFilterHello(t *testing.T) {
	f := filter(t, "cat", 0)
	hello, err := f.Hello(t.Context())
	if err != nil || hello.Validate() != nil {
		t.Fatalf("%+v, %v, %v", hello, err, hello.Validate())
	}
	support := hello.Metrics["squad"]
	if len(hello.Metrics) != 1 || len(support.Answers) != 1 || support.Answers[0] != "normalize" || support.Pins[0] != "hf-evaluate@a7dd338" || hello.Libraries["locale"] != "C.UTF-8" {
		t.Errorf("%+v", hello)
	}
	var no *adapters.Unsupported
	if _, err := f.Answer(t.Context(), adapters.Request{Op: adapters.Score, Metric: "squad"}); !errors.As(err, &no) {
		t.Errorf("scores: %v", err)
	}
	if _, err := process.NewFilter(process.Config{Command: []string{"no-such-program-anywhere"}}, nil); err == nil || !strings.Contains(err.Error(), "no-such-program-anywhere") {
		t.Errorf("a program that is missing: %v", err)
	}
}

// TestFilterIsInterrupted: the end of the run is no outcome of the text.
func TestFilterIsInterrupted(t *testing.T) {
	f := filter(t, "sleep 60", time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := f.Answer(ctx, adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: "x"})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestFilterStderr is kept for people.
func TestFilterStderr(t *testing.T) {
	f := filter(t, "echo the dictionary is missing >&2; exit 3", 10*time.Second)
	if _, err := normalize(f, "x"); adapters.AsFault(err).Kind != adapters.Crash {
		t.Error(err)
	}
	if text := f.Stderr(); text != "the dictionary is missing\n" {
		t.Errorf("stderr is %q", text)
	}
}
