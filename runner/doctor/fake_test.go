package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
)

// fakeEnv makes the test binary a program that does one thing wrong; its value
// says which.
const fakeEnv = "NORMCERT_TEST_DOCTOR"

func TestMain(m *testing.M) {
	if name, is := os.LookupEnv(fakeEnv); is {
		runFake(name)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func fakeConfig(name string) Config {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	// The race detector would let it linger for a second at every exit.
	return Config{Command: []string{self}, Env: []string{fakeEnv + "=" + name, "GORACE=atexit_sleep_ms=0"}}
}

// fake is a program that answers with the reference, but for one thing.
type fake struct {
	in      *bufio.Reader
	name    string
	adapter adapters.Adapter
	seen    int
}

type fakeRequest struct {
	ID      int64
	Op      string
	Text    string
	Options map[string]any
	Items   []struct {
		ID         string
		Prediction *string
		References []string
	}
	line []byte
}

// has reports whether any string of the request holds part.
func (r fakeRequest) has(part string) bool {
	quoted, _ := json.Marshal(part)
	ascii := strings.Trim(string(quoted), `"`)
	for _, item := range r.Items {
		if item.Prediction != nil && strings.Contains(*item.Prediction, part) {
			return true
		}
	}
	return strings.Contains(r.Text, part) || strings.Contains(string(r.line), ascii) && ascii != part
}

// fault is one way to be wrong.
type fakeFault struct {
	claim func(*adapters.Hello)
	// reply changes a reply line; hello too where hello is set.
	reply func(f *fake, r fakeRequest, line string) string
	hello bool
	// run takes over entirely.
	run func(f *fake)
	// end is what it does once stdin is closed.
	end func()
}

func runFake(name string) {
	fault, known := fakeFaults[name]
	if !known {
		panic("no fault " + name)
	}
	f := &fake{in: bufio.NewReaderSize(os.Stdin, 4<<20), name: name, adapter: asIs{reference.New(), fault.claim}}
	if fault.run != nil {
		fault.run(f)
		return
	}
	for {
		r, ok := f.read()
		if !ok {
			break
		}
		line := f.answer(r)
		if fault.reply != nil && (r.Op != "hello" || fault.hello) {
			line = fault.reply(f, r, line)
		}
		fmt.Print(line)
	}
	if fault.end != nil {
		fault.end()
	}
}

func (f *fake) read() (fakeRequest, bool) {
	line, err := f.in.ReadBytes('\n')
	if err != nil {
		return fakeRequest{}, false
	}
	var r fakeRequest
	if err := json.Unmarshal(line, &r); err != nil {
		panic(err)
	}
	r.line = line
	if r.Op != "hello" {
		f.seen++
	}
	return r, true
}

// answer is right, and ends with its newline.
func (f *fake) answer(r fakeRequest) string {
	var out bytes.Buffer
	_ = adapters.Serve(context.Background(), f.adapter, bytes.NewReader(r.line), &out)
	return out.String()
}

// serveAll answers everything that is left.
func (f *fake) serveAll() {
	for {
		r, ok := f.read()
		if !ok {
			return
		}
		fmt.Print(f.answer(r))
	}
}

// replaced changes part of every reply.
func replaced(old, fresh string) func(*fake, fakeRequest, string) string {
	return func(_ *fake, _ fakeRequest, line string) string { return strings.ReplaceAll(line, old, fresh) }
}

// when changes what comes back for requests that hold a string.
func when(part string, change func(line string) string) func(*fake, fakeRequest, string) string {
	return func(_ *fake, r fakeRequest, line string) string {
		if r.has(part) {
			return change(line)
		}
		return line
	}
}

// asked has the text of normalize changed before it is answered.
func asked(change func(string) string) func(*fake, fakeRequest, string) string {
	return func(f *fake, r fakeRequest, line string) string {
		if r.Op == "normalize" {
			answer, _ := f.adapter.Answer(context.Background(), adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@a7dd338", Text: change(r.Text)})
			return string(adapters.EncodeReply(r.ID, adapters.Normalize, answer, nil)) + "\n"
		}
		var request map[string]any
		_ = json.Unmarshal(r.line, &request)
		items, _ := request["items"].([]any)
		for _, one := range items {
			item := one.(map[string]any)
			if text, is := item["prediction"].(string); is {
				item["prediction"] = change(text)
			}
			for i, text := range item["references"].([]any) {
				item["references"].([]any)[i] = change(text.(string))
			}
		}
		r.line, _ = json.Marshal(request)
		return f.answer(r)
	}
}

// scored has the scores of a request changed.
func scored(change func(r fakeRequest, key string, value any) any) func(*fake, fakeRequest, string) string {
	return func(_ *fake, r fakeRequest, line string) string {
		var reply map[string]any
		_ = json.Unmarshal([]byte(line), &reply)
		scores, is := reply["scores"].(map[string]any)
		if !is {
			return line
		}
		for key, value := range scores {
			scores[key] = change(r, key, value)
		}
		out, _ := json.Marshal(reply)
		return string(out) + "\n"
	}
}

func sleep() { time.Sleep(time.Minute) }
