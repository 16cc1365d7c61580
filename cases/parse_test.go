package cases_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/metric"
)

const head = `about  = "What the trap is."
setups = [{ metric = "squad" }]
`

// good is a case of four lines below its header.
const good = `
[[case]]
id         = "good"
prediction = "a"
references = ["the"]
intent     = "no-match"
why        = "Two different articles."
`

// placed is a problem as a person meets it.
type placed struct {
	line int
	id   string
	says []string
}

func TestParsePlacesWhatIsWrong(t *testing.T) {
	with := func(lines ...string) string { return head + "\n[[case]]\n" + strings.Join(lines, "\n") + "\n" }
	// The lines of a case that is right; a row replaces some.
	const id, prediction, references, intent, why = `id = "x"`, `prediction = "a"`, `references = ["b"]`, `intent = "match"`, `why = "w"`
	tests := []struct {
		shows   string
		content string
		want    []placed
	}{
		{"an unknown key", with(id, prediction, references, intent, why, `colour = "red"`),
			[]placed{{10, "trap/x", []string{`unknown key "colour"`, "known: ", "prediction"}}}},
		{"a key in another case is not the key", with(id, `Prediction = "a"`, references, intent, why),
			[]placed{{6, "trap/x", []string{`unknown key "Prediction"`, "did you mean prediction?"}}}},
		{"a slip", with(id, prediction, references, intent, why, `surce = "https://example.org"`),
			[]placed{{10, "trap/x", []string{`unknown key "surce"`, "did you mean source?"}}}},
		{"an unknown key at the head", "colour = 1\n" + head + good,
			[]placed{{1, "", []string{`unknown key "colour"`, "about, setups"}}}},
		{"an unknown key of an item", with(id, why, `items = [{ prediction = "a", references = ["b"], intent = "match", Intent = "match" }]`),
			[]placed{{7, "trap/x", []string{`item 0: unknown key "Intent"`, "did you mean intent?"}}}},
		{"an unknown key of a setup", with(id, `setups = [{ metric = "squad", option = {} }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{`unknown key "option"`, "did you mean options?"}}}},
		{"a prediction beside items", with(id, prediction, why, "items = []"),
			[]placed{{6, "trap/x", []string{`unknown key "prediction"`}}}},

		{"a missing id", with(prediction, references, intent, why),
			[]placed{{4, "", []string{"id is missing", "lower case with hyphens"}}}},
		{"an id that is a number", with("id = 1", prediction, references, intent, why),
			[]placed{{4, "", []string{"id is missing or not a string"}}}},
		{"an id with a capital", with(`id = "Bare-article"`, prediction, references, intent, why),
			[]placed{{5, "", []string{`"Bare-article" is not lower case with hyphens`}}}},
		{"an id in full", with(`id = "trap/x"`, prediction, references, intent, why),
			[]placed{{5, "", []string{`"trap/x" is not lower case`}}}},
		{"a duplicate id", head + good + good,
			[]placed{{11, "trap/good", []string{"used on line 4 too", "never used again"}}}},
		{"a missing why", with(id, prediction, references, intent),
			[]placed{{4, "trap/x", []string{"why is missing"}}}},
		{"a blank why", with(id, prediction, references, intent, `why = " "`),
			[]placed{{9, "trap/x", []string{"why is empty"}}}},
		{"a missing about", "setups = [{ metric = \"squad\" }]\n" + good,
			[]placed{{1, "", []string{"about is missing"}}}},
		{"a missing intent", with(id, prediction, references, why),
			[]placed{{7, "trap/x", []string{"intent is missing", "match, no-match, ambiguous"}}}},
		{"an intent in another case", with(id, prediction, references, `intent = "Match"`, why),
			[]placed{{7, "trap/x", []string{"intent is Match", "match, no-match, ambiguous"}}}},
		{"an intent that is a boolean", with(id, prediction, references, `intent = true`, why),
			[]placed{{7, "trap/x", []string{"intent is true", "match, no-match, ambiguous"}}}},
		{"missing references", with(id, prediction, intent, why),
			[]placed{{4, "trap/x", []string{"references is missing", "[] is an item without one"}}}},
		{"an intent missing in the second item", with(id, why, `items = [{ prediction = "a", references = ["b"], intent = "match" }, { prediction = "a", references = ["b"] }]`),
			[]placed{{7, "trap/x", []string{"item 1: intent is missing"}}}},
		{"a source that is no address", with(id, prediction, references, intent, why, `source = "the paper"`),
			[]placed{{10, "trap/x", []string{`source "the paper" is not a URL`, "leave it out"}}}},

		{"a prediction that is a number", with(id, "prediction = 1", references, intent, why),
			[]placed{{7, "trap/x", []string{"prediction is a number, not a string"}}}},
		{"references that are a string", with(id, prediction, `references = "b"`, intent, why),
			[]placed{{7, "trap/x", []string{"references is a string, not a list of strings"}}}},
		{"a reference that is a number", with(id, prediction, `references = ["b", 2]`, intent, why),
			[]placed{{7, "trap/x", []string{"reference 1 is a number, not a string"}}}},
		{"a why that is a list", with(id, prediction, references, intent, `why = ["w"]`),
			[]placed{{9, "trap/x", []string{"why is a list, not a string"}}}},
		{"a probability that is a string", with(id, prediction, references, intent, why, `no_answer_probability = "0.5"`),
			[]placed{{7, "trap/x", []string{"no_answer_probability is a string, not a number"}}}},
		{"a probability that is NaN", with(id, prediction, references, intent, why, `no_answer_probability = nan`),
			[]placed{{4, "trap/x", []string{"no_answer_probability is not a finite number"}}}},
		{"an infinite probability", with(id, prediction, references, intent, why, `no_answer_probability = inf`),
			[]placed{{4, "trap/x", []string{"no_answer_probability is not a finite number"}}}},
		{"items that are a table", with(id, why, `items = { prediction = "a" }`),
			[]placed{{7, "trap/x", []string{"items is a list of tables", "[] is the empty batch"}}}},
		{"an item id that is a number", with(id, why, `items = [{ id = 1, prediction = "a", references = ["b"], intent = "match" }]`),
			[]placed{{7, "trap/x", []string{"item 0: id is a number, not a string"}}}},
		{"an about that is a number", "about = 1\nsetups = [{ metric = \"squad\" }]\n" + good,
			[]placed{{1, "", []string{"about is a number, not a string"}}}},

		{"no setups at all", "about = \"x\"\n" + good,
			[]placed{{3, "trap/good", []string{"no setups", "in the case or at the head"}}}},
		{"bad setups at the head are one error, not one a case", "about = \"x\"\nsetups = []\n" + named("one") + named("two"),
			[]placed{{2, "", []string{"setups is a list of at least one table"}}}},
		{"setups that are empty", with(id, "setups = []", prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"setups is a list of at least one table", `{ metric = "squad" }`}}}},
		{"setups that are names", with(id, `setups = ["squad"]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"setups is a list of at least one table"}}}},
		{"a duplicate setup", with(id, `setups = [{ metric = "squad" }, { metric = "squad", options = {} }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"setup squad is there twice"}}}},
		{"a duplicate by a default that is written out", with(id, `setups = [{ metric = "squad_v2" }, { metric = "squad_v2", options = { no_answer_threshold = 1 } }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"setup squad_v2 is there twice"}}}},
		{"an unknown metric", with(id, `setups = [{ metric = "squad" }, { metric = "bleu" }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{`setup 1: unknown metric "bleu"`, "exact_match, nfd_exact_match, squad, squad_v2"}}}},
		{"a setup without a metric", with(id, `setups = [{ metric = "squad" }, {}]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"setup 1: metric is missing"}}}},
		{"an unknown option", with(id, `setups = [{ metric = "squad" }, { metric = "squad_v2", options = { threshold = 1 } }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{`squad_v2 has no option "threshold"`, "no_answer_threshold"}}}},
		{"an option of the wrong type", with(id, `setups = [{ metric = "squad" }, { metric = "exact_match", options = { ignore_case = 1 } }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"ignore_case of exact_match", "true or false", "the number 1"}}}},
		{"options that are a list", with(id, `setups = [{ metric = "squad" }, { metric = "exact_match", options = [] }]`, prediction, references, intent, why),
			[]placed{{6, "trap/x", []string{"options is a list, not a table"}}}},

		{"a prediction missing under exact_match", with(id, `setups = [{ metric = "exact_match" }]`, references, intent, why),
			[]placed{{4, "trap/x", []string{"item 0", "prediction is missing", "exact_match"}}}},
		{"two references under exact_match", with(id, `setups = [{ metric = "exact_match" }]`, prediction, `references = ["b", "c"]`, intent, why),
			[]placed{{4, "trap/x", []string{"item 0", "exact_match takes exactly one reference, not 2"}}}},
		{"no reference under nfd_exact_match", with(id, `setups = [{ metric = "nfd_exact_match" }]`, prediction, `references = []`, intent, why),
			[]placed{{4, "trap/x", []string{"item 0", "references is empty", "nfd_exact_match"}}}},

		{"invalid UTF-8", head + "\n[[case]]\nid = \"x\"\nwhy = \"\xff\"\n",
			[]placed{{6, "", []string{"not valid UTF-8"}}}},
		{"a surrogate in UTF-8", head + "# \xed\xa0\x80\n",
			[]placed{{3, "", []string{"not valid UTF-8"}}}},
		{"a syntax error", with(id, `prediction = "a`, references, intent, why),
			[]placed{{6, "", []string{"not TOML 1.0"}}}},
		{"a key that is defined twice", with(id, prediction, `prediction = "b"`, references, intent, why),
			[]placed{{7, "", []string{"not TOML 1.0", "prediction"}}}},
		{"TOML 1.1: an escape \\e", with(id, `prediction = "\e"`, references, intent, why),
			[]placed{{6, "", []string{"not TOML 1.0"}}}},
		{"TOML 1.1: an escape \\x", with(id, `prediction = "\x41"`, references, intent, why),
			[]placed{{6, "", []string{"not TOML 1.0"}}}},
		{"TOML 1.1: a line break in an inline table", with(id, why, "items = [{ prediction = \"a\",", " references = [\"b\"], intent = \"match\" }]"),
			[]placed{{7, "", []string{"not TOML 1.0"}}}},
		{"TOML 1.1: a comma at the end of an inline table", with(id, why, `items = [{ prediction = "a", references = ["b"], intent = "match", }]`),
			[]placed{{7, "", []string{"not TOML 1.0"}}}},

		{"a header inside a multi-line string", head + "\n[[case]]\nid = \"x\"\nwhy = \"\"\"\n[[case]]\n\"\"\"\n",
			[]placed{{0, "", []string{"[[case]]", "found 2 such lines and 1 cases"}}}},
		{"a case in line", "case = [{ id = \"x\" }]\n" + head,
			[]placed{{1, "", []string{`unknown key "case"`}}, {0, "", []string{"a line of its own that reads [[case]]", "found 0 such lines and 1 cases"}}}},
		{"a header inside a string, and an indented one that makes up for it", head + "\n[[case]]\nid = \"x\"\nwhy = \"\"\"\n[[case]]\n\"\"\"\n  [[case]]\nid = \"y\"\n", nil},
		{"an indented header", head + "\n  [[case]]\n" + strings.TrimPrefix(good, "\n[[case]]\n"), nil},
		{"no case at all", head,
			[]placed{{0, "", []string{"found 0 such lines and 0 cases"}}}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			_, err := cases.Parse("trap.toml", []byte(test.content))
			if err == nil {
				t.Fatal("taken")
			}
			got := cases.Errors(err)
			if test.want == nil {
				return // only that it is refused
			}
			if len(got) != len(test.want) {
				t.Errorf("%d errors, want %d:\n%v", len(got), len(test.want), err)
			}
			for i := range min(len(got), len(test.want)) {
				hold(t, got[i], test.want[i])
			}
		})
	}
}

func hold(t *testing.T, got *cases.Error, want placed) {
	t.Helper()
	if got.Place != (cases.Place{File: "trap.toml", Line: want.line}) || got.Case != want.id {
		t.Errorf("placed at %s, case %q; want line %d, case %q: %v", got.Place, got.Case, want.line, want.id, got)
	}
	// What a person reads has file, line and case in front.
	front := "trap.toml"
	if want.line > 0 {
		front += fmt.Sprintf(":%d", want.line)
	}
	front += ": "
	if want.id != "" {
		front += "case " + want.id + ": "
	}
	if !strings.HasPrefix(got.Error(), front) {
		t.Errorf("error %q does not begin with %q", got, front)
	}
	for _, part := range want.says {
		if !strings.Contains(got.Error(), part) {
			t.Errorf("error %q lacks %q", got, part)
		}
	}
}

func TestParseReportsEveryError(t *testing.T) {
	content := head + good + `
[[case]]
id         = "second"
prediction = 1
references = ["the"]
intent     = "maybe"
why        = ""
` + `
[[case]]
prediction = "a"
references = ["the"]
intent     = "match"
why        = "w"
`
	_, err := cases.Parse("trap.toml", []byte(content))
	var got []string
	for _, one := range cases.Errors(err) {
		got = append(got, fmt.Sprintf("%d %s", one.Place.Line, one.Case))
	}
	if diff := cmp.Diff([]string{"16 trap/second", "14 trap/second", "14 trap/second", "18 "}, got); diff != "" {
		t.Errorf("lines and cases (-want +got):\n%s\n%v", diff, err)
	}
}

func TestParseNamesFilesAfterHazards(t *testing.T) {
	for _, name := range []string{"Trap.toml", "a trap.toml", "trap_two.toml", ".toml"} {
		_, err := cases.Parse(name, []byte(head+good))
		if err == nil || !strings.Contains(err.Error(), "named after its hazard") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseReads(t *testing.T) {
	content := head + `
[[case]] # a comment may follow
id         = "single"
prediction = "\u0130"
references = []
intent     = "ambiguous"
why        = "w"
source     = "https://example.org/"
no_answer_probability = 1

[[case]]
id     = "empty-batch"
setups = [{ metric = "exact_match", options = { regexes_to_ignore = [] } }]
why    = """
Two lines,
[[case]] in the middle of one."""
items  = []

[[case]]
id     = "several"
why    = "w"

[[case.items]]
id         = "q"
prediction = "a"
references = ["b", "c"]
intent     = "match"

[[case.items]]
references = ["b"]
intent     = "no-match"
`
	hazard, err := cases.Parse("some/where/trap.toml", []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *string { return &s }
	squad := []metric.Setup{{Metric: "squad"}}
	want := cases.Hazard{Name: "trap", About: "What the trap is.", Cases: []cases.Case{
		{ID: "trap/single", Setups: squad, Single: true, Why: "w", Source: "https://example.org/", Place: cases.Place{File: "some/where/trap.toml", Line: 4},
			Items: []cases.Item{{Item: metric.Item{ID: "0", Prediction: text("\u0130"), References: []string{}, NoAnswerProbability: 1}, Intent: cases.Ambiguous}}},
		{ID: "trap/empty-batch", Setups: []metric.Setup{{Metric: "exact_match", Options: metric.Options{"regexes_to_ignore": []string{}}}},
			Why: "Two lines,\n[[case]] in the middle of one.", Place: cases.Place{File: "some/where/trap.toml", Line: 13}},
		{ID: "trap/several", Setups: squad, Why: "w", Place: cases.Place{File: "some/where/trap.toml", Line: 21},
			Items: []cases.Item{
				{Item: metric.Item{ID: "q", Prediction: text("a"), References: []string{"b", "c"}}, Intent: cases.Match},
				{Item: metric.Item{ID: "1", References: []string{"b"}}, Intent: cases.NoMatch},
			}},
	}}
	if diff := cmp.Diff(want, hazard); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if hazard.Cases[0].Hazard() != "trap" || len(hazard.Cases[2].Batch()) != 2 {
		t.Error("hazard or batch of a case")
	}
}

func TestParseTakesWindowsLineEnds(t *testing.T) {
	hazard, err := cases.Parse("trap.toml", []byte(strings.ReplaceAll(head+good, "\n", "\r\n")))
	if err != nil || len(hazard.Cases) != 1 {
		t.Errorf("%v, %v", hazard, err)
	}
}

func TestLoad(t *testing.T) {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	t.Run("sorted by hazard, and nothing but *.toml at the root", func(t *testing.T) {
		corpus, err := cases.Load(fstest.MapFS{
			"b.toml": file(head + good), "a.toml": file(head + good), "schema.json": file("{"), "deeper/c.toml": file("not TOML"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(corpus.Hazards) != 2 || corpus.Hazards[0].Name != "a" || corpus.Count() != 2 {
			t.Errorf("%+v", corpus)
		}
		if one, there := corpus.Case("b/good"); !there || one.ID != "b/good" {
			t.Errorf("b/good is found as %+v", one)
		}
		if _, there := corpus.Case("b/other"); there {
			t.Error("b/other is found")
		}
	})
	t.Run("the errors of every file", func(t *testing.T) {
		_, err := cases.Load(fstest.MapFS{"a.toml": file(head), "b.toml": file(head + good), "c.toml": file("x =")})
		var files []string
		for _, one := range cases.Errors(err) {
			files = append(files, one.Place.File)
		}
		if diff := cmp.Diff([]string{"a.toml", "c.toml"}, files); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("no files", func(t *testing.T) {
		if _, err := cases.Load(fstest.MapFS{"a.json": file("")}); err == nil || !strings.Contains(err.Error(), "no case files") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a file that cannot be read", func(t *testing.T) {
		_, err := cases.Load(fstest.MapFS{"a.toml": {Mode: fs.ModeDir}})
		var one *cases.Error
		if !errors.As(err, &one) || one.Place.String() != "a.toml" {
			t.Errorf("%v", err)
		}
	})
}

// FuzzParse: nothing panics, and what is taken without an error is whole.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		head + good, head + good + good, head + "[[case]]\nitems = []\nid=\"x\"\nwhy=\"w\"\n", "case = []", "[case]\n", "[[case]]\n[[case]]\n",
		head + "\n[[case]]\nid = \"x\"\nwhy = \"\"\"\n[[case]]\n\"\"\"\n", "case = 1\n[[case.x]]\n", "\xff", "\"case\" = [[{}]]", "about = \"\"\"\n[[case]]\n\"\"\"\n",
		head + "[[case]]\nid=\"x\"\nwhy=\"w\"\nitems=[{references=[1.5,nan],no_answer_probability=nan,intent=1979-05-27}]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		hazard, err := cases.Parse("trap.toml", content)
		if err != nil {
			if len(cases.Errors(err)) == 0 {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		if len(hazard.Cases) == 0 || hazard.About == "" {
			t.Error("taken without a case or an about")
		}
		ids := map[string]bool{}
		for _, one := range hazard.Cases {
			if one.ID == "" || ids[one.ID] || len(one.Setups) == 0 || one.Why == "" || one.Place.Line == 0 || one.Single != (one.Single && len(one.Items) == 1) {
				t.Errorf("taken: %+v", one)
			}
			ids[one.ID] = true
			for _, item := range one.Items {
				if item.Intent != cases.Match && item.Intent != cases.NoMatch && item.Intent != cases.Ambiguous {
					t.Errorf("taken with intent %q", item.Intent)
				}
				for _, setup := range one.Setups {
					m, err := metric.Lookup(setup.Metric)
					if err != nil {
						t.Fatal(err)
					}
					if err := item.Validate(m); err != nil {
						t.Errorf("taken, but %v", err)
					}
				}
			}
		}
	})
}
