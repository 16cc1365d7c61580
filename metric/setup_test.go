package metric_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/metric"
)

func TestNewSetupBringsOptionsToTheirCanonicalForm(t *testing.T) {
	tests := []struct {
		shows   string
		metric  string
		options map[string]any
		want    metric.Options
		text    string
	}{
		{"no options", "squad", nil, nil, "squad"},
		{"an empty table is no options", "squad_v2", map[string]any{}, nil, "squad_v2"},
		{"a default is left out", "exact_match", map[string]any{"ignore_case": false}, nil, "exact_match"},
		{"the default threshold is left out", "squad_v2", map[string]any{"no_answer_threshold": 1.0}, nil, "squad_v2"},
		{"the default threshold as an integer is left out", "squad_v2", map[string]any{"no_answer_threshold": int64(1)}, nil, "squad_v2"},
		{"null is left out", "exact_match", map[string]any{"regexes_to_ignore": nil, "ignore_case": nil}, nil, "exact_match"},
		{"true stays", "exact_match", map[string]any{"ignore_case": true}, metric.Options{"ignore_case": true}, "exact_match{ignore_case=true}"},
		{"options are sorted", "exact_match", map[string]any{"ignore_punctuation": true, "ignore_case": true, "ignore_numbers": true},
			metric.Options{"ignore_case": true, "ignore_numbers": true, "ignore_punctuation": true},
			"exact_match{ignore_case=true,ignore_numbers=true,ignore_punctuation=true}"},
		{"the empty list is not the same as absent", "exact_match", map[string]any{"regexes_to_ignore": []any{}},
			metric.Options{"regexes_to_ignore": []string{}}, "exact_match{regexes_to_ignore=[]}"},
		{"a list of patterns keeps its order", "exact_match", map[string]any{"regexes_to_ignore": []any{"b", "a"}},
			metric.Options{"regexes_to_ignore": []string{"b", "a"}}, `exact_match{regexes_to_ignore=["b","a"]}`},
		{"a typed list", "exact_match", map[string]any{"regexes_to_ignore": []string{`\.`}},
			metric.Options{"regexes_to_ignore": []string{`\.`}}, `exact_match{regexes_to_ignore=["\\."]}`},
		{"a string pattern is not a list of one", "exact_match", map[string]any{"regexes_to_ignore": "ab"},
			metric.Options{"regexes_to_ignore": "ab"}, `exact_match{regexes_to_ignore="ab"}`},
		{"the empty string is not absent", "exact_match", map[string]any{"regexes_to_ignore": ""},
			metric.Options{"regexes_to_ignore": ""}, `exact_match{regexes_to_ignore=""}`},
		{"an integer becomes a double", "squad_v2", map[string]any{"no_answer_threshold": int64(0)},
			metric.Options{"no_answer_threshold": 0.0}, "squad_v2{no_answer_threshold=0}"},
		{"a fraction is written shortest", "squad_v2", map[string]any{"no_answer_threshold": 0.1},
			metric.Options{"no_answer_threshold": 0.1}, "squad_v2{no_answer_threshold=0.1}"},
		{"patterns are ASCII", "exact_match", map[string]any{"regexes_to_ignore": []any{"\u2019\U0001F600"}},
			metric.Options{"regexes_to_ignore": []string{"\u2019\U0001F600"}}, `exact_match{regexes_to_ignore=["\u2019\ud83d\ude00"]}`},
		{"signs that delimit setups", "exact_match", map[string]any{"regexes_to_ignore": []any{"},a=[", "{\""}},
			metric.Options{"regexes_to_ignore": []string{"},a=[", "{\""}}, `exact_match{regexes_to_ignore=["},a=[","{\""]}`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			got, err := metric.NewSetup(test.metric, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(metric.Setup{Metric: test.metric, Options: test.want}, got); diff != "" {
				t.Errorf("setup (-want +got):\n%s", diff)
			}
			if got.String() != test.text {
				t.Errorf("written %s, want %s", got, test.text)
			}
			again, err := metric.ParseSetup(test.text)
			if err != nil {
				t.Fatalf("reading it back: %v", err)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("read back (-written +read):\n%s", diff)
			}
		})
	}
}

func TestNewSetupDoesNotShareItsCallersList(t *testing.T) {
	patterns := []string{"a"}
	setup, err := metric.NewSetup("exact_match", map[string]any{"regexes_to_ignore": patterns})
	if err != nil {
		t.Fatal(err)
	}
	patterns[0] = "b"
	if setup.String() != `exact_match{regexes_to_ignore=["a"]}` {
		t.Errorf("setup changed with its caller's list: %s", setup)
	}
}

func TestNewSetupRefuses(t *testing.T) {
	tests := []struct {
		shows   string
		metric  string
		options map[string]any
		want    []string // each is in the error
	}{
		{"an unknown metric, with the list", "bleu", nil, []string{`"bleu"`, "exact_match, nfd_exact_match, squad, squad_v2"}},
		{"a metric in another case", "SQuAD", nil, []string{`"SQuAD"`, "squad"}},
		{"an unknown option, with the list", "exact_match", map[string]any{"ignore_cases": true},
			[]string{"exact_match", `"ignore_cases"`, "ignore_case, ignore_numbers, ignore_punctuation, regexes_to_ignore"}},
		{"an option of a metric that takes none", "squad", map[string]any{"ignore_case": true}, []string{"squad", `"ignore_case"`, "it takes none"}},
		{"1 for true", "exact_match", map[string]any{"ignore_case": int64(1)}, []string{"ignore_case", "true or false", "the number 1"}},
		{"a string for a boolean", "exact_match", map[string]any{"ignore_case": "yes"}, []string{"ignore_case", "true or false", `"yes"`}},
		{"a string for a number", "squad_v2", map[string]any{"no_answer_threshold": "0.5"}, []string{"no_answer_threshold", "finite number", `"0.5"`}},
		{"true for a number", "squad_v2", map[string]any{"no_answer_threshold": true}, []string{"no_answer_threshold", "finite number", "true"}},
		{"NaN", "squad_v2", map[string]any{"no_answer_threshold": math.NaN()}, []string{"no_answer_threshold", "finite number"}},
		{"infinity", "squad_v2", map[string]any{"no_answer_threshold": math.Inf(1)}, []string{"no_answer_threshold", "finite number"}},
		{"an integer that no double holds", "squad_v2", map[string]any{"no_answer_threshold": int64(1<<53 + 1)}, []string{"no_answer_threshold", "9007199254740993"}},
		{"too large for a double", "squad_v2", map[string]any{"no_answer_threshold": json.Number("1e400")}, []string{"no_answer_threshold", "1e400"}},
		{"a pattern that is a number", "exact_match", map[string]any{"regexes_to_ignore": []any{"a", int64(1)}}, []string{"regexes_to_ignore", "element 1", "the number 1"}},
		{"patterns that are a number", "exact_match", map[string]any{"regexes_to_ignore": int64(1)}, []string{"regexes_to_ignore", "list of strings", "the number 1"}},
		{"patterns that are a table", "exact_match", map[string]any{"regexes_to_ignore": map[string]any{}}, []string{"regexes_to_ignore", "a table"}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			setup, err := metric.NewSetup(test.metric, test.options)
			if err == nil {
				t.Fatalf("taken as %s", setup)
			}
			contains(t, err, test.want...)
		})
	}
}

func contains(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}

func TestParseSetup(t *testing.T) {
	tests := []struct{ shows, text, want string }{
		{"a bare metric", "squad", "squad"},
		{"empty braces", "squad{}", "squad"},
		{"order does not matter", "exact_match{ignore_numbers=true,ignore_case=true}", "exact_match{ignore_case=true,ignore_numbers=true}"},
		{"a written default", "squad_v2{no_answer_threshold=1}", "squad_v2"},
		{"another spelling of a number", "squad_v2{no_answer_threshold=5e-1}", "squad_v2{no_answer_threshold=0.5}"},
		{"null", "exact_match{regexes_to_ignore=null}", "exact_match"},
		{"an escape that needs none", `exact_match{regexes_to_ignore=["\u0061"]}`, `exact_match{regexes_to_ignore=["a"]}`},
		{"characters outside ASCII", `exact_match{regexes_to_ignore=["é"]}`, `exact_match{regexes_to_ignore=["\u00e9"]}`},
		{"white space inside a list", `exact_match{regexes_to_ignore=[ "a", "b" ]}`, `exact_match{regexes_to_ignore=["a","b"]}`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			got, err := metric.ParseSetup(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != test.want {
				t.Errorf("%s is read as %s, want %s", test.text, got, test.want)
			}
		})
	}
}

func TestParseSetupRefuses(t *testing.T) {
	tests := []struct{ shows, text, want string }{
		{"nothing", "", "unknown metric"},
		{"an open brace", "squad_v2{no_answer_threshold=0.5", "does not end in }"},
		{"a name without a value", "exact_match{ignore_case}", "not name=value"},
		{"a value without a name", "exact_match{=true}", `no option ""`},
		{"Python's spelling of true", "exact_match{ignore_case=True}", "not JSON"},
		{"a bare NaN", "squad_v2{no_answer_threshold=NaN}", "not JSON"},
		{"a string that does not end", `exact_match{regexes_to_ignore="a}`, "not JSON"},
		{"an option twice", "exact_match{ignore_case=true,ignore_case=false}", "twice"},
		{"an option twice, one of them a default", "exact_match{ignore_case=false,ignore_case=true}", "twice"},
		{"something after a value", "exact_match{ignore_case=true;ignore_numbers=true}", "unexpected"},
		{"a comma at the end", "exact_match{ignore_case=true,}", "unexpected"},
		{"something after the brace", "exact_match{ignore_case=true}x", "does not end in }"},
		{"an unknown option", "squad{ignore_case=true}", "it takes none"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			got, err := metric.ParseSetup(test.text)
			if err == nil {
				t.Fatalf("%s is taken as %s", test.text, got)
			}
			contains(t, err, test.want)
		})
	}
}

func TestOptionsRead(t *testing.T) {
	o := metric.Options{"ignore_case": true, "no_answer_threshold": 0.25, "list": []string{"a", "b"}, "text": "a\u00e9\U0001F600", "empty": []string{}, "none": ""}
	if !o.Bool("ignore_case") || o.Bool("ignore_numbers") {
		t.Error("a boolean that is left out is false")
	}
	if o.Number("no_answer_threshold", 1) != 0.25 || o.Number("absent", 1) != 1 {
		t.Error("a number that is left out is its default")
	}
	tests := []struct {
		name  string
		want  []string
		given bool
	}{
		{"list", []string{"a", "b"}, true},
		{"text", []string{"a", "\u00e9", "\U0001F600"}, true}, // as Python iterates a string
		{"empty", []string{}, true},
		{"none", nil, true},
		{"absent", nil, false},
	}
	for _, test := range tests {
		got, given := o.Patterns(test.name)
		if diff := cmp.Diff(test.want, got); diff != "" || given != test.given {
			t.Errorf("patterns of %s: given %v, want %v; (-want +got):\n%s", test.name, given, test.given, diff)
		}
	}
}

func TestASCIIJSON(t *testing.T) {
	tests := []struct {
		shows string
		value any
		want  string
	}{
		{"ASCII as it is, also what HTML escapes", "a<b>&'", `"a<b>&'"`},
		{"quote and backslash", "\"\\", `"\"\\"`},
		{"DEL", "\u007f", `"\u007f"`},
		{"a control", "\u0000", `"\u0000"`},
		{"the line separators", "\u2028\u2029", `"\u2028\u2029"`},
		{"the last before the surrogates and the first after", "\ud7ff\ue000", `"\ud7ff\ue000"`},
		{"the last of the basic plane", "\uffff", `"\uffff"`},
		{"the first astral", "\U00010000", `"\ud800\udc00"`},
		{"an emoji", "\U0001F600", `"\ud83d\ude00"`},
		{"the last code point", "\U0010FFFF", `"\udbff\udfff"`},
		{"a key", map[string]int{"\u00e9": 1}, `{"\u00e9":1}`},
		{"an empty list", []string{}, `[]`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			got := metric.ASCIIJSON(test.value)
			if string(got) != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if text, isText := test.value.(string); isText {
				var back string
				if err := json.Unmarshal(got, &back); err != nil || back != text {
					t.Errorf("%s reads back as %q, %v", got, back, err)
				}
			}
		})
	}
}

// FuzzParseSetup: whatever is taken is written in a form that reads back to
// the same setup and is pure ASCII.
func FuzzParseSetup(f *testing.F) {
	for _, seed := range []string{
		"squad", "squad{}", "squad_v2{no_answer_threshold=0.5}", "squad_v2{no_answer_threshold=-0}", "squad_v2{no_answer_threshold=1e-320}",
		`exact_match{ignore_case=true,regexes_to_ignore=["."]}`, `exact_match{regexes_to_ignore="\ud83d\ude00"}`, `exact_match{regexes_to_ignore=[]}`,
		"exact_match{ignore_case=true,", `exact_match{regexes_to_ignore=["}`, "\xff{", "exact_match{regexes_to_ignore=[\"\xff\"]}", `exact_match{regexes_to_ignore=["\ud800"]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		setup, err := metric.ParseSetup(text)
		if err != nil {
			return
		}
		written := setup.String()
		if strings.ContainsFunc(written, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			t.Errorf("%q is written %q, which is not printable ASCII", text, written)
		}
		again, err := metric.ParseSetup(written)
		if err != nil {
			t.Fatalf("%q is written %q, which is refused: %v", text, written, err)
		}
		if diff := cmp.Diff(setup, again); diff != "" || again.String() != written {
			t.Errorf("%q is written %q and read back otherwise (-written +read):\n%s", text, written, diff)
		}
	})
}
