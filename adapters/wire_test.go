package adapters_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// expectRule checks that an error is a protocol fault that names a rule, and
// carries the line.
func expectRule(t *testing.T, err error, says, line string) {
	t.Helper()
	var f *adapters.Fault
	if !errors.As(err, &f) {
		t.Fatalf("no fault but %v", err)
	}
	if f.Kind != adapters.Protocol || !strings.Contains(f.What, says) {
		t.Errorf("fault is %v; want a protocol fault that says %q", f, says)
	}
	if line != "" && f.Line != line {
		t.Errorf("the fault's line is %q, not %q", f.Line, line)
	}
}

func TestDecodeReplyNamesTheRuleThatIsBroken(t *testing.T) {
	tests := []struct {
		name string
		op   adapters.Op
		line string
		says string
	}{
		{"not UTF-8", adapters.Normalize, "{\"id\":1,\"text\":\"\xff\"}", "not valid UTF-8"},
		{"surrogate encoded as UTF-8", adapters.Normalize, "{\"id\":1,\"text\":\"\xed\xa0\x80\"}", "not valid UTF-8"},
		{"not JSON", adapters.Normalize, "Loading model...", "not a JSON object"},
		{"empty", adapters.Normalize, "", "not a JSON object"},
		{"an array", adapters.Normalize, `[1]`, "not a JSON object"},
		{"a byte order mark", adapters.Normalize, "\ufeff{\"id\":1,\"text\":\"a\"}", "not a JSON object"},
		{"half a line", adapters.Normalize, `{"id":1,"te`, "not strict JSON"},
		{"two objects", adapters.Normalize, `{"id":1,"text":"a"}{"id":2,"text":"b"}`, "not strict JSON"},
		{"Python's single quotes", adapters.Normalize, `{'id':1,'text':'a'}`, "not strict JSON"},
		{"a trailing comma", adapters.Normalize, `{"id":1,"text":"a",}`, "not strict JSON"},
		{"a raw control character", adapters.Normalize, "{\"id\":1,\"text\":\"a\tb\"}", "not strict JSON"},
		{"lone high surrogate", adapters.Normalize, `{"id":1,"text":"\ud800"}`, "surrogate"},
		{"lone low surrogate", adapters.Normalize, `{"id":1,"text":"\udc00"}`, "surrogate"},
		{"surrogates the wrong way round", adapters.Normalize, `{"id":1,"text":"\ude00\ud83d"}`, "surrogate"},
		{"duplicate key", adapters.Normalize, `{"id":1,"text":"a","text":"a"}`, "duplicate key"},
		{"duplicate key, spelled with an escape", adapters.Normalize, `{"id":1,"text":"a","\u0074ext":"a"}`, "duplicate key"},
		{"duplicate score key", adapters.Score, `{"id":1,"scores":{"f1":1,"f1":1}}`, "duplicate key"},
		{"duplicate key in what is ignored", adapters.Normalize, `{"id":1,"text":"a","debug":{"x":1,"x":2}}`, "duplicate key"},
		{"text is null", adapters.Normalize, `{"id":1,"text":null}`, "holds no text"},
		{"text is a number", adapters.Normalize, `{"id":1,"text":5}`, "/text: a JSON number"},
		{"text is a list", adapters.Normalize, `{"id":1,"text":["a"]}`, "/text"},
		{"keys by exact spelling", adapters.Normalize, `{"id":1,"Text":"a"}`, "holds no text"},
		{"scores in place of text", adapters.Normalize, `{"id":1,"scores":{"f1":1}}`, "holds no text"},
		{"text in place of scores", adapters.Score, `{"id":1,"text":"a"}`, "holds no scores"},
		{"nothing", adapters.Score, `{"id":1}`, "holds no scores"},
		{"scores are null", adapters.Score, `{"id":1,"scores":null}`, "holds no scores"},
		{"scores are a string", adapters.Score, `{"id":1,"scores":"1.0"}`, "/scores"},
		{"scores are a list", adapters.Score, `{"id":1,"scores":[1]}`, "/scores"},
		{"a score is null", adapters.Score, `{"id":1,"scores":{"f1":null}}`, "null is not a number"},
		{"a score is true", adapters.Score, `{"id":1,"scores":{"exact_match":true}}`, "true is not a number"},
		{"a score is a string", adapters.Score, `{"id":1,"scores":{"f1":"1"}}`, `"1" is not a number`},
		{"NaN by another spelling", adapters.Score, `{"id":1,"scores":{"f1":"NaN"}}`, `write NaN as the string "nan"`},
		{"a bare NaN", adapters.Score, `{"id":1,"scores":{"f1":NaN}}`, "not strict JSON"},
		{"a bare Infinity", adapters.Score, `{"id":1,"scores":{"f1":Infinity}}`, "not strict JSON"},
		{"the string inf", adapters.Score, `{"id":1,"scores":{"f1":"inf"}}`, "not a number"},
		{"a number that no double holds", adapters.Score, `{"id":1,"scores":{"f1":1e400}}`, "not a number that a double holds"},
		{"a score is an object", adapters.Score, `{"id":1,"scores":{"f1":{"mean":1}}}`, "not a number"},
		{"text and an error", adapters.Normalize, `{"id":1,"text":"a","error":{}}`, "more than one of"},
		{"error is a string", adapters.Score, `{"id":1,"error":"boom"}`, "/error"},
		{"unsupported is true", adapters.Score, `{"id":1,"unsupported":true}`, "/unsupported"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answer, err := adapters.DecodeReply([]byte(test.line), test.op)
			if err == nil {
				t.Fatalf("believed: %+v", answer)
			}
			expectRule(t, err, test.says, test.line)
		})
	}
}

func TestDecodeReply(t *testing.T) {
	tests := []struct {
		op   adapters.Op
		line string
		want adapters.Answer
	}{
		{adapters.Normalize, `{"id":1,"text":"car"}`, adapters.Answer{Text: "car"}},
		{adapters.Normalize, `{"id":1,"text":""}`, adapters.Answer{}},
		{adapters.Normalize, " {\"id\":1, \"text\":\"\\u0000\\ud83d\\ude00\u2028\"}\r", adapters.Answer{Text: "\x00\U0001F600\u2028"}},
		{adapters.Normalize, `{"id":1,"text":"a","TEXT":1,"took_ms":0.5,"trace":[null]}`, adapters.Answer{Text: "a"}},
		{adapters.Normalize, `{"id":1,"text":"a","scores":null,"error":null}`, adapters.Answer{Text: "a"}},
		{adapters.Score, `{"id":1,"scores":{"exact_match":1,"f1":66.66666666666667}}`, adapters.Answer{Scores: metric.Scores{"exact_match": 1, "f1": 66.66666666666667}}},
		{adapters.Score, `{"id":1,"scores":{}}`, adapters.Answer{Scores: metric.Scores{}}},
	}
	for _, test := range tests {
		answer, err := adapters.DecodeReply([]byte(test.line), test.op)
		if err != nil || !reflect.DeepEqual(answer, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", test.line, answer, err, test.want)
		}
	}
	for _, nan := range []string{`"nan"`, `"\u006e\u0061n"`} {
		answer, err := adapters.DecodeReply([]byte(`{"id":1,"scores":{"exact_match":`+nan+`}}`), adapters.Score)
		if err != nil || !math.IsNaN(answer.Scores["exact_match"]) {
			t.Errorf("%s: %+v, %v", nan, answer, err)
		}
	}
}

func TestDecodeReplyThatIsNoAnswer(t *testing.T) {
	_, err := adapters.DecodeReply([]byte(`{"id":2,"error":{"kind":"no_references","message":"max() of nothing"}}`), adapters.Score)
	var refusal *metric.Refusal
	if !errors.As(err, &refusal) || refusal.Kind != metric.NoReferences || refusal.Message != "max() of nothing" {
		t.Errorf("refusal: %v", err)
	}
	_, err = adapters.DecodeReply([]byte(`{"id":2,"error":{}}`), adapters.Normalize)
	if !errors.As(err, &refusal) || refusal.Kind != "" {
		t.Errorf("refusal without a kind: %v", err)
	}
	_, err = adapters.DecodeReply([]byte(`{"id":2,"unsupported":"no regular expressions"}`), adapters.Score)
	var unsupported *adapters.Unsupported
	if !errors.As(err, &unsupported) || unsupported.Why != "no regular expressions" {
		t.Errorf("unsupported: %v", err)
	}
}

func TestDecodeReplyID(t *testing.T) {
	for _, line := range []string{`{"id":7,"text":1}`, `{"x":[{}],"id":7}`} {
		if id, err := adapters.DecodeReplyID([]byte(line)); id != 7 || err != nil {
			t.Errorf("%s: %d, %v", line, id, err)
		}
	}
	for line, says := range map[string]string{
		`{"text":"a"}`:               "the reply has no id",
		`{"id":null}`:                "the reply has no id",
		`{"ID":1}`:                   "the reply has no id",
		`{"id":true}`:                "the reply's id is true",
		`{"id":1.5}`:                 "the reply's id is 1.5",
		`{"id":1.0}`:                 "the reply's id is 1.0",
		`{"id":"1"}`:                 `the reply's id is "1"`,
		`{"id":[1]}`:                 "the reply's id is [1]",
		`{"id":9223372036854775808}`: "the reply's id is 9223372036854775808",
		`{"id":1,"id":1}`:            "duplicate key",
		`{"id":1,"text":"\udc00"}`:   "surrogate",
		"{\"id\":1,\"text\":\"\xc3":  "not valid UTF-8",
	} {
		_, err := adapters.DecodeReplyID([]byte(line))
		expectRule(t, err, says, line)
	}
}

const support = `"metrics":{"squad":{"answers":["normalize","exact_match","f1"]}}`

func TestDecodeHello(t *testing.T) {
	line := `{"id":0,"name":"acme-norm","version":"2.1.0","metrics":{"squad":{"pins":["hf-evaluate@86baf12"],"answers":["normalize","exact_match","f1"],"handles":["batch"],"scale":1},
	"exact_match":{"answers":["exact_match"],"handles":["ignore_case","regexes_to_ignore"],"scale":100}},
	"language":"CPython 3.11","unicode":"14.0.0","wraps":"acme.normalize","libraries":{"numpy":"1.24.2"},"mood":"good"}`
	want := adapters.Hello{
		Name: "acme-norm", Version: "2.1.0", Language: "CPython 3.11", Unicode: "14.0.0", Wraps: "acme.normalize", Libraries: map[string]string{"numpy": "1.24.2"},
		Metrics: map[string]adapters.Support{
			"squad":       {Pins: []string{"hf-evaluate@86baf12"}, Answers: []string{"normalize", "exact_match", "f1"}, Handles: []string{"batch"}, Scale: 1},
			"exact_match": {Answers: []string{"exact_match"}, Handles: []string{"ignore_case", "regexes_to_ignore"}, Scale: 100},
		},
	}
	got, err := adapters.DecodeHello([]byte(line), 0)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	again, err := adapters.DecodeHello(adapters.EncodeHello(3, want), 3)
	if err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("what EncodeHello wrote reads back as %+v, %v", again, err)
	}
	if _, err := adapters.DecodeHello([]byte(`{"id":0,"protocol":1,"name":"x",`+support+`}`), 0); err != nil {
		t.Errorf("protocol 1: %v", err)
	}
}

func TestDecodeHelloNamesTheRuleThatIsBroken(t *testing.T) {
	one := func(fields string) string { return `{"id":0,"name":"x","metrics":{"squad":{` + fields + `}}}` }
	for line, says := range map[string]string{
		`{"name":"x",` + support + `}`:                                   "no id",
		`{"id":4,"name":"x",` + support + `}`:                            "has id 4, not 0",
		`{"id":0,"name":"x","protocol":2,` + support + `}`:               "the adapter speaks protocol 2; this normcert speaks 1",
		`{"id":0,"protocol":"1","name":"x",` + support + `}`:             "/protocol",
		`{"id":0,` + support + `}`:                                       "hello has no name",
		`{"id":0,"name":"x"}`:                                            "names no metric; known metrics: exact_match,",
		`{"id":0,"name":"x","metrics":["squad"]}`:                        "/metrics",
		`{"id":0,"name":"x","metrics":{"rouge":{"answers":["rouge1"]}}}`: `unknown metric "rouge"`,
		one(``):                      "metrics.squad: answers is empty; it takes normalize, exact_match, f1",
		one(`"answers":"f1"`):        "/metrics/squad/answers",
		one(`"answers":["em"]`):      `answers holds "em"; it takes exact_match, f1, normalize`,
		one(`"answers":["f1","f1"]`): `answers holds "f1" twice`,
		one(`"answers":["f1"],"handles":["batches"]`):                             `handles holds "batches"; it takes batch,`,
		one(`"answers":["f1"],"handles":["non-ascii"]`):                           `handles holds "non-ascii"`,
		one(`"answers":["f1"],"handles":["ignore_case"]`):                         `handles holds "ignore_case"`,
		one(`"answers":["f1"],"scale":10`):                                        "scale is 10; it takes 1 or 100",
		one(`"answers":["f1"],"scale":0`):                                         "scale is 0; it takes 1 or 100",
		one(`"answers":["f1"],"scale":"100"`):                                     "/metrics/squad/scale",
		one(`"answers":["f1"],"pins":"hf-evaluate@a"`):                            "/metrics/squad/pins",
		`{"id":0,"name":"x","metrics":{"exact_match":{"answers":["normalize"]}}}`: `answers holds "normalize"; it takes exact_match`,
	} {
		_, err := adapters.DecodeHello([]byte(line), 0)
		if err == nil {
			t.Errorf("believed: %s", line)
			continue
		}
		expectRule(t, err, says, "")
	}
}

func TestEncodeRequest(t *testing.T) {
	tests := []struct {
		id      int64
		request adapters.Request
		want    string
	}{
		{
			1, adapters.Request{Op: adapters.Normalize, Metric: "squad", Pin: "hf-evaluate@86baf12", Text: "The car"},
			`{"id":1,"op":"normalize","metric":"squad","pin":"hf-evaluate@86baf12","options":{},"text":"The car"}`,
		}, {
			2, adapters.Request{Op: adapters.Score, Metric: "squad", Pin: "hf-evaluate@86baf12", Items: []metric.Item{metric.Answered("a", "the")}},
			`{"id":2,"op":"score","metric":"squad","pin":"hf-evaluate@86baf12","options":{},"items":[{"id":"0","prediction":"a","references":["the"]}]}`,
		}, {
			3, adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: ""},
			`{"id":3,"op":"normalize","metric":"squad","options":{},"text":""}`,
		}, {
			4, adapters.Request{Op: adapters.Normalize, Metric: "squad", Text: "\x00é\u2028\U0001F600\x7f<&"},
			`{"id":4,"op":"normalize","metric":"squad","options":{},"text":"\u0000\u00e9\u2028\ud83d\ude00\u007f<&"}`,
		}, {
			5, adapters.Request{Op: adapters.Score, Metric: "squad_v2", Options: metric.Options{"no_answer_threshold": 0.5}, Items: []metric.Item{{ID: "q", References: []string{}}}},
			`{"id":5,"op":"score","metric":"squad_v2","options":{"no_answer_threshold":0.5},"items":[{"id":"q","references":[],"no_answer_probability":0}]}`,
		}, {
			6, adapters.Request{Op: adapters.Score, Metric: "squad"},
			`{"id":6,"op":"score","metric":"squad","options":{},"items":[]}`,
		},
	}
	for _, test := range tests {
		if got := string(adapters.EncodeRequest(test.id, test.request)); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got := string(adapters.EncodeHelloRequest(0)); got != `{"id":0,"op":"hello","protocol":1}` {
		t.Errorf("hello is %s", got)
	}
}

func TestShortenIsShortAndSaysHowMuchThereWas(t *testing.T) {
	long := adapters.Shorten([]byte(strings.Repeat("é", 500)))
	if len(long) > 250 || !strings.HasSuffix(long, "… (1000 bytes)") || !utf8.ValidString(long) {
		t.Errorf("%q", long)
	}
	if short := adapters.Shorten([]byte("as it is")); short != "as it is" {
		t.Errorf("%q", short)
	}
}

// FuzzRequest: a request is one line of ASCII, and what is served is what was sent.
func FuzzRequest(f *testing.F) {
	f.Add("The car", "a", "the", 0.5)
	f.Add("\x00\n\r\u2028", "\U0001F600", "\uFFFD\uFEFF", math.Copysign(0, -1))
	f.Add(`"\ud800`, "\x7f", "é", 1e-300)
	f.Fuzz(func(t *testing.T, text, prediction, reference string, probability float64) {
		for _, s := range []string{text, prediction, reference} {
			if !utf8.ValidString(s) {
				t.Skip("not a string of characters")
			}
		}
		if math.IsNaN(probability) || math.IsInf(probability, 0) {
			t.Skip("not a probability")
		}
		item := metric.Item{ID: text, Prediction: &prediction, References: []string{reference, text}, NoAnswerProbability: probability}
		for _, request := range []adapters.Request{
			{Op: adapters.Normalize, Metric: "squad", Pin: "p", Text: text},
			{Op: adapters.Score, Metric: "squad_v2", Pin: "p", Options: metric.Options{"no_answer_threshold": 0.25}, Items: []metric.Item{item}},
		} {
			line := adapters.EncodeRequest(1, request)
			for _, b := range line {
				if b < ' ' || b >= 0x7f {
					t.Fatalf("byte %#x in %s", b, line)
				}
			}
			spy := &recorder{}
			if err := adapters.Serve(context.Background(), spy, bytes.NewReader(line), &bytes.Buffer{}); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if !reflect.DeepEqual(spy.asked, []adapters.Request{request}) {
				t.Fatalf("sent %+v\nread %+v", request, spy.asked)
			}
		}
	})
}

func FuzzDecodeReply(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"text":"car"}`, `{"id":2,"scores":{"exact_match":1,"f1":"nan"}}`, `{"id":2,"error":{"kind":"no_references"}}`,
		`{"id":2,"unsupported":"no"}`, `{"id":1,"text":"\ud83d\ude00"}`, `{"id":1,"text":"\ud800"}`, `{"id":1,"id":1}`, "{\"id\":1,\"text\":\"\xff\"}", `{"id":true}`, `{`, ``,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		id, idErr := adapters.DecodeReplyID(line)
		for _, op := range []adapters.Op{adapters.Normalize, adapters.Score} {
			answer, err := adapters.DecodeReply(line, op)
			var refusal *metric.Refusal
			var unsupported *adapters.Unsupported
			var broken *adapters.Fault
			switch {
			case errors.As(err, &broken):
				if broken.Kind != adapters.Protocol || broken.What == "" {
					t.Fatalf("%q: %v", line, err)
				}
				continue
			case err != nil && !errors.As(err, &refusal) && !errors.As(err, &unsupported):
				t.Fatalf("%q: an error of no kind: %v", line, err)
			case !utf8.Valid(line) || !json.Valid(line):
				t.Fatalf("believed: %q", line)
			}
			if idErr != nil {
				continue
			}
			wrote := adapters.EncodeReply(id, op, answer, err)
			again, errAgain := adapters.DecodeReply(wrote, op)
			if !bytes.Equal(adapters.EncodeReply(id, op, again, errAgain), wrote) {
				t.Fatalf("%q reads back differently from %s", line, wrote)
			}
		}
	})
}

func FuzzDecodeHello(f *testing.F) {
	f.Add([]byte(`{"id":0,"name":"x","metrics":{"squad":{"answers":["normalize"],"pins":["hf-evaluate@86baf12"],"handles":["batch"],"scale":100}}}`))
	f.Add([]byte(`{"id":0,"name":"x","protocol":2,"metrics":{}}`))
	f.Add([]byte(`{"id":0,"name":"x","metrics":{"squad":null},"libraries":{"a":"b"}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		hello, err := adapters.DecodeHello(line, 0)
		if err != nil {
			if f := adapters.AsFault(err); f.Kind != adapters.Protocol || f.What == "" {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		if err := hello.Validate(); err != nil {
			t.Fatalf("%q is believed: %v", line, err)
		}
		again, err := adapters.DecodeHello(adapters.EncodeHello(0, hello), 0)
		if err != nil || !reflect.DeepEqual(again, hello) {
			t.Fatalf("%+v reads back as %+v, %v", hello, again, err)
		}
	})
}
