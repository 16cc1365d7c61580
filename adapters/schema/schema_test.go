package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/adapters/schema"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/helpertest"
	"github.com/normcert/normcert/metric"
)

// protocolExamples returns the messages that PROTOCOL.md shows, by schema.
func protocolExamples(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string][]string{}
	block, replyTo := "", schema.Reply
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		arrow, message, _ := strings.Cut(line, " ")
		switch {
		case line == "```jsonl" && block == "":
			block = schema.Request
		case line == "```jsonl":
			block = schema.Reply
		case strings.HasPrefix(line, `{"id"`):
			examples[block] = append(examples[block], line)
		case arrow == "→":
			examples[schema.Request] = append(examples[schema.Request], message)
			if replyTo = schema.Reply; strings.Contains(message, `"op":"hello"`) {
				replyTo = schema.Hello
			}
		case arrow == "←":
			examples[replyTo] = append(examples[replyTo], message)
		}
	}
	return examples
}

func TestProtocolExamplesAreValid(t *testing.T) {
	schemas, examples := helpertest.LoadSchemas(t), protocolExamples(t)
	for _, name := range []string{schema.Request, schema.Hello, schema.Reply} {
		if len(examples[name]) == 0 {
			t.Errorf("PROTOCOL.md has no example for %s", name)
		}
		for _, line := range examples[name] {
			if err := schemas.Check(name, line); err != nil {
				t.Errorf("%s\n%v", line, err)
			}
		}
	}
}

// requests are all that the corpus has to ask.
func requests(t *testing.T) [][]byte {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	ask := func(request adapters.Request) {
		lines = append(lines, adapters.EncodeRequest(int64(len(lines)), request))
	}
	for one := range corpus.Cases {
		for _, setup := range one.Setups {
			m, err := metric.Lookup(setup.Metric)
			if err != nil {
				t.Fatal(err)
			}
			request := adapters.Request{Op: adapters.Score, Metric: m.Name, Pin: "hf-evaluate@a7dd338", Options: setup.Options, Items: one.Batch()}
			if m.Name == "nfd_exact_match" {
				request.Pin = "article@1"
			}
			ask(request)
			if m.Normalizes && len(request.Items) > 0 && request.Items[0].Prediction != nil {
				request.Op, request.Text = adapters.Normalize, *request.Items[0].Prediction
				ask(request)
			}
		}
	}
	return lines
}

// What normcert sends, and what normcert serve replies, is what the schemas say.
func TestWhatNormcertWritesIsValid(t *testing.T) {
	schemas := helpertest.LoadSchemas(t)
	sent := append([][]byte{adapters.EncodeHelloRequest(0)}, requests(t)...)
	for _, line := range sent {
		if err := schemas.Check(schema.Request, string(line)); err != nil {
			t.Fatalf("%s\n%v", line, err)
		}
	}
	var replies bytes.Buffer
	if err := adapters.Serve(context.Background(), reference.New(), bytes.NewReader(bytes.Join(sent, []byte("\n"))), &replies); err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(replies.String()) {
		name := schema.Reply
		if count == 0 {
			name = schema.Hello
		}
		if err := schemas.Check(name, line); err != nil {
			t.Fatalf("%s\n%v", line, err)
		}
		count++
	}
	if count != len(sent) {
		t.Errorf("%d replies to %d requests", count, len(sent))
	}
}

func TestSchemasAgreeWithTheDecoder(t *testing.T) {
	const support = `"metrics":{"squad":{"answers":["f1"]}}`
	tests := []struct {
		schema, line string
		valid        bool
	}{
		{schema.Reply, `{"id":1,"text":""}`, true},
		{schema.Reply, `{"id":1,"text":"a","took_ms":[null]}`, true},
		{schema.Reply, `{"id":1,"scores":{}}`, true},
		{schema.Reply, `{"id":1,"scores":{"f1":0.5,"exact_match":"nan"}}`, true},
		{schema.Reply, `{"id":1,"error":{}}`, true},
		{schema.Reply, `{"id":1,"error":{"kind":"of_my_own","message":""}}`, true},
		{schema.Reply, `{"id":1,"unsupported":""}`, true},
		{schema.Reply, `[]`, false},
		{schema.Reply, `{"id":1}`, false},
		{schema.Reply, `{"text":"a"}`, false},
		{schema.Reply, `{"id":"1","text":"a"}`, false},
		{schema.Reply, `{"id":1.5,"text":"a"}`, false},
		{schema.Reply, `{"id":true,"text":"a"}`, false},
		{schema.Reply, `{"id":1,"Text":"a"}`, false},
		{schema.Reply, `{"id":1,"text":5}`, false},
		{schema.Reply, `{"id":1,"text":null}`, false},
		{schema.Reply, `{"id":1,"text":"a","scores":{}}`, false},
		{schema.Reply, `{"id":1,"text":"a","error":{}}`, false},
		{schema.Reply, `{"id":1,"scores":[1]}`, false},
		{schema.Reply, `{"id":1,"scores":{"f1":true}}`, false},
		{schema.Reply, `{"id":1,"scores":{"f1":"1"}}`, false},
		{schema.Reply, `{"id":1,"scores":{"f1":"NaN"}}`, false},
		{schema.Reply, `{"id":1,"scores":{"f1":null}}`, false},
		{schema.Reply, `{"id":1,"error":"no"}`, false},
		{schema.Reply, `{"id":1,"error":{"kind":1}}`, false},
		{schema.Reply, `{"id":1,"unsupported":true}`, false},
		{schema.Hello, `{"id":1,"name":"x",` + support + `}`, true},
		{schema.Hello, `{"id":1,"name":"x","protocol":1,"version":"","language":"L","unicode":"1","wraps":"w","libraries":{"numpy":"1"},"more":1,` + support + `}`, true},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":["f1"],"handles":[],"scale":100,"pins":["a@b"],"more":1}}}`, true},
		{schema.Hello, `{"id":1,"name":"x","protocol":2,` + support + `}`, false},
		{schema.Hello, `{"id":1,"name":"x","protocol":"1",` + support + `}`, false},
		{schema.Hello, `{"id":1,"name":"",` + support + `}`, false},
		{schema.Hello, `{"id":1,` + support + `}`, false},
		{schema.Hello, `{"name":"x",` + support + `}`, false},
		{schema.Hello, `{"id":1,"name":"x"}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"bleu":{"answers":["f1"]}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":[]}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":["f1","f1"]}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":["f1"],"handles":["batch","batch"]}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":["f1"],"scale":0}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","metrics":{"squad":{"answers":["f1"],"scale":10}}}`, false},
		{schema.Hello, `{"id":1,"name":"x","libraries":{"numpy":1},` + support + `}`, false},
	}
	schemas := helpertest.LoadSchemas(t)
	for _, test := range tests {
		if err := schemas.Check(test.schema, test.line); (err == nil) != test.valid {
			t.Errorf("schema: %s: %v; want valid: %v", test.line, err, test.valid)
		}
		if err := decode(test.schema, test.line); (err == nil) != test.valid {
			t.Errorf("decoder: %s: %v; want valid: %v", test.line, err, test.valid)
		}
	}
	// Here the schemas say more: null is taken for a key that is left out.
	for line, name := range map[string]string{
		`{"id":1,"text":"a","error":null}`:                   schema.Reply,
		`{"id":1,"name":"x","version":null,` + support + `}`: schema.Hello,
	} {
		if schemas.Check(name, line) == nil || decode(name, line) != nil {
			t.Errorf("%s: schema %v, decoder %v", line, schemas.Check(name, line), decode(name, line))
		}
	}
}

// decode reads a line as the runner does: nil where it is believed, as any reply.
func decode(name, line string) error {
	if name == schema.Hello {
		_, err := adapters.DecodeHello([]byte(line), 1)
		return err
	}
	if _, err := adapters.DecodeReplyID([]byte(line)); err != nil {
		return err
	}
	var err error
	for _, op := range []adapters.Op{adapters.Normalize, adapters.Score} {
		if _, err = adapters.DecodeReply([]byte(line), op); err == nil || adapters.AsFault(err).Kind != adapters.Protocol {
			return nil
		}
	}
	return err
}

// The hello schema lists for each metric what the code takes, no more and no less.
func TestHelloListsWhatMetricsHave(t *testing.T) {
	var words []string
	for _, m := range metric.All() {
		words = append(append(words, m.KeyNames()...), adapters.Structural(m)...)
	}
	words = append(words, "normalize", "non-ascii", "em")
	schemas := helpertest.LoadSchemas(t)
	for _, m := range metric.All() {
		for _, word := range words {
			for _, support := range []adapters.Support{{Answers: []string{word}}, {Answers: m.KeyNames(), Handles: []string{word}}} {
				hello := adapters.Hello{Name: "x", Metrics: map[string]adapters.Support{m.Name: support}}
				said, want := schemas.Check(schema.Hello, string(adapters.EncodeHello(1, hello))), hello.Validate()
				if (said == nil) != (want == nil) {
					t.Errorf("%s: %+v: schema: %v; code: %v", m.Name, support, said, want)
				}
			}
		}
		for _, name := range append(m.KeyNames(), "em") {
			line := fmt.Sprintf(`{"id":1,"scores":{%q:1}}`, name)
			if err := schemas.Check(schema.Reply, line); (err == nil) != (name != "em") {
				t.Errorf("%s: %v", line, err)
			}
		}
		for _, option := range m.Options {
			request := adapters.EncodeRequest(1, adapters.Request{Op: adapters.Score, Metric: m.Name, Pin: "a@b",
				Options: metric.Options{option.Name: map[string]any{}}})
			if schemas.Check(schema.Request, string(request)) == nil {
				t.Errorf("the schema knows no type of the option %s", option.Name)
			}
		}
	}
}
