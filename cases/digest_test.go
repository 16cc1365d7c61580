package cases_test

import (
	"strings"
	"testing"

	"github.com/normcert/normcert/cases"
)

func TestDigests(t *testing.T) {
	const before = `about  = "What the trap is."
setups = [{ metric = "squad" }, { metric = "exact_match" }]

[[case]]
id         = "good"
prediction = "a"
references = ["the"]
intent     = "no-match"
why        = "Two different articles."

[[case]]
id     = "two"
setups = [{ metric = "squad_v2", options = { no_answer_threshold = 0.5 } }]
why    = "w"
source = "https://example.org/"
items  = [{ prediction = "x", references = ["y"], intent = "match" }]
`
	load := func(content string) cases.Corpus { return corpusOf(t, map[string]string{"trap.toml": content}) }
	everything := func(string) bool { return true }
	original := load(before)
	tests := []struct {
		shows, from, to string
		digest, inputs  bool // whether they change
	}{
		{"about", "What the trap is.", "What this trap is.", false, false},
		{"why", "Two different articles.", "Articles differ.", false, false},
		{"source", "https://example.org/", "https://example.com/", false, false},
		{"a comment, and spacing", "[[case]]\nid     = \"two\"", "# new\n[[case]]\nid = \"two\"", false, false},
		{"a written default", `{ metric = "exact_match" }`, `{ metric = "exact_match", options = { ignore_case = false } }`, false, false},
		{"an intent", "no-match", "ambiguous", true, false},
		{"the intent of one of several items", `intent = "match"`, `intent = "no-match"`, true, false},
		{"a prediction", `prediction = "a"`, `prediction = "an"`, true, true},
		{"a reference", `"the"`, `"a"`, true, true},
		{"one more reference", `references = ["y"]`, `references = ["y", "z"]`, true, true},
		{"no prediction any more", `{ prediction = "x", `, `{ `, true, true},
		{"a probability", `prediction = "x",`, `prediction = "x", no_answer_probability = 0.5,`, true, true},
		{"an item's id", `prediction = "x",`, `prediction = "x", id = "q",`, true, true},
		{"a case's id", `"good"`, `"other"`, true, true},
		{"an option", "no_answer_threshold = 0.5", "no_answer_threshold = 0.25", true, true},
		{"one setup less", `, { metric = "exact_match" }`, ``, true, true},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			if strings.Count(before, test.from) != 1 {
				t.Fatalf("%q is in the file %d times", test.from, strings.Count(before, test.from))
			}
			changed := load(strings.Replace(before, test.from, test.to, 1))
			if got := changed.Digest() != original.Digest(); got != test.digest {
				t.Errorf("digest changed: %v, want %v", got, test.digest)
			}
			if got := changed.Hazards[0].Inputs(everything) != original.Hazards[0].Inputs(everything); got != test.inputs {
				t.Errorf("inputs changed: %v, want %v", got, test.inputs)
			}
		})
	}
}

// Inputs speak of the metrics of one pin only: another metric's setup may come
// and go without putting its goldens in doubt.
func TestInputsAreThoseThatThePinCovers(t *testing.T) {
	with := func(setups string) cases.Hazard {
		return corpusOf(t, map[string]string{"trap.toml": "about = \"x\"\nsetups = [" + setups + "]\n" + good}).Hazards[0]
	}
	squad := func(name string) bool { return name == "squad" }
	both := func(string) bool { return true }
	one, two := with(`{ metric = "squad" }`), with(`{ metric = "squad" }, { metric = "exact_match" }`)
	if one.Inputs(squad) != two.Inputs(squad) {
		t.Error("a setup of another metric changes the inputs")
	}
	if one.Inputs(both) == two.Inputs(both) {
		t.Error("a setup of a covered metric does not change the inputs")
	}
}

// The corpus that is compiled in has to load, and to be what its digest names.
func TestEmbedded(t *testing.T) {
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if corpus.Count() < 120 || len(corpus.Digest()) != 64 {
		t.Errorf("%d cases, digest %q", corpus.Count(), corpus.Digest())
	}
}
