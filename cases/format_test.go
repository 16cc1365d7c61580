package cases_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/cases"
)

// untidy says what tidy says.
const untidy = `# Of what lies here.
setups=[{metric='squad'},{options={regexes_to_ignore=["\u000a", '\.'],ignore_case=true},metric="exact_match"}]
#:schema ./schema.json
about = """
What the \
  trap is."""
# Before the first case.

[[case]] # beside it
  # why this id
  id = 'first' # never again
  why = "W."
  intent = "match"
  prediction = "e` + "\u0301 \u00a0\u200b" + `\u00e9"
  references = [
     "\u0062\u007F",
  ]
[[case]]
"id" = "second"
items = [ { intent = "match", no_answer_probability = 1, references = [], prediction = "x" }, { references = ["y"], intent = "no-match", id = "q" } ]
why = "V."
# At the end.
`

const tidy = `#:schema ./schema.json
about  = "What the trap is."
# Of what lies here.
setups = [{ metric = "squad" }, { metric = "exact_match", options = { ignore_case = true, regexes_to_ignore = ["\n", "\\."] } }]

# Before the first case.
[[case]] # beside it
# why this id
id         = "first" # never again
prediction = "e\u0301 \u00A0\u200B\u00E9"
references = ["b\u007F"]
intent     = "match"
why        = "W."

[[case]]
id    = "second"
why   = "V."
items = [
  { prediction = "x", references = [], intent = "match", no_answer_probability = 1.0 },
  { id = "q", references = ["y"], intent = "no-match" },
]

# At the end.
`

func TestFormat(t *testing.T) {
	// squad takes both; exact_match wants one reference of each item.
	content := strings.Replace(untidy, `references = [], prediction`, `references = ["r"], prediction`, 1)
	want := strings.Replace(tidy, `references = [], intent`, `references = ["r"], intent`, 1)
	content = strings.Replace(content, `id = "q" }`, `id = "q", prediction = "z" }`, 1)
	want = strings.Replace(want, `{ id = "q", ref`, `{ id = "q", prediction = "z", ref`, 1)
	for _, given := range []string{content, want, strings.ReplaceAll(content, "\n", "\r\n")} {
		got, err := cases.Format("trap.toml", []byte(given))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// Each string is written so that a reader sees what is in it.
func TestFormatSpells(t *testing.T) {
	tests := []struct{ shows, raw, want string }{
		{"letters as they are", "Zürich 東京 مُحَمَّد नमस्ते", "Zürich 東京 مُحَمَّد नमस्ते"},
		{"a mark that leads", "\u0301a", `\u0301a`},
		{"a mark after a space", "a \u064E", `a \u064E`},
		{"a mark after an escape", `\u1112` + "\u0301", `\u1112\u0301`},
		{"a mark that would compose", "cafe\u0301", `cafe\u0301`},
		{"marks out of order", "a\u0301\u0323", `a\u0301\u0323`},
		{"a singleton", "\u212A", `\u212A`},
		{"an escape that somebody wanted", `\u0430bc`, `\u0430bc`},
		{"an escape of ASCII", `\u0041\U00000042`, "AB"},
		{"small hex digits", `\u00a0`, `\u00A0`},
		{"a backspace by its short name", `a\b\f`, `a\u0008\u000C`},
		{"a line end by its number", `\u000A`, `\n`},
		{"a tab that was typed", "a\tb", `a\tb`},
		{"beyond the first plane", "\U000E0020", `\U000E0020`},
		{"an emoji", "😀", "😀"},
		{"direction marks", "\u202Ea\u2066", `\u202Ea\u2066`},
		{"odd spaces", "\u3000\u2003\u2028", `\u3000\u2003\u2028`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			content := "#:schema ./schema.json\n" + head + strings.Replace(good, `"a"`, `"`+test.raw+`"`, 1)
			got, err := cases.Format("trap.toml", []byte(content))
			if err != nil {
				t.Fatal(err)
			}
			if want := "prediction = \"" + test.want + "\"\n"; !strings.Contains(string(got), want) {
				t.Errorf("want %s in\n%s", want, got)
			}
		})
	}
}

func TestFormatRefuses(t *testing.T) {
	tests := []struct {
		shows, content string
		want           placed
	}{
		{"what does not parse", head + good + "colour = 1\n", placed{10, "trap/good", []string{`unknown key "colour"`}}},
		{"a comment that would be lost", head + strings.Replace(good, `["the"]`, "[ # one\n \"the\"]", 1), placed{7, "", []string{"a comment inside a list"}}},
		{"a table in brackets", head + "[[case]]\nid = \"x\"\nwhy = \"w\"\n[[case.items]]\nreferences = [\"a\"]\nintent = \"match\"\n", placed{6, "", []string{"[[case.items]]", "items = ["}}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			_, err := cases.Format("trap.toml", []byte(test.content))
			list := cases.Errors(err)
			if len(list) != 1 {
				t.Fatalf("%d errors: %v", len(list), err)
			}
			hold(t, list[0], test.want)
		})
	}
}

func TestCorpusIsInCanonicalForm(t *testing.T) {
	for _, name := range caseFiles(t) {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cases.Format(name, content)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, content) {
			t.Errorf("%s is not in canonical form; normcert case fmt\n%s", name, cmp.Diff(string(content), string(got)))
		}
	}
}

// Whatever parses is formatted, and a second time changes nothing.
func FuzzFormat(f *testing.F) {
	f.Add(head + good)
	f.Add(untidy)
	f.Add(tidy)
	f.Add(head + good + "source = 'https://e'''\n")
	f.Add(head + strings.Replace(good, `"a"`, `""""a\"""""`, 1))
	f.Add(head + strings.Replace(good, `"a"`, `'''''a'''''`, 1))
	f.Fuzz(func(t *testing.T, content string) {
		once, err := cases.Format("trap.toml", []byte(content))
		if err != nil {
			if strings.Contains(err.Error(), "a bug in normcert") {
				t.Error(err)
			}
			return
		}
		twice, err := cases.Format("trap.toml", once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("not idempotent: %v\n%s", err, cmp.Diff(string(once), string(twice)))
		}
	})
}
