package adapters_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// recorder answers everything and keeps what it was asked.
type recorder struct{ asked []adapters.Request }

func (r *recorder) Hello(context.Context) (adapters.Hello, error) {
	return adapters.Hello{Name: "recorder", Metrics: map[string]adapters.Support{"squad": {Answers: []string{"normalize"}}}}, nil
}

func (r *recorder) Answer(_ context.Context, request adapters.Request) (adapters.Answer, error) {
	r.asked = append(r.asked, request)
	return adapters.Answer{Text: request.Text, Scores: metric.Scores{}}, nil
}

// shouting is an adapter whose answers are evident.
func shouting() adapters.Adapter {
	return adapters.Functions{
		Name: "shouting", Version: "1",
		Metrics: map[string]adapters.Support{"squad": {Answers: []string{"normalize", "exact_match"}, Handles: []string{"batch"}}},
		Normalize: func(_ metric.Setup, text string) (string, error) {
			return strings.ToUpper(text), nil
		},
		Score: func(setup metric.Setup, _ string, items []metric.Item) (metric.Scores, error) {
			switch {
			case setup.Metric != "squad":
				return nil, &adapters.Unsupported{Why: "only squad"}
			case len(items) == 0:
				return nil, &metric.Refusal{Kind: metric.EmptyInput, Message: "no items"}
			}
			return metric.Scores{"exact_match": float64(len(items))}, nil
		},
	}
}

func TestServe(t *testing.T) {
	tests := []struct{ request, reply string }{
		{`{"id":0,"op":"hello","protocol":1}`, `{"id":0,"protocol":1,"name":"shouting","version":"1","metrics":{"squad":{"answers":["normalize","exact_match"],"handles":["batch"]}},"language":"Go"}`},
		{`{"id":1,"op":"normalize","metric":"squad","pin":"hf-evaluate@86baf12","options":{},"text":"The caf\u00e9"}`, `{"id":1,"text":"THE CAF\u00c9"}`},
		{`{"id":7,"op":"normalize","metric":"squad","text":""}`, `{"id":7,"text":""}`},
		{`{"id":2,"op":"score","metric":"squad","items":[{"prediction":"a","references":["the"]},{"id":"q","references":[]}]}`, `{"id":2,"scores":{"exact_match":2}}`},
		{`{"id":3,"op":"score","metric":"squad","items":[]}`, `{"id":3,"error":{"kind":"empty_input","message":"no items"}}`},
		{`{"id":4,"op":"score","metric":"squad_v2","options":{"no_answer_threshold":1},"items":[]}`, `{"id":4,"unsupported":"only squad"}`},
	}
	var in, want strings.Builder
	for _, test := range tests {
		in.WriteString(test.request + "\n")
		want.WriteString(test.reply + "\n")
	}
	var out bytes.Buffer
	// The last line may come without its newline.
	if err := adapters.Serve(context.Background(), shouting(), strings.NewReader(strings.TrimSuffix(in.String(), "\n")), &out); err != nil {
		t.Error(err)
	}
	if out.String() != want.String() {
		t.Errorf("got:\n%swant:\n%s", out.String(), want.String())
	}
}

func TestServeAnswersWhatItDoesNotUnderstand(t *testing.T) {
	tests := []struct{ line, says string }{
		{`hello`, "not a JSON object"},
		{``, "not a JSON object"},
		{`{"op":"normalize","metric":"squad","text":"a"}`, "it has no id"},
		{`{"id":true,"op":"normalize","metric":"squad","text":"a"}`, "/id"},
		{`{"id":1,"op":"translate","metric":"squad"}`, `unknown op \"translate\"; known: hello, normalize, score`},
		{`{"id":1,"op":"normalize","metric":"rouge","text":"a"}`, `unknown metric \"rouge\"`},
		{`{"id":1,"op":"normalize","metric":"squad"}`, "normalize needs a text"},
		{`{"id":1,"op":"normalize","metric":"squad","text":null}`, "normalize needs a text"},
		{`{"id":1,"op":"score","metric":"squad"}`, "score needs items"},
		{`{"id":1,"op":"score","metric":"squad","items":[{"prediction":"a"}]}`, "item 0: references is missing; it is a list of strings"},
		{`{"id":1,"op":"score","metric":"squad","items":[{"prediction":"a","references":"Paris"}]}`, "/items/0/references"},
		{`{"id":1,"op":"score","metric":"squad","items":[{"prediction":"a","references":["a",null]}]}`, "item 0: reference 1 is null"},
		{`{"id":1,"op":"score","metric":"squad","items":[{"prediction":1,"references":["a"]}]}`, "/items/0/prediction"},
		{`{"id":1,"op":"score","metric":"exact_match","items":[{"references":["a"]}]}`, "item 0: prediction is missing"},
		{`{"id":1,"op":"score","metric":"exact_match","items":[{"prediction":"a","references":["a","b"]}]}`, "exactly one reference, not 2"},
		{`{"id":1,"op":"score","metric":"squad","options":{"ignore_case":true},"items":[]}`, `no option \"ignore_case\"`},
		{`{"id":1,"op":"score","metric":"exact_match","options":{"ignore_case":1},"items":[]}`, "takes true or false, not the number 1"},
		{`{"id":1,"op":"normalize","metric":"squad","text":"a","text":"a"}`, "duplicate key"},
		{`{"id":1,"op":"normalize","metric":"squad","text":"\ud800"}`, "surrogate"},
		{"{\"id\":1,\"op\":\"normalize\",\"metric\":\"squad\",\"text\":\"\xff\"}", "not valid UTF-8"},
	}
	for _, test := range tests {
		good := `{"id":2,"op":"normalize","metric":"squad","text":"a"}`
		var out bytes.Buffer
		err := adapters.Serve(context.Background(), shouting(), strings.NewReader(good+"\n"+test.line+"\n"+good+"\n"), &out)
		if !errors.Is(err, adapters.ErrBadRequests) {
			t.Errorf("%s: the error is %v", test.line, err)
		}
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 4 || lines[0] != `{"id":2,"text":"A"}` || lines[2] != lines[0] {
			t.Fatalf("%s: the others are not answered: %q", test.line, lines)
		}
		if !strings.Contains(lines[1], `"unsupported":"line 2 is not a request: `) || !strings.Contains(lines[1], test.says) {
			t.Errorf("%s\nanswered %s\nwant it to say %s", test.line, lines[1], test.says)
		}
	}
}

func TestServeIgnoresWhatItDoesNotKnow(t *testing.T) {
	var out bytes.Buffer
	line := `{"id":1,"op":"normalize","metric":"squad","text":"a","Text":1,"trace":{"x":[]}}`
	if err := adapters.Serve(context.Background(), shouting(), strings.NewReader(line), &out); err != nil || out.String() != "{\"id\":1,\"text\":\"A\"}\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestServeSaysThatItCannotWrite(t *testing.T) {
	err := adapters.Serve(context.Background(), shouting(), strings.NewReader("{}\n"), brokenPipe{})
	if !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v", err)
	}
}

func TestDecodeItem(t *testing.T) {
	squad, err := metric.Lookup("squad")
	if err != nil {
		t.Fatal(err)
	}
	item, err := adapters.DecodeItem([]byte(`{"prediction":"a","references":["b"]}`), squad, 3)
	if err != nil || item.ID != "3" || *item.Prediction != "a" || item.References[0] != "b" {
		t.Errorf("%+v, %v", item, err)
	}
	if _, err := adapters.DecodeItem([]byte(`{"prediction":"a","references":["b"],"references":["c"]}`), squad, 0); err == nil {
		t.Error("a duplicate key is believed")
	}
}

// FuzzServe: every line gets one line of ASCII JSON, whatever it is.
func FuzzServe(f *testing.F) {
	f.Add([]byte("{\"id\":1,\"op\":\"normalize\",\"metric\":\"squad\",\"text\":\"a\"}\nnonsense\n\n"))
	f.Add([]byte(`{"id":2,"op":"score","metric":"exact_match","options":{"regexes_to_ignore":["."]},"items":[{"prediction":"a","references":["b"]}]}`))
	f.Add([]byte("{\"id\":0,\"op\":\"hello\"}\r\n\xff\n\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		err := adapters.Serve(context.Background(), shouting(), bytes.NewReader(in), &out)
		if err != nil && !errors.Is(err, adapters.ErrBadRequests) {
			t.Fatal(err)
		}
		want := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && in[len(in)-1] != '\n' {
			want++
		}
		replies := bytes.Split(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("\n"))
		if out.Len() == 0 {
			replies = nil
		}
		if len(replies) != want {
			t.Fatalf("%d replies to %d lines", len(replies), want)
		}
		for _, reply := range replies {
			if !json.Valid(reply) || bytes.ContainsFunc(reply, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("reply %q", reply)
			}
		}
	})
}
