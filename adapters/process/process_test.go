package process_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/metric"
)

const deadline = 700 * time.Millisecond

// start runs the faulty program; config may change the defaults.
func start(t *testing.T, how string, change ...func(*process.Config)) *process.Adapter {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := process.Config{Command: []string{self}, Env: faultyEnvironment(how), Window: 8, RequestTimeout: deadline}
	for _, f := range change {
		f(&config)
	}
	a, err := process.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// outcome is what became of one request.
type outcome struct {
	text string
	err  error
}

// ask puts all texts at once; a text's index is its mark.
func ask(a *process.Adapter, texts []string) []outcome {
	outcomes := make([]outcome, len(texts))
	var all sync.WaitGroup
	// Two windows' worth of callers: some requests always wait to be sent.
	turn := make(chan struct{}, 16)
	for i, text := range texts {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			request := adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: text, Mark: i}
			switch text {
			case "nan", "nan-before-id", "true", "null":
				request.Op, request.Text, request.Items = adapters.Score, "", []metric.Item{metric.Answered(text, "")}
			}
			answer, err := a.Answer(context.Background(), request)
			outcomes[i] = outcome{answer.Text, err}
		})
	}
	all.Wait()
	return outcomes
}

// around puts one text among good ones.
func around(bad string, before, after int) []string {
	var texts []string
	for i := range before {
		texts = append(texts, fmt.Sprintf("before %d", i))
	}
	texts = append(texts, bad)
	for i := range after {
		texts = append(texts, fmt.Sprintf("after %d", i))
	}
	return texts
}

func TestFaultIsTheOutcomeOfItsOwnRequest(t *testing.T) {
	tests := []struct {
		fault string
		kind  adapters.FaultKind // of the outcome, or of the late fault; empty for a good answer
		late  bool
		says  string
		unix  bool
	}{
		{fault: "hang", kind: adapters.Timeout, says: "no answer within"},
		{fault: "ignore-sigterm", kind: adapters.Timeout, says: "no answer within"},
		{fault: "forget", kind: adapters.Timeout, says: "no answer within"},
		{fault: "stop-reading", kind: adapters.Timeout, says: "no answer within"},
		{fault: "crash", kind: adapters.Crash, says: "exit status 3); its stderr ends: boom: division by zero"},
		{fault: "exit-0", kind: adapters.Crash, says: "the program ended (exit status 0)"},
		{fault: "segfault", kind: adapters.Crash, says: "signal: killed", unix: true},
		{fault: "half-line", kind: adapters.Crash, says: "in the middle of a line"},
		{fault: "close-stdout", kind: adapters.Crash, says: "closed its stdout and kept running"},
		{fault: "orphan", kind: adapters.Crash, says: "exit status 5", unix: true},
		{fault: "orphan-escaped", kind: adapters.Crash, says: "exit status 5", unix: true},
		{fault: "orphan-hidden", kind: adapters.Crash, says: "exit status 5", unix: true},
		{fault: "answer-crash", kind: adapters.Crash, late: true, says: "after its answer: the program ended (exit status 4)"},
		{fault: "banner", kind: adapters.Protocol, says: "not a JSON object"},
		{fault: "banner-late", kind: adapters.Protocol, late: true, says: "after its answer: the line is not a JSON object"},
		{fault: "empty-line", kind: adapters.Protocol, says: "empty line"},
		{fault: "twice", kind: adapters.Protocol, late: true, says: "answered twice"},
		{fault: "twice-at-once", kind: adapters.Protocol, late: true, says: "answered twice"},
		{fault: "wrong-id", kind: adapters.Protocol, says: "the reply's id is not that of a waiting request"},
		{fault: "string-id", kind: adapters.Protocol, says: `the reply's id is "`},
		{fault: "no-id", kind: adapters.Protocol, says: "the reply has no id"},
		{fault: "not-utf8", kind: adapters.Protocol, says: "not valid UTF-8"},
		{fault: "latin1-line", kind: adapters.Protocol, says: "not valid UTF-8"},
		{fault: "surrogate", kind: adapters.Protocol, says: "surrogate"},
		{fault: "duplicate-key", kind: adapters.Protocol, says: "duplicate key"},
		{fault: "number", kind: adapters.Protocol, says: "number"},
		{fault: "nothing", kind: adapters.Protocol, says: "holds no text"},
		{fault: "nan", kind: adapters.Protocol, says: "not strict JSON"},
		{fault: "nan-before-id", kind: adapters.Protocol, says: "not strict JSON"},
		{fault: "true", kind: adapters.Protocol, says: "true is not a number"},
		{fault: "null", kind: adapters.Protocol, says: "null is not a number"},
		{fault: "flood-line", kind: adapters.Protocol, says: "longer than 16 MB"},
		{fault: "flood-lines", kind: adapters.Protocol, says: "not a JSON object"},
		{fault: "flood-stderr"},
		{fault: "crlf"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			if test.unix && runtime.GOOS == "windows" {
				t.Skip("needs signals and sleep(1)")
			}
			t.Parallel()
			texts := around(test.fault, 11, 12)
			a := start(t, "", func(c *process.Config) {
				if test.fault == "flood-stderr" || test.kind != adapters.Timeout {
					c.RequestTimeout = 5 * time.Second
				}
			})
			outcomes := ask(a, texts)
			late, err := a.Close()
			if err != nil {
				t.Error(err)
			}
			for i, got := range outcomes {
				if texts[i] == test.fault && test.kind != "" && !test.late {
					expectFault(t, got.err, test.kind, test.says)
				} else if got.err != nil || got.text != strings.ToUpper(texts[i]) {
					t.Errorf("%q was not answered: %q, %v", texts[i], got.text, got.err)
				}
			}
			switch {
			case !test.late && len(late) > 0:
				t.Errorf("unexpected late faults: %v of %q", late[0].Fault, texts[late[0].Mark])
			case test.late && (len(late) != 1 || texts[late[0].Mark] != test.fault):
				t.Errorf("late faults are %v, not one of the request", late)
			case test.late:
				expectFault(t, late[0].Fault, test.kind, test.says)
			}
			row := "answered"
			if test.late && len(late) > 0 {
				row = "late " + late[0].Fault.Error()
			} else if outcomes[11].err != nil {
				row = outcomes[11].err.Error()
			}
			t.Logf("FAULT | %s | %s | restarts %d", test.fault, row, a.Restarts())
		})
	}
}

func expectFault(t *testing.T, err error, kind adapters.FaultKind, says string) {
	t.Helper()
	var f *adapters.Fault
	if !errors.As(err, &f) {
		t.Errorf("no fault but %v", err)
		return
	}
	if f.Kind != kind || !strings.Contains(f.What, says) {
		t.Errorf("fault is %v; want a %s that says %q", f, kind, says)
	}
}

func TestStartFailuresAreExplained(t *testing.T) {
	tests := []struct {
		how  string
		says []string
	}{
		{"exit", []string{"it ended (exit status 0), without answering the hello", "until stdin is closed"}},
		{"traceback", []string{"exit status 1", "ModuleNotFoundError: No module named 'acme'"}},
		{"banner", []string{"not a JSON object", "Loading model...", "print everything else to stderr"}},
		{"silent", []string{"did not answer the hello within", "flush stdout"}},
		{"half-hello", []string{"in the middle of a line", `{\"id\":0,\"name\"`}},
		{"bad-hello", []string{`answers holds "em"`, "exact_match"}},
		{"second-line", []string{"ready", "stdout is for answers only"}},
	}
	for _, test := range tests {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			a := start(t, test.how, func(c *process.Config) {
				if test.how == "silent" {
					c.StartTimeout = 300 * time.Millisecond
				}
			})
			_, err := a.Hello(context.Background())
			var failure *process.StartError
			if !errors.As(err, &failure) {
				t.Fatalf("no StartError but %v", err)
			}
			for _, text := range test.says {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error does not say %q:\n%v", text, err)
				}
			}
			t.Logf("START | %s\n%v", test.how, err)
		})
	}
}

func TestProgramsThatAreNoAdapters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs true(1) and cat(1)")
	}
	for name, says := range map[string]string{"true": "it ended (exit status 0), without answering the hello", "cat": "it gives back what it reads"} {
		a, err := process.New(process.Config{Command: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Hello(context.Background())
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("START | %s\n%v", name, err)
		if _, err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestMissingProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plain.py"), []byte("print()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		command []string
		says    string
	}{
		{nil, "no program was named"},
		{[]string{"no-such-program-anywhere"}, `"no-such-program-anywhere" cannot be run: it is not on PATH`},
		{[]string{"./no-such-file"}, "there is no such file"},
		{[]string{"python3 my_adapter.py"}, "as separate words"},
		{[]string{"./plain.py"}, "chmod +x"},
	}
	for _, test := range tests {
		_, err := process.New(process.Config{Command: test.command, Dir: dir})
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: %v; want %q", test.command, err, test.says)
		}
	}
}

func TestSlowStartAndAnswersInAnyOrder(t *testing.T) {
	t.Parallel()
	if out := ask(start(t, "slow"), []string{"a"}); out[0].text != "A" {
		t.Errorf("slow start: %v", out[0])
	}
	texts := around("x", 10, 9)
	for i, got := range ask(start(t, "reversed"), texts) {
		if got.err != nil || got.text != strings.ToUpper(texts[i]) {
			t.Errorf("%q: %q, %v", texts[i], got.text, got.err)
		}
	}
}

func TestSeveralFaultsInOneWindow(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *process.Config) { c.Window = 16; c.RequestTimeout = 5 * time.Second })
	texts := strings.Fields("a crash b banner c twice d banner-late e half-line f answer-crash g wrong-id h exit-0 i crash j")
	outcomes := ask(a, texts)
	late, err := a.Close()
	if err != nil {
		t.Fatal(err)
	}
	lates := map[string]bool{}
	for _, l := range late {
		lates[texts[l.Mark]] = true
	}
	for i, text := range texts {
		fault := acts[text] != nil
		switch {
		case lates[text] || fault && outcomes[i].err != nil:
			if !fault {
				t.Errorf("%q carries another's fault", text)
			}
		case fault:
			t.Errorf("%q carries no fault", text)
		case outcomes[i].text != strings.ToUpper(text):
			t.Errorf("%q: %v", text, outcomes[i])
		}
	}
}

func TestProgramThatLosesWhatIsSentAhead(t *testing.T) {
	t.Parallel()
	a := start(t, "one-at-a-time")
	texts := around("x", 10, 10)
	for i, got := range ask(a, texts) {
		if got.text != strings.ToUpper(texts[i]) {
			t.Errorf("%q: %q, %v", texts[i], got.text, got.err)
		}
	}
	if len(a.Remarks()) == 0 {
		t.Error("nothing is noted")
	}
}

func TestExitAfterFirstAnswerCostsOnlyRestarts(t *testing.T) {
	t.Parallel()
	a := start(t, "exit-after-first")
	texts := around("x", 3, 4)
	for i, got := range ask(a, texts) {
		if got.text != strings.ToUpper(texts[i]) {
			t.Errorf("%q: %q, %v", texts[i], got.text, got.err)
		}
	}
	late, _ := a.Close()
	if len(late) == 0 {
		t.Error("the exits are nobody's fault")
	}
	for _, l := range late {
		expectFault(t, l.Fault, adapters.Crash, "after its answer")
	}
}

func TestRestartsAreBounded(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *process.Config) { c.MaxRestarts = 3; c.RequestTimeout = 5 * time.Second })
	texts := strings.Fields("crash crash crash crash crash crash crash crash")
	bounded := 0
	for _, got := range ask(a, texts) {
		var f *adapters.Fault
		if !errors.As(got.err, &f) || f.Kind != adapters.Crash {
			t.Errorf("not a crash: %v", got)
		} else if strings.Contains(f.What, "the program was restarted 3 times") {
			bounded++
		}
	}
	if bounded == 0 || bounded == len(texts) || a.Restarts() != 3 {
		t.Errorf("%d of %d were not sent again, %d restarts", bounded, len(texts), a.Restarts())
	}
}

func TestProgramThatDoesNotStartAgain(t *testing.T) {
	a := start(t, "once", func(c *process.Config) { c.Dir = t.TempDir(); c.RequestTimeout = 5 * time.Second })
	outcomes := ask(a, []string{"a", "b", "crash"})
	expectFault(t, outcomes[2].err, adapters.Crash, "did not start again: it ended (exit status 7)")
	if !strings.Contains(a.Stderr(), "the licence server says no") {
		t.Errorf("stderr is %q", a.Stderr())
	}
	after := ask(a, []string{"c"})
	expectFault(t, after[0].err, adapters.Crash, "not sent: the program did not start again")
}

func TestNeverReads(t *testing.T) {
	t.Parallel()
	a := start(t, "never-reads", func(c *process.Config) { c.MaxRestarts = 2 })
	big := strings.Repeat("x", 1<<20) // more than a pipe holds
	outcomes := ask(a, []string{big, big, "c"})
	timeouts := 0
	for _, got := range outcomes {
		var f *adapters.Fault
		if errors.As(got.err, &f) && f.Kind == adapters.Timeout && strings.Contains(f.What, "does not read its stdin") {
			timeouts++
		}
	}
	if timeouts == 0 {
		t.Errorf("no timeout says that stdin is not read: %v", outcomes)
	}
}

func TestExitRightAfterHello(t *testing.T) {
	a := start(t, "exit-after-hello", func(c *process.Config) { c.RequestTimeout = 5 * time.Second; c.MaxRestarts = 4 })
	if _, err := a.Hello(context.Background()); err != nil {
		return // seen in time
	}
	for _, got := range ask(a, []string{"a", "b"}) {
		expectFault(t, got.err, adapters.Crash, "")
	}
}

func TestCloseIsPatientButFinal(t *testing.T) {
	for _, how := range []string{"last-words", "exit-3", "stays"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			a := start(t, how)
			if out := ask(a, []string{"a", "b"}); out[0].err != nil || out[1].err != nil {
				t.Fatal(out)
			}
			late, err := a.Close()
			if err != nil {
				t.Error(err)
			}
			switch {
			case how != "last-words" && len(late) > 0:
				t.Errorf("late faults: %v", late[0].Fault)
			case how == "last-words" && len(late) != 1:
				t.Errorf("%d late faults", len(late))
			case how == "last-words":
				expectFault(t, late[0].Fault, adapters.Protocol, "after its answer: the line is not a JSON object")
			}
			again, _ := a.Close()
			if len(again) != len(late) {
				t.Error("a second Close returns something else")
			}
			_, err = a.Answer(context.Background(), adapters.Request{Op: adapters.Normalize, Metric: "squad"})
			expectFault(t, err, adapters.Crash, "closed")
		})
	}
}

func TestCancelledRequestReturnsAndCloseKills(t *testing.T) {
	t.Parallel()
	a := start(t, "", func(c *process.Config) { c.RequestTimeout = time.Minute })
	if _, err := a.Hello(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := a.Answer(ctx, adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: "hang"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("not the context's error: %v", err)
	}
	waiting := make(chan error)
	go func() {
		_, err := a.Answer(context.Background(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: "b"})
		waiting <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if _, err := a.Close(); err != nil {
		t.Error(err)
	}
	expectFault(t, <-waiting, adapters.Crash, "closed")
}

func TestCancelledHello(t *testing.T) {
	a := start(t, "silent", func(c *process.Config) { c.StartTimeout = time.Minute })
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := a.Hello(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("not the context's error: %v", err)
	}
}

// A program that answers one after the
// other is not charged for what was sent ahead of its turn.
func TestSlowButSteadyIsNotATimeout(t *testing.T) {
	t.Parallel()
	self, _ := os.Executable()
	a, err := process.New(process.Config{Command: []string{self}, Env: faultyEnvironment(""), RequestTimeout: deadline})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	naps := make([]string, 60)
	for i := range naps {
		naps[i] = "nap"
	}
	for _, got := range ask(a, naps) {
		if got.err != nil {
			t.Fatal(got.err)
		}
	}
}

func TestStderrKeepsTheTail(t *testing.T) {
	a := start(t, "", func(c *process.Config) { c.RequestTimeout = 10 * time.Second })
	ask(a, []string{"flood-stderr"})
	a.Close()
	if text := a.Stderr(); len(text) > 9<<10 || !strings.Contains(text, "bytes before") {
		t.Errorf("%d bytes are kept", len(text))
	}
}

func TestNothingIsLeftRunning(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("needs pgrep")
	}
	mark := fmt.Sprintf("60.%d", os.Getpid())
	a, err := process.New(process.Config{Command: []string{"sh", "-c", `read hello; echo '{"id":0,` + goodHello + `}'; sleep ` + mark + ` & sleep ` + mark}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Hello(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Close(); err != nil {
		t.Error(err)
	}
	if out, err := exec.Command("pgrep", "-f", "sleep "+mark).Output(); err == nil {
		t.Errorf("still running: %s", out)
	}
}
