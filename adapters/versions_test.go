package adapters_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
)

// What PROTOCOL.md says under "Versions", seen from normcert: the adapter is
// newer, or older, or of the same version and knows more.
func TestAnAdapterOfAnotherVersion(t *testing.T) {
	const support = `"metrics":{"squad":{"answers":["normalize"]}}`
	tests := []struct {
		name, hello string
		says        string // empty: it is taken
	}{
		{"a later version", `{"id":0,"name":"x","protocol":2,` + support + `}`,
			"the adapter speaks protocol 2; this normcert speaks 1: update normcert, or let the adapter answer protocol 1"},
		{"no later than ours", `{"id":0,"name":"x","protocol":1,` + support + `}`, ""},
		{"no version is 1", `{"id":0,"name":"x",` + support + `}`, ""},
		{"a refusal to speak ours", `{"id":0,"unsupported":"I speak protocol 2"}`, "answers the hello with unsupported: I speak protocol 2"},
		{"fields we do not know", `{"id":0,"name":"x","streams":true,"metrics":{"squad":{"answers":["normalize"],"limits":{"items":5}}}}`, ""},
		{"a metric we do not know", `{"id":0,"name":"x","metrics":{"triviaqa":{"answers":["f1"]}}}`, `unknown metric "triviaqa"`},
		{"a score we do not know", `{"id":0,"name":"x","metrics":{"squad":{"answers":["f2"]}}}`, `answers holds "f2"; it takes exact_match, f1, normalize`},
		{"a condition we do not know", `{"id":0,"name":"x","metrics":{"squad":{"answers":["f1"],"handles":["streams"]}}}`, `handles holds "streams"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			hello, err := adapters.DecodeHello([]byte(test.hello), 0)
			if test.says != "" {
				expectRule(t, err, test.says, test.hello)
			} else if err != nil || hello.Name != "x" {
				t.Errorf("%+v, %v", hello, err)
			}
		})
	}
}

// The other way round: normcert serve is the adapter, and the normcert that
// asks is newer.
func TestServeIsAskedByANewerNormcert(t *testing.T) {
	tests := []struct{ request, says string }{
		{`{"id":0,"op":"hello","protocol":2,"accepts":["streams"]}`, `"protocol":1`},
		{`{"id":1,"op":"normalize","metric":"squad","pin":"x@1","options":{},"text":"a","locale":null}`, `"text":"A"`},
		{`{"id":2,"op":"score","metric":"squad","pin":"x@1","options":{},"items":[{"id":"0","prediction":"a","references":["a"],"weight":2}]}`, `"scores":{"exact_match":1}`},
		{`{"id":3,"op":"explain","metric":"squad","pin":"x@1","options":{},"text":"a"}`, `unknown op \"explain\"; known: hello, normalize, score`},
		{`{"id":4,"op":"normalize","metric":"squad","pin":"x@1","options":{"new":1},"text":"a"}`, `"unsupported":"line 5 is not a request`},
	}
	lines := make([]string, len(tests))
	for i, test := range tests {
		lines[i] = test.request
	}
	var out bytes.Buffer
	err := adapters.Serve(context.Background(), shouting(), strings.NewReader(strings.Join(lines, "\n")), &out)
	if !errors.Is(err, adapters.ErrBadRequests) {
		t.Errorf("the error is %v", err)
	}
	replies := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(replies) != len(tests) {
		t.Fatalf("%d replies to %d requests", len(replies), len(tests))
	}
	for i, test := range tests {
		var reply struct{ ID int }
		if err := json.Unmarshal([]byte(replies[i]), &reply); err != nil || reply.ID != i || !strings.Contains(replies[i], test.says) {
			t.Errorf("%s\n%s; want %s", test.request, replies[i], test.says)
		}
	}
}
