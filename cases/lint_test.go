package cases_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/normcert/normcert/cases"
)

const schemaLine = "#:schema ./schema.json\n"

// TestCorpusIsClean is the linter on the corpus itself.
func TestCorpusIsClean(t *testing.T) {
	problems, err := cases.Lint(cases.Files())
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
	sets, err := cases.LoadSets(cases.Files())
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range sets.Check(corpus) {
		t.Error(problem)
	}
}

func TestLint(t *testing.T) {
	with := func(old, new string) string {
		if !strings.Contains(head+good, old) {
			t.Fatalf("%q is not there", old)
		}
		return schemaLine + strings.Replace(head+good, old, new, 1)
	}
	second := strings.NewReplacer(`"good"`, `"other"`, "Two different articles.", "Others.").Replace(good)
	tests := []struct {
		shows, content string
		want           []placed // none is clean
	}{
		{"a clean file", schemaLine + head + good, nil},
		{"a clean pair", schemaLine + head + good + second, nil},
		{"visible text of many scripts", with(`"a"`, `"Zürich 東京 مُحَمَّد नमस्ते"`), nil},
		{"escapes", with(`"a"`, `"\u00A0\u200Be\u0301\\u00a0"`), nil},
		{"no schema", head + good, []placed{{1, "", []string{"#:schema ./schema.json"}}}},
		{"a no-break space", with(`"a"`, "\"a\u00a0b\""), []placed{{7, "trap/good", []string{"U+00A0 cannot be seen", `\u00A0`}}}},
		{"a zero-width space", with(`"a"`, "\"a\u200bb\""), []placed{{7, "trap/good", []string{"U+200B cannot be seen", `\u200B`}}}},
		{"an override of the direction, in a comment", with("[[case]]", "# \u202e\n[[case]]"), []placed{{5, "", []string{"U+202E cannot be seen"}}}},
		{"a decomposed letter", with(`"a"`, "\"cafe\u0301\""), []placed{{7, "trap/good", []string{"U+0301 is not in its composed form", `\u0301`}}}},
		{"a singleton", with(`"a"`, "\"\u212a\""), []placed{{7, "trap/good", []string{"U+212A is not in its composed form"}}}},
		{"a mark that leads", with(`"a"`, "\"\u0301\""), []placed{{7, "trap/good", []string{"U+0301 is a combining mark without a letter"}}}},
		{"advice", with("Two different articles.", "They should differ."), []placed{{5, "trap/good", []string{`why says "should"`}}}},
		{"three sentences", with("Two different articles.", "One. Two. Three."), []placed{{5, "trap/good", []string{"3 sentences"}}}},
		{"two sentences with an abbreviation", with("Two different articles.", "It is 3.5 e.g. for dots. The dot is kept."), nil},
		{"a phrase", with("Two different articles.", "two articles"), []placed{{5, "trap/good", []string{"no sentence"}}}},
		{"a sentence that ends in a quotation", with(`"Two different articles."`, `"They are \"the\" and \"a.\""`), nil},
		{"an about that is no sentence", with("What the trap is.", "the trap"), []placed{{1, "", []string{"about is no sentence"}}}},
		{"markup", with("Two different articles.", "Two `articles`."), []placed{{5, "trap/good", []string{"not plain text"}}}},
		{"a purpose that is no sentence", schemaLine + head + good + "purpose = \"a control\"\n", []placed{{5, "trap/good", []string{"purpose is no sentence"}}}},
		{"a reason given twice", schemaLine + head + good + strings.Replace(good, `"good"`, `"other"`, 1), []placed{{12, "trap/other", []string{"why is that of trap/good too"}}}},
		{"a source without a host", schemaLine + head + good + "source = \"https://\"\n", []placed{{5, "trap/good", []string{"leads somewhere"}}}},
		{"a source with its full stop", schemaLine + head + good + "source = \"https://example.org/x.\"\n", []placed{{5, "trap/good", []string{"a sign that belongs to the text"}}}},
		// U+1E4D0 is Nag Mundari, new in Unicode 15.0.
		{"a character of a newer Unicode", with(`"a"`, `"\U0001E4D0"`), []placed{{5, "trap/good", []string{"U+1E4D0 is not the same", "14.0.0"}}}},
		{"a character of a newer Unicode, said", strings.Replace(with(`"a"`, `"\U0001E4D0"`), "Two different articles.", "The letter is new in Unicode 15.", 1), nil},
		{"a twin with another intent", schemaLine + head + good + strings.Replace(second, "no-match", "match", 1), []placed{{12, "trap/other", []string{"item 0 is match", "no-match in trap/good"}}}},
		{"a twin with the references in another order", schemaLine + head + strings.Replace(good, `["the"]`, `["the", "an"]`, 1) +
			strings.NewReplacer("no-match", "match", `["the"]`, `["an", "the"]`).Replace(second), []placed{{12, "trap/other", []string{"item 0 is match"}}}},
		{"another prediction is no twin", schemaLine + head + good + strings.NewReplacer("no-match", "match", `"a"`, `"b"`).Replace(second), nil},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			problems, err := cases.Lint(fstest.MapFS{"trap.toml": {Data: []byte(test.content)}})
			if err != nil {
				t.Fatal(err)
			}
			if len(problems) != len(test.want) {
				t.Fatalf("%d problems, want %d: %v", len(problems), len(test.want), problems)
			}
			for i, problem := range problems {
				hold(t, problem, test.want[i])
			}
		})
	}
}

// What fmt writes, lint takes.
func TestFormatEscapesWhatLintNames(t *testing.T) {
	unclear := schemaLine + head + strings.Replace(good, `"a"`, "\"\u0301\u200b\u212a a\u0301\u0323\u3000\"", 1)
	formatted, err := cases.Format("trap.toml", []byte(unclear))
	if err != nil {
		t.Fatal(err)
	}
	problems, err := cases.Lint(fstest.MapFS{"trap.toml": {Data: formatted}})
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v in\n%s", problems, err, formatted)
	}
}
