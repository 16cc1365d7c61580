package pyre

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

// oracle is a live CPython that answers what re.sub(pattern, "", text) returns or raises.
type oracle struct {
	t       testing.TB
	in      io.WriteCloser
	out     *bufio.Reader
	version string
	command *exec.Cmd
}

// oracleProgram answers a list of [pattern, [text, …]] with one of rows: each is
// {"type", "message", "position"} or {"out": […]}, null for a text that takes over
// a fifth of a second of its own time.
const oracleProgram = `
import json, re, signal, sys, warnings
warnings.simplefilter("ignore")
class Slow(Exception): pass
armed = False
def slow(*_):
    if armed:
        raise Slow
signal.signal(signal.SIGVTALRM, slow)
def timed(compiled, text):
    global armed
    armed = True
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        return compiled.sub("", text)
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
def sub(compiled, text):
    try:
        return timed(compiled, text)
    except (Slow, MemoryError):
        return None
def answer(pattern, texts):
    re.purge()
    try:
        compiled = re.compile(pattern)
    except Exception as error:
        position = getattr(error, "pos", None)
        return {"type": type(error).__name__, "message": str(error), "position": -1 if position is None else position}
    return {"out": [sub(compiled, text) for text in texts]}
print(json.dumps("%d.%d.%d" % sys.version_info[:3]), flush=True)
for line in sys.stdin:
    print(json.dumps([answer(*row) for row in json.loads(line)]), flush=True)
`

// question is a pattern and the texts it is tried on.
type question struct {
	pattern string
	texts   []string
}

func (q question) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{q.pattern, append([]string{}, q.texts...)})
}

// reply is CPython's verdict on a pattern, and what it leaves of each text.
type reply struct {
	Type     string
	Message  string
	Position int
	Out      []*string
}

func newOracle(t testing.TB, modules ...string) *oracle {
	t.Helper()
	o := startOracle(t, pytest.Interpreter(t, modules...))
	if !strings.HasPrefix(o.version, "3.11.") {
		t.Skipf("the interpreter found is CPython %s: another minor version accepts other patterns, words them otherwise and "+
			"has another Unicode, so nothing here can be compared; name a CPython 3.11 in NORMCERT_PYTHON", o.version)
	}
	return o
}

func startOracle(t testing.TB, interpreter string) *oracle {
	t.Helper()
	command := exec.Command(interpreter, "-c", oracleProgram)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	o := &oracle{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), command: command}
	t.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	o.read(&o.version)
	return o
}

func (o *oracle) read(into any) {
	o.t.Helper()
	line, err := o.out.ReadBytes('\n')
	if err != nil {
		o.t.Fatalf("reading from the Python oracle: %v", err)
	}
	if err := json.Unmarshal(line, into); err != nil {
		o.t.Fatalf("reading from the Python oracle: %v in %.200s", err, line)
	}
}

func (o *oracle) ask(questions []question) []reply {
	o.t.Helper()
	line, err := json.Marshal(questions)
	if err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.in.Write(append(line, '\n')); err != nil {
		o.t.Fatalf("writing to the Python oracle: %v", err)
	}
	var replies []reply
	o.read(&replies)
	return replies
}

// tally counts what a comparison saw.
type tally struct {
	patterns, refused, comparisons, unsupported, slow, limited, disagreements int
}

func (c *tally) String() string {
	return fmt.Sprintf("%d patterns (%d refused by Python), %d texts compared, %d disagreements, %d unsupported, "+
		"%d texts too slow for Python, %d over the limit here",
		c.patterns, c.refused, c.comparisons, c.disagreements, c.unsupported, c.slow, c.limited)
}

// judge compares one pattern and returns what differs, "" if nothing does.
func (c *tally) judge(q question, want reply) string {
	c.patterns++
	if want.Type != "" {
		c.refused++
	}
	p, err := Compile(q.pattern)
	var unsupported *UnsupportedError
	if errors.As(err, &unsupported) {
		c.unsupported++
		return ""
	}
	got := replyOf(err)
	if got.Type != want.Type || got.Message != want.Message || got.Position != want.Position {
		return c.differ("compiling %+q\n  CPython: %s\n  here:    %s", q.pattern, want, got)
	}
	if err != nil {
		return ""
	}
	for i, text := range q.texts {
		if want.Out[i] == nil {
			c.slow++
			continue
		}
		c.comparisons++
		left, err := p.WithLimit(20_000_000).Remove(context.Background(), text)
		var limit *LimitError
		if errors.As(err, &limit) {
			c.limited++
			continue
		}
		if err != nil || left != *want.Out[i] {
			return c.differ("%+q removed from %+q\n  CPython: %+q\n  here:    %+q, error %v", q.pattern, text, *want.Out[i], left, err)
		}
	}
	return ""
}

func (c *tally) differ(format string, args ...any) string {
	c.disagreements++
	return fmt.Sprintf(format, args...)
}

func (r reply) String() string {
	if r.Type == "" {
		return "compiles"
	}
	return fmt.Sprintf("%s %+q at %d", r.Type, r.Message, r.Position)
}

func replyOf(err error) reply {
	var syntax *SyntaxError
	var raised *PythonError
	switch {
	case err == nil:
		return reply{}
	case errors.As(err, &syntax):
		return reply{Type: "error", Message: syntax.Error(), Position: syntax.Pos}
	case errors.As(err, &raised):
		return reply{Type: raised.Type, Message: raised.Msg, Position: -1}
	}
	return reply{Type: fmt.Sprintf("%T", err), Message: err.Error()}
}

const mostShown = 10

// compare asks about all questions in batches and reports what differs, made small.
func compare(t *testing.T, o *oracle, questions []question) *tally {
	t.Helper()
	counts := &tally{}
	const batch = 500
	for len(questions) > 0 {
		n := min(batch, len(questions))
		replies := o.ask(questions[:n])
		for i, want := range replies {
			difference := counts.judge(questions[i], want)
			if difference != "" && counts.disagreements <= mostShown {
				t.Errorf("%s\n  smallest: %s", difference, shrink(o, questions[i]))
			}
		}
		questions = questions[n:]
	}
	t.Logf("CPython %s: %s", o.version, counts)
	return counts
}

// shrink returns the difference of the smallest question found that still has one.
func shrink(o *oracle, q question) string {
	best, found := q, ""
	for again := true; again; {
		again = false
		for _, smaller := range smallerQuestions(best) {
			var ignored tally
			if difference := ignored.judge(smaller, o.ask([]question{smaller})[0]); difference != "" {
				best, found, again = smaller, difference, true
				break
			}
		}
	}
	return found
}

func smallerQuestions(q question) []question {
	var smaller []question
	if len(q.texts) > 1 {
		for _, text := range q.texts {
			smaller = append(smaller, question{q.pattern, []string{text}})
		}
		return smaller
	}
	for _, pattern := range withoutPart(q.pattern) {
		smaller = append(smaller, question{pattern, q.texts})
	}
	if len(q.texts) == 1 {
		for _, text := range withoutPart(q.texts[0]) {
			smaller = append(smaller, question{q.pattern, []string{text}})
		}
	}
	return smaller
}

// withoutPart returns text less each run of its characters, long ones first.
func withoutPart(text string) []string {
	runes := []rune(text)
	var shorter []string
	for width := min(len(runes), 8); width > 0; width-- {
		for i := 0; i+width <= len(runes); i++ {
			shorter = append(shorter, string(runes[:i])+string(runes[i+width:]))
		}
	}
	return shorter
}
