package process_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
)

// pool is several faulty programs.
func pool(t *testing.T, processes int) *process.Pool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := process.Config{Command: []string{self}, Env: faultyEnvironment(""), RequestTimeout: 10 * time.Second}
	p, err := process.NewPool(config, processes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// askAll puts every text at once; a text's index is its mark.
func askAll(a adapters.Adapter, texts []string) []outcome {
	outcomes := make([]outcome, len(texts))
	var all sync.WaitGroup
	for i, text := range texts {
		all.Go(func() {
			answer, err := a.Answer(context.Background(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: text, Mark: i})
			outcomes[i] = outcome{answer.Text, err}
		})
	}
	all.Wait()
	return outcomes
}

// TestPoolIsOneAdapter: however many processes answer, each request has the
// outcome that it has with one, faults and late faults among them.
func TestPoolIsOneAdapter(t *testing.T) {
	var texts []string
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("text %d", i))
	}
	texts[3], texts[7], texts[12], texts[19], texts[20] = "crash", "twice", "not-utf8", "banner-late", "half-line"
	var want string
	for _, processes := range []int{1, 2, 4} {
		p := pool(t, processes)
		hello, err := p.Hello(t.Context())
		if err != nil || hello.Name != "faulty" {
			t.Fatalf("%d processes: %+v, %v", processes, hello, err)
		}
		// One at a time: which of several in flight a crash takes with it is
		// told by asking again, and that is another test.
		var told strings.Builder
		for i, text := range texts {
			answer, err := p.Answer(t.Context(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: text, Mark: i})
			kind := adapters.FaultKind("")
			if err != nil {
				kind = adapters.AsFault(err).Kind
			}
			fmt.Fprintf(&told, "%d: %q %s\n", i, answer.Text, kind)
		}
		late, err := p.Close()
		if err != nil {
			t.Error(err)
		}
		for _, fault := range late {
			fmt.Fprintf(&told, "late %d: %s\n", fault.Mark, fault.Fault.Kind)
		}
		for _, line := range []string{"0: \"TEXT 0\" \n", "3: \"\" crash\n", "12: \"\" protocol\n", "20: \"\" crash\n", "29: \"TEXT 29\" \n", "late 7: protocol\nlate 19: protocol\n"} {
			if !strings.Contains(told.String(), line) {
				t.Errorf("%d processes: no %q in\n%s", processes, line, told.String())
			}
		}
		if want == "" {
			want = told.String()
		} else if told.String() != want {
			t.Errorf("%d processes:\n%s\nwith one\n%s", processes, told.String(), want)
		}
	}
}

// TestPoolAnswersSideBySide: what is asked at once is answered in full, and a
// process that crashes takes nothing of the others with it.
func TestPoolAnswersSideBySide(t *testing.T) {
	p := pool(t, 4)
	var texts []string
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("text %d", i))
	}
	texts[50] = "crash"
	for i, got := range askAll(p, texts) {
		switch {
		case i == 50 && adapters.AsFault(got.err).Kind != adapters.Crash:
			t.Errorf("the crash is %v", got.err)
		case i != 50 && (got.err != nil || got.text != strings.ToUpper(texts[i])):
			t.Errorf("%s: %q, %v", texts[i], got.text, got.err)
		}
	}
	if text := p.Stderr(); !strings.Contains(text, "boom: division by zero") {
		t.Errorf("stderr is %q", text)
	}
}

// sh is a shell script as a command.
func sh(t *testing.T, script string) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	return []string{"sh", "-c", script}
}

// TestPoolSticksToMarks: a request goes to the process that its mark picks,
// whatever is asked before.
func TestPoolSticksToMarks(t *testing.T) {
	script := `read hello; echo '{"id":0,"name":"x","metrics":{"squad":{"answers":["normalize"]}}}'
while read -r line; do id=${line#*:}; echo "{\"id\":${id%%,*},\"text\":\"$$\"}"; done`
	p, err := process.NewPool(process.Config{Command: sh(t, script)}, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Hello(t.Context()); err != nil {
		t.Fatal(err)
	}
	answers := map[int]string{}
	processes := map[string]bool{}
	for range 2 {
		for _, mark := range []int{5, 1, 0, 4, 3, 2, 9} {
			answer, err := p.Answer(t.Context(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Mark: mark})
			if err != nil {
				t.Fatal(err)
			}
			if earlier, known := answers[mark]; known && earlier != answer.Text {
				t.Errorf("mark %d goes to process %s, and first to %s", mark, answer.Text, earlier)
			}
			answers[mark] = answer.Text
			processes[answer.Text] = true
		}
	}
	if len(processes) != 3 || answers[0] != answers[3] || answers[0] == answers[1] {
		t.Errorf("by mark: %v", answers)
	}
}

// TestPoolOfStrangers: processes that do not say the same of themselves are no
// adapter, nor is one of which a process does not start.
func TestPoolOfStrangers(t *testing.T) {
	var failure *process.StartError
	script := `read hello; echo "{\"id\":0,\"name\":\"number $$\",\"metrics\":{\"squad\":{\"answers\":[\"normalize\"]}}}"; cat >/dev/null`
	p, err := process.NewPool(process.Config{Command: sh(t, script)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Hello(t.Context()); !errors.As(err, &failure) || !strings.Contains(err.Error(), "another hello") {
		t.Errorf("two names: %v", err)
	}
	// mkdir succeeds for one of them only.
	mark := filepath.Join(t.TempDir(), "taken")
	script = `mkdir "` + mark + `" || exit 7; read hello; echo '{"id":0,"name":"x","metrics":{"squad":{"answers":["normalize"]}}}'; cat >/dev/null`
	p, err = process.NewPool(process.Config{Command: sh(t, script)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Hello(t.Context()); !errors.As(err, &failure) || !strings.Contains(err.Error(), "7") {
		t.Errorf("the second does not start: %v", err)
	}
}

// TestNewPool: at least one process, and a program that there is.
func TestNewPool(t *testing.T) {
	if _, err := process.NewPool(process.Config{Command: []string{"no-such-program-anywhere"}}, 2); err == nil || !strings.Contains(err.Error(), "no-such-program-anywhere") {
		t.Errorf("a program that is missing: %v", err)
	}
	p := pool(t, 0)
	if got := askAll(p, []string{"a"}); got[0].text != "A" || got[0].err != nil {
		t.Errorf("a pool of 0 answers %+v", got)
	}
	first, err := p.Close()
	if again, errAgain := p.Close(); err != nil || errAgain != nil || len(first) != len(again) {
		t.Errorf("closed twice: %v, %v; %v, %v", first, err, again, errAgain)
	}
	if _, err := p.Answer(t.Context(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: "b"}); err == nil {
		t.Error("a closed pool answers")
	}
}
