package helpertest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters/schema"
)

// Promises holds a helper to what all of them promise. command runs a scorer
// that was written with it, and that
//
//   - says {name mine, version 3, squad: normalize and exact_match}
//   - normalizes by adding U+2028 and U+1F680
//   - prints "a print of the scorer's own" to its language's stdout when it scores
//   - does what the first item's prediction says: "refuse" (no_references, "because"),
//     "refuse without a kind" (and without a message), "no" (unsupported, "not that one"),
//     "nan", "infinite" and "crash" (with the word "deliberate")
//   - and else scores 0.1, or 0.2 where the item is unanswered
func Promises(t *testing.T, command []string) {
	t.Run("replies", func(t *testing.T) { promisesReplies(t, command) })
	t.Run("bugs show", func(t *testing.T) { promisesBugsShow(t, command) })
}

func score(metric string, item map[string]any) string {
	item["id"], item["references"] = "0", []string{"x"}
	line, _ := json.Marshal(map[string]any{"id": 7, "op": "score", "metric": metric, "options": map[string]any{}, "items": []any{item}})
	return string(line)
}

func predicted(prediction string) string {
	return score("squad", map[string]any{"prediction": prediction})
}

type object = map[string]any

func promisesReplies(t *testing.T, command []string) {
	exactly := func(score any) object { return object{"scores": object{"exact_match": score}} }
	tests := []struct {
		request string
		want    object // the reply without its id
	}{
		{predicted("anything"), exactly(0.1)},
		{score("squad", object{}), exactly(0.2)},
		{predicted("nan"), exactly("nan")},
		{predicted("refuse"), object{"error": object{"kind": "no_references", "message": "because"}}},
		{predicted("no"), object{"unsupported": "not that one"}},
		{score("toString", object{"prediction": "x"}), object{"unsupported": "no metric toString"}},
		// A newer normcert: an op and keys that the helper does not know.
		{`{"id":7,"op":"explain","metric":"squad","options":{},"text":""}`, object{"unsupported": "no explain"}},
		{`{"new":[null,{"x":[-1.5e3,true,"\""]},[],{}],"id":7,"op":"normalize","metric":"squad","options":{"new":0.25e-1},"text":""}`, object{"text": "\u2028\U0001F680"}},
		{`{"id":7,"op":"normalize","metric":"squad","options":{},"text":"caf\u00e9 \ud83d\ude80\u0000\n\r\t\b\f\u0085\u2028\"\\\/\u007f"}`,
			object{"text": "caf\u00e9 \U0001F680\x00\n\r\t\b\f\u0085\u2028\"\\/\x7f\u2028\U0001F680"}},
	}
	lines := []string{`{"id":7,"op":"hello","protocol":1}`, `{"id":7,"op":"hello","protocol":2,"new":{}}`, predicted("refuse without a kind")}
	before := len(lines)
	for _, test := range tests {
		lines = append(lines, test.request)
	}
	got := Converse(t, command, lines...)
	if got.Exit != 0 || len(got.Replies) != len(lines) {
		t.Fatalf("exit %d, %d replies to %d requests; stderr %q", got.Exit, len(got.Replies), len(lines), got.Stderr)
	}
	schemas := LoadSchemas(t)
	for i, reply := range got.Replies {
		if reply["id"] != 7.0 {
			t.Errorf("reply %s does not echo the id", got.Lines[i])
		}
		name := schema.Reply
		if i < 2 {
			name = schema.Hello
		}
		if err := schemas.Check(name, got.Lines[i]); err != nil {
			t.Errorf("%s: %v", got.Lines[i], err)
		}
		delete(reply, "id")
	}
	for _, hello := range got.Replies[:2] {
		if protocol, said := hello["protocol"]; hello["name"] != "mine" || hello["version"] != "3" || said && protocol != 1.0 {
			t.Errorf("hello is %v", hello)
		}
	}
	if refusal, ok := got.Replies[2]["error"].(object); !ok || refusal["kind"] != nil {
		t.Errorf("a refusal without a kind is %v", got.Replies[2])
	}
	for i, test := range tests {
		if reply := got.Replies[i+before]; !reflect.DeepEqual(reply, test.want) {
			t.Errorf("%s\ngot  %v\nwant %v", test.request, reply, test.want)
		}
	}
	if !strings.Contains(got.Stderr, "a print of the scorer's own") {
		t.Errorf("the scorer's print is not on stderr: %q", got.Stderr)
	}
}

func promisesBugsShow(t *testing.T, command []string) {
	for request, says := range map[string]string{
		predicted("crash"):    "deliberate",
		predicted("infinite"): "",
		`{"id":7,"op":"normalize","metric":"squad","text":"a",}`: "",
		`{"id":7,"op":"normalize"`:                               "",
	} {
		got := Converse(t, command, predicted("anything"), request, predicted("anything"))
		if got.Exit == 0 || len(got.Replies) != 1 || got.Stderr == "" || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: exit %d, %d replies, stderr %q; want the first answered, then a crash that says %q",
				request, got.Exit, len(got.Replies), got.Stderr, says)
		}
	}
}
