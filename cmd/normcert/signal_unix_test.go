//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/normcert/normcert/internal/pytest"
)

// hanging never answers for "the car", and writes its own process id and that of
// a child once it has answered ten others. It goes on when its stdin is closed
// and when it is asked to end. With an argument it does not even say hello.
const hanging = `
import json, os, signal, subprocess, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])

def ready():
    with open("pids.tmp", "w") as file:
        file.write("%d %d" % (os.getpid(), child.pid))
    os.rename("pids.tmp", "pids")

if len(sys.argv) > 1:
    ready()
    time.sleep(600)
answered = 0
for line in sys.stdin.buffer:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if request["op"] == "hello":
        reply.update(name="hanger", version="1", metrics={"nfd_exact_match": {"answers": ["exact_match"]}})
    else:
        item = request["items"][0]
        if item["prediction"] == "the car":
            continue
        reply["scores"] = {"exact_match": 1 if item["prediction"] == item["references"][0] else 0}
        answered += 1
    os.write(1, json.dumps(reply).encode() + b"\n")
    if answered == 10:
        ready()
time.sleep(600)
`

// hang starts a command that is a hanging adapter's, and waits until it hangs.
func hang(t *testing.T, adapterArgs []string, args ...string) (command *exec.Cmd, stdout, stderr *strings.Builder, pids []string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hanging.py"), []byte(hanging), 0o644); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"certify", "--timeout", "60s", "--start-timeout", "60s", "--case", "article-glue"}, args...)
	args = append(append(args, "--", pytest.Interpreter(t), "hanging.py"), adapterArgs...)
	command = exec.Command("normcert", args...)
	command.Dir = dir
	stdout, stderr = &strings.Builder{}, &strings.Builder{}
	command.Stdout, command.Stderr = stdout, stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	for range 200 {
		if content, err := os.ReadFile(filepath.Join(dir, "pids")); err == nil {
			// What it answered just now is still on its way.
			time.Sleep(200 * time.Millisecond)
			return command, stdout, stderr, strings.Fields(string(content))
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the adapter does not hang")
	return
}

// exitWithin returns the exit code of a command that ends by itself.
func exitWithin(t *testing.T, command *exec.Cmd, most time.Duration) int {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return command.ProcessState.ExitCode()
	case <-time.After(most):
		t.Fatalf("it goes on %v after the signal", most)
		return -1
	}
}

// runs reports whether a process is there and is more than an unread exit status.
func runs(pid string) bool {
	state, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	text := strings.TrimSpace(string(state))
	return text != "" && !strings.HasPrefix(text, "Z")
}

func expectGone(t *testing.T, pids []string) {
	t.Helper()
	if len(pids) != 2 {
		t.Fatalf("not two process ids: %v", pids)
	}
	for _, pid := range pids {
		gone := false
		for range 40 {
			if gone = !runs(pid); gone {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if !gone {
			t.Errorf("process %s of the adapter is left running", pid)
		}
	}
}

// TestInterruptedReport: a signal ends a run with 4, with what was reached
// judged, and with nothing left behind.
func TestInterruptedReport(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			command, stdout, stderr, pids := hang(t, nil, "--format", "json")
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := exitWithin(t, command, 10*time.Second); code != exitIncomplete {
				t.Errorf("exit %d", code)
			}
			expectGone(t, pids)
			if stderr.Len() > 0 {
				t.Errorf("stderr: %s", stderr)
			}
			var report struct {
				Interrupted bool
				ExitCode    int `json:"exit_code"`
				Signature   string
				Claims      []struct {
					Verdict  string
					Outcomes map[string]int
				}
			}
			if err := json.Unmarshal([]byte(stdout.String()), &report); err != nil {
				t.Fatalf("%v in %s", err, stdout)
			}
			if !report.Interrupted || report.ExitCode != exitIncomplete || report.Signature == "" || len(report.Claims) != 1 {
				t.Errorf("the report does not say that it was interrupted: %+v", report)
			}
			outcomes := report.Claims[0].Outcomes
			if outcomes["same"] == 0 || outcomes["not reached"] == 0 || outcomes["crash"]+outcomes["timeout"] > 0 {
				t.Errorf("outcomes: %v", outcomes)
			}
		})
	}
}

// TestInterruptedText: the report for people says it first.
func TestInterruptedText(t *testing.T) {
	t.Parallel()
	command, stdout, _, pids := hang(t, nil)
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitWithin(t, command, 10*time.Second); code != exitIncomplete {
		t.Errorf("exit %d", code)
	}
	expectGone(t, pids)
	lines := strings.Split(stdout.String(), "\n")
	if len(lines) < 5 || !strings.HasPrefix(lines[1], "interrupted: ") || !strings.Contains(stdout.String(), "not reached") ||
		!strings.Contains(stdout.String(), "\nnormcert:") {
		t.Errorf("the report:\n%s", stdout)
	}
}

// TestInterruptedBeforeHello: there is nothing to report, and nothing to blame.
func TestInterruptedBeforeHello(t *testing.T) {
	t.Parallel()
	command, stdout, stderr, pids := hang(t, []string{"silent"})
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitWithin(t, command, 10*time.Second); code != exitIncomplete {
		t.Errorf("exit %d", code)
	}
	expectGone(t, pids)
	if stdout.Len() > 0 || stderr.String() != "normcert: interrupted\n" {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
}

// TestInterruptedInput: a verb that waits for its input ends at a signal.
func TestInterruptedInput(t *testing.T) {
	for _, args := range [][]string{{"serve"}, {"score", "--setup", "squad", "--pin", "hf-evaluate@a7dd338"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			command := exec.Command("normcert", args...)
			requests, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer requests.Close()
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = command.Process.Kill() })
			if _, err := io.WriteString(requests, `{"id":"0","op":"hello","prediction":"a","references":["a"]}`+"\n"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // to come as far as reading
			if err := command.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if code := exitWithin(t, command, 5*time.Second); code != exitIncomplete {
				t.Errorf("exit %d", code)
			}
		})
	}
}

// TestClosedPipe: whoever reads the report has gone, so that nobody learns the
// verdict; dying of SIGPIPE would not be one of the exit codes.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"certify", "--case", "dates"}, {"list"}, {"--help"}} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		var stderr strings.Builder
		command := exec.Command("normcert", args...)
		command.Stdout, command.Stderr = write, &stderr
		_ = command.Run()
		write.Close()
		if code := command.ProcessState.ExitCode(); code != exitNoVerdict || !strings.Contains(stderr.String(), "broken pipe") {
			t.Errorf("%v: %v, stderr %q", args, command.ProcessState, stderr.String())
		}
	}
}
