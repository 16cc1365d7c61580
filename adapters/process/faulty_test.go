package process_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// faultyEnv makes the test binary the faulty program; its value says how it
// starts. What it does with a request is what the request's text says.
const faultyEnv = "NORMCERT_TEST_FAULTY"

// faultyEnvironment is what makes it one. The race detector would let it
// linger for a second at every exit.
func faultyEnvironment(start string) []string {
	return []string{faultyEnv + "=" + start, "GORACE=atexit_sleep_ms=0"}
}

func TestMain(m *testing.M) {
	if start, faulty := os.LookupEnv(faultyEnv); faulty {
		newFaulty().run(start)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const goodHello = `"name":"faulty","version":"1","metrics":{"squad":{"answers":["normalize","exact_match"]}}`

// faulty is a program that does one thing wrong.
type faulty struct {
	in   *bufio.Reader
	held []string // answers kept back
	seen int
}

func newFaulty() *faulty { return &faulty{in: bufio.NewReaderSize(os.Stdin, 1<<20)} }

type request struct {
	ID   int64  `json:"id"`
	Op   string `json:"op"`
	Text string `json:"text"`
	// Items' first prediction is what it does, where it is asked for scores.
	Items []struct {
		Prediction string `json:"prediction"`
	} `json:"items"`
}

func (f *faulty) read() (request, bool) {
	line, err := f.in.ReadBytes('\n')
	var r request
	if err != nil || json.Unmarshal(line, &r) != nil {
		return r, false
	}
	for _, item := range r.Items {
		r.Text = item.Prediction
	}
	return r, true
}

func say(format string, args ...any) { fmt.Fprintf(os.Stdout, format, args...) }

func answer(r request) string { return answerTo(r.ID, r.Text) }

// answerTo is right: upper case stands for normalization.
func answerTo(id int64, text string) string {
	quoted, _ := json.Marshal(strings.ToUpper(text))
	return fmt.Sprintf(`{"id":%d,"text":%s}`+"\n", id, quoted)
}

func (f *faulty) run(start string) {
	hello, ok := f.read()
	if !ok {
		return
	}
	switch start {
	case "exit":
		return
	case "traceback":
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\n  File \"my_adapter.py\", line 3\nModuleNotFoundError: No module named 'acme'")
		os.Exit(1)
	case "banner":
		say("Loading model...\n")
	case "silent":
		time.Sleep(time.Minute)
	case "slow":
		time.Sleep(150 * time.Millisecond)
	case "half-hello":
		say(`{"id":0,"name"`)
		return
	case "bad-hello":
		say(`{"id":0,"name":"x","metrics":{"squad":{"answers":["em"]}}}` + "\n")
		return
	case "second-line":
		say("{\"id\":%d,%s}\nready\n", hello.ID, goodHello)
		return
	case "once":
		// The second start finds the mark that the first one left.
		if _, err := os.Stat("started"); err == nil {
			fmt.Fprintln(os.Stderr, "the licence server says no")
			os.Exit(7)
		}
		_ = os.WriteFile("started", nil, 0o600)
	case "never-reads":
		say("{\"id\":%d,%s}\n", hello.ID, goodHello)
		time.Sleep(time.Minute)
	}
	say("{\"id\":%d,%s}\n", hello.ID, goodHello)
	if start == "exit-after-hello" {
		return
	}
	for {
		r, ok := f.read()
		if !ok {
			break
		}
		f.seen++
		f.serve(start, r)
	}
	f.end(start)
}

// end is what it does once stdin is closed.
func (f *faulty) end(start string) {
	switch start {
	case "last-words":
		say("processed %d requests\n", f.seen)
	case "leaves":
		orphanEscaped()
	case "exit-3":
		os.Exit(3)
	case "stays":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		time.Sleep(time.Minute)
	}
}

func (f *faulty) serve(start string, r request) {
	switch {
	case start == "reversed":
		// Answers come in bursts, the last first.
		f.held = append(f.held, answer(r))
		if len(f.held) == 4 {
			for i := len(f.held) - 1; i >= 0; i-- {
				say("%s", f.held[i])
			}
			f.held = nil
		}
		return
	case start == "one-at-a-time" && f.in.Buffered() > 0:
		f.in.Discard(f.in.Buffered()) // loses what was sent ahead
	case start == "exit-after-first" && f.seen == 1:
		say("%s", answer(r))
		os.Exit(0)
	}
	if act, ok := acts[r.Text]; ok {
		act(r)
		return
	}
	say("%s", answer(r))
}

// acts are what it does wrong, by the text of the request.
var acts = map[string]func(request){
	"hang":           func(request) { time.Sleep(time.Minute) },
	"ignore-sigterm": func(request) { signal.Ignore(syscall.SIGTERM); time.Sleep(time.Minute) },
	"forget":         func(request) {},
	"nap":            func(r request) { time.Sleep(20 * time.Millisecond); say("%s", answer(r)) },
	"crash":          func(request) { fmt.Fprintln(os.Stderr, "boom: division by zero"); os.Exit(3) },
	"exit-0":         func(request) { os.Exit(0) },
	"segfault":       func(request) { crashBySignal() },
	"half-line":      func(r request) { say(`{"id":%d,"te`, r.ID); os.Exit(0) },
	"answer-crash":   func(r request) { say("%s", answer(r)); os.Exit(4) },
	"close-stdout":   func(request) { os.Stdout.Close(); time.Sleep(time.Minute) },
	"banner":         func(r request) { say("debug: here\n%s", answer(r)) },
	"banner-late":    func(r request) { say("%sdebug: there\n", answer(r)) },
	"empty-line":     func(r request) { say("\n%s", answer(r)) },
	"twice":          func(r request) { say("%s", answer(r)); say("%s", answer(r)) },
	"twice-at-once":  func(r request) { say("%s%s", answer(r), answer(r)) },
	"wrong-id":       func(r request) { say("%s", answerTo(r.ID+1_000_000, r.Text)) },
	"string-id":      func(r request) { say(`{"id":"%d","text":"X"}`+"\n", r.ID) },
	"no-id":          func(request) { say(`{"text":"X"}` + "\n") },
	"not-utf8":       func(r request) { say("{\"id\":%d,\"text\":\"\xff\"}\n", r.ID) },
	"latin1-line":    func(r request) { say("caf\xe9\n") },
	"surrogate":      func(r request) { say(`{"id":%d,"text":"\ud800"}`+"\n", r.ID) },
	"duplicate-key":  func(r request) { say(`{"id":%d,"text":"a","text":"b"}`+"\n", r.ID) },
	"number":         func(r request) { say(`{"id":%d,"text":1}`+"\n", r.ID) },
	"nothing":        func(r request) { say(`{"id":%d}`+"\n", r.ID) },
	"unsupported":    func(r request) { say(`{"id":%d,"unsupported":"no"}`+"\n", r.ID) },
	"nan":            func(r request) { say(`{"id":%d,"scores":{"exact_match":NaN}}`+"\n", r.ID) },
	"nan-before-id":  func(r request) { say(`{"scores":{"exact_match":NaN},"id":%d}`+"\n", r.ID) },
	"true":           func(r request) { say(`{"id":%d,"scores":{"exact_match":true}}`+"\n", r.ID) },
	"null":           func(r request) { say(`{"id":%d,"scores":{"exact_match":null}}`+"\n", r.ID) },
	"crlf":           func(r request) { say("%s\r\n", strings.TrimSpace(answer(r))) },
	"flood-line":     func(request) { flood(os.Stdout, 1<<30) },
	"flood-stderr":   func(r request) { flood(os.Stderr, 1<<30); say("%s", answer(r)) },
	"flood-lines": func(r request) {
		for range 1_000_000 {
			say("debug\n")
		}
	},
	"orphan":         func(r request) { orphan(); os.Exit(5) },
	"orphan-escaped": func(r request) { orphanEscaped(); os.Exit(5) },
	"orphan-hidden":  func(r request) { orphanHidden(); os.Exit(5) },
	"stop-reading":   func(request) { os.Stdin.Close(); time.Sleep(time.Minute) },
}

func flood(file *os.File, total int) {
	chunk := bytes.Repeat([]byte("x"), 1<<16)
	for range total / len(chunk) {
		if _, err := file.Write(chunk); err != nil {
			return
		}
	}
}

// orphan leaves a child behind that holds all three pipes.
func orphan() *exec.Cmd {
	child := exec.Command("sleep", "60")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = child.Start()
	return child
}
