package golden_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

func text(s string) *string { return &s }

func TestEncodeAndDecode(t *testing.T) {
	records := []golden.Record{
		{Case: "trap/b", Setup: "squad", Normalized: []golden.Normalized{{Prediction: text("caf\u00e9 \U0001F600"), References: []string{"", "\u007f"}}},
			Scores: metric.Scores{"f1": 200 / 3.0, "exact_match": 0}},
		{Case: "trap/a", Setup: "squad", Normalized: []golden.Normalized{{References: []string{}}}, Error: metric.NoReferences},
		{Case: "trap/b", Setup: `exact_match{regexes_to_ignore=["\u2019"]}`, Scores: metric.Scores{"exact_match": math.NaN()}},
		{Case: "trap/b", Setup: "exact_match", Scores: metric.Scores{"exact_match": 100}},
	}
	want := `{"case":"trap/a","setup":"squad","normalized":[{"references":[]}],"error":{"kind":"no_references"}}
{"case":"trap/b","setup":"exact_match","scores":{"exact_match":100}}
{"case":"trap/b","setup":"exact_match{regexes_to_ignore=[\"\\u2019\"]}","scores":{"exact_match":"nan"}}
{"case":"trap/b","setup":"squad","normalized":[{"prediction":"caf\u00e9 \ud83d\ude00","references":["","\u007f"]}],"scores":{"exact_match":0,"f1":66.66666666666667}}
`
	encoded := golden.Encode(records)
	if diff := cmp.Diff(want, string(encoded)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	decoded, err := golden.Decode("trap.golden", encoded)
	if err != nil {
		t.Fatal(err)
	}
	sorted := []golden.Record{records[1], records[3], records[2], records[0]}
	if diff := cmp.Diff(sorted, decoded, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("read back (-written +read):\n%s", diff)
	}
	if none, err := golden.Decode("trap.golden", nil); err != nil || len(none) != 0 {
		t.Errorf("an empty file is %v, %v", none, err)
	}
}

func TestDecodeIsAsStrictAsEncode(t *testing.T) {
	const a, b = `{"case":"trap/a","setup":"squad","scores":{"exact_match":0,"f1":0}}`, `{"case":"trap/b","setup":"squad","scores":{"exact_match":0,"f1":0}}`
	tests := []struct{ shows, content, place, says string }{
		{"out of order", b + "\n" + a + "\n", "trap.golden:2: ", "sorted by case and setup"},
		{"there twice", a + "\n" + a + "\n", "trap.golden:2: ", "there twice"},
		{"a space", a + "\n" + strings.Replace(b, ":", ": ", 1) + "\n", "trap.golden:2: ", "it would be written " + b},
		{"members in another order", `{"setup":"squad","case":"trap/a","scores":{"exact_match":0,"f1":0}}` + "\n", "trap.golden:1: ", "not in canonical form"},
		{"keys of scores in another order", `{"case":"trap/a","setup":"squad","scores":{"f1":0,"exact_match":0}}` + "\n", "trap.golden:1: ", "not in canonical form"},
		{"another spelling of a number", strings.Replace(a, ":0,", ":0.0,", 1) + "\n", "trap.golden:1: ", "not in canonical form"},
		{"line ends of Windows", a + "\r\n" + b + "\r\n", "trap.golden:1: ", "not in canonical form"},
		{"a character outside ASCII", `{"case":"trap/é","setup":"squad","scores":{"f1":0}}` + "\n", "trap.golden:1: ", "not in canonical form"},
		{"invalid UTF-8", "{\"case\":\"trap/\xff\",\"setup\":\"squad\",\"scores\":{\"f1\":0}}\n", "trap.golden:1: ", "not a golden record"},
		{"an unknown member", strings.Replace(a, `"setup"`, `"note":"x","setup"`, 1) + "\n", "trap.golden:1: ", "note"},
		{"a member in another case", strings.Replace(a, `"setup"`, `"Setup"`, 1) + "\n", "trap.golden:1: ", "Setup"},
		{"a member twice", strings.Replace(a, `"setup"`, `"case":"trap/a","setup"`, 1) + "\n", "trap.golden:1: ", "case"},
		{"a score twice", strings.Replace(a, `"f1"`, `"exact_match":0,"f1"`, 1) + "\n", "trap.golden:1: ", "exact_match"},
		{"an unknown member of a normalized form", `{"case":"trap/a","setup":"squad","normalized":[{"references":[],"x":1}],"scores":{"f1":0}}` + "\n", "trap.golden:1: ", "x"},
		{"a score that is null", `{"case":"trap/a","setup":"squad","scores":{"f1":null}}` + "\n", "trap.golden:1: ", "null"},
		{"a score that is another string", `{"case":"trap/a","setup":"squad","scores":{"f1":"NaN"}}` + "\n", "trap.golden:1: ", "NaN"},
		{"an unknown kind", `{"case":"trap/a","setup":"squad","error":{"kind":"unclassified"}}` + "\n", "trap.golden:1: ", `unknown kind of error "unclassified"`},
		{"an error without a kind", `{"case":"trap/a","setup":"squad","error":{}}` + "\n", "trap.golden:1: ", "unknown kind"},
		{"a message beside the kind", `{"case":"trap/a","setup":"squad","error":{"kind":"empty_input","message":"x"}}` + "\n", "trap.golden:1: ", "message"},
		{"both scores and an error", `{"case":"trap/a","setup":"squad","scores":{"f1":0},"error":{"kind":"empty_input"}}` + "\n", "trap.golden:1: ", "either scores or an error"},
		{"neither", `{"case":"trap/a","setup":"squad"}` + "\n", "trap.golden:1: ", "either scores or an error"},
		{"scores that are empty", `{"case":"trap/a","setup":"squad","scores":{}}` + "\n", "trap.golden:1: ", "not in canonical form"},
		{"a setup that is not canonical", `{"case":"trap/a","setup":"squad{}","scores":{"f1":0}}` + "\n", "trap.golden:1: ", "setup squad{} is written squad"},
		{"a setup with a default", `{"case":"trap/a","setup":"squad_v2{no_answer_threshold=1}","scores":{"f1":0}}` + "\n", "trap.golden:1: ", "is written squad_v2"},
		{"an unknown metric", `{"case":"trap/a","setup":"bleu","scores":{"f1":0}}` + "\n", "trap.golden:1: ", `unknown metric "bleu"`},
		{"no newline at the end", a + "\n" + b, "trap.golden:2: ", "was the file cut short?"},
		{"cut short within a line", a + "\n" + b[:20], "trap.golden:2: ", "was the file cut short?"},
		{"an empty line", a + "\n\n" + b + "\n", "trap.golden:2: ", "not a golden record"},
		{"two records on a line", a + b + "\n", "trap.golden:1: ", "not a golden record"},
		{"a list", "[" + a + "]\n", "trap.golden:1: ", "not a golden record"},
		{"a byte order mark", "\ufeff" + a + "\n", "trap.golden:1: ", "not a golden record"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			records, err := golden.Decode("trap.golden", []byte(test.content))
			if err == nil {
				t.Fatalf("taken as %+v", records)
			}
			if !strings.HasPrefix(err.Error(), test.place) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %q, want one at %q that says %q", err, test.place, test.says)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"case":"trap/a","setup":"squad","scores":{"exact_match":0,"f1":0}}` + "\n",
		`{"case":"trap/a","setup":"squad","normalized":[{"prediction":"\ud83d\ude00","references":[""]}],"error":{"kind":"no_references"}}` + "\n",
		`{"case":"trap/a","setup":"exact_match{regexes_to_ignore=[\"\\u2019\"]}","scores":{"exact_match":"nan"}}` + "\n",
		"\n", "{}", "{}\r\n", "null\n", `{"case":"\ud800"}` + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		records, err := golden.Decode("trap.golden", content)
		if err != nil {
			return
		}
		if again := golden.Encode(records); string(again) != string(content) {
			t.Errorf("taken: %q, which would be written %q", content, again)
		}
	})
}
