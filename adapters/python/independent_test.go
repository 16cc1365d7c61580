package python_test

import (
	"fmt"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

func TestIndependentAgreesWithUpstream(t *testing.T) {
	holdToTruth(t, truth(t, truthPins...), pytest.Interpreter(t), "independent.py")
}

// The article's pipeline has no source to run: these are the pairs its text
// speaks of, and what follows from its steps by hand.
func TestIndependentNormalizesAsTheArticleSays(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Paris", "paris"},
		{"the Nile", "nile"},
		{"a few", "few"},
		{"the 1", "1"},
		{"1,000", "1000"},
		{"MAS*H", "mash"},
		{" Barack  Obama ", "barack obama"},
		{"caf\u00e9", "cafe"},
		{"cafe\u0301", "cafe"},
		{"no.", "no"},
		{"Stra\u00dfe", "strasse"},
		{"3,5", "35"},
		{"2019-03-03", "20190303"},
		// An article is a token here, not a word: the dash is not ASCII.
		{"the\u2014car", "the\u2014car"},
		// Punctuation goes before the text is split.
		{"end.the", "endthe"},
		{"a-b the", "ab"},
		{"The...", ""},
	}
	requests := make([]object, len(tests))
	for i, test := range tests {
		requests[i] = object{"op": "normalize", "metric": "nfd_exact_match", "pin": "article@1", "options": object{}, "text": test.text}
	}
	got := run(t, number(t, requests), pytest.Interpreter(t), "independent.py")
	for i, test := range tests {
		if r := got.replies[i]; r.kind() != "text" || *r.Text != test.want {
			t.Errorf("%+q: reply %s, want the text %+q", test.text, show(r), test.want)
		}
	}
}

func TestIndependentScoresTheArticlesMetric(t *testing.T) {
	item := func(prediction string, references ...string) object {
		return object{"id": "0", "prediction": prediction, "references": append([]string{}, references...)}
	}
	tests := []struct {
		name  string
		items []object
		want  any // a score, or the kind of the refusal
	}{
		{"accents fold", []object{item("caf\u00e9", "Cafe")}, 1.0},
		{"the best reference counts", []object{item("Obama", "Barack Obama", "obama.")}, 1.0},
		{"words are not numerals", []object{item("eighteen", "18")}, 0.0},
		{"mean over the items, whatever their ids", []object{item("a", "b"), item("x", "x")}, 0.5},
		{"no references", []object{item("x")}, "no_references"},
		{"no items", []object{}, "empty_input"},
	}
	requests := make([]object, len(tests))
	for i, test := range tests {
		requests[i] = object{"op": "score", "metric": "nfd_exact_match", "pin": "article@1", "options": object{}, "items": test.items}
	}
	got := run(t, number(t, requests), pytest.Interpreter(t), "independent.py")
	for i, test := range tests {
		r := got.replies[i]
		if r.kind() != test.want && r.Scores["exact_match"] != test.want {
			t.Errorf("%s: reply %s, want %v", test.name, show(r), test.want)
		}
	}
}

func TestIndependentSaysNoToWhatItDoesNotKnow(t *testing.T) {
	items := []object{{"id": "0", "prediction": "x", "references": []string{"x"}}}
	requests := []object{
		{"op": "score", "metric": "bleu", "pin": "hf-evaluate@a7dd338", "options": object{}, "items": items},
		{"op": "score", "metric": "squad", "pin": "hf-evaluate@10ee266", "options": object{}, "items": items},
		{"op": "score", "metric": "squad", "pin": "hf-evaluate@a7dd338", "options": object{"strip": true}, "items": items},
		{"op": "normalize", "metric": "exact_match", "pin": "hf-evaluate@a7dd338", "options": object{}, "text": "x"},
		{"op": "explain"},
	}
	got := run(t, number(t, requests), pytest.Interpreter(t), "independent.py")
	for i := range requests {
		if r := got.replies[i]; r.kind() != "unsupported" {
			t.Errorf("request %d: reply %s, want unsupported", i, show(r))
		}
	}
}

func show(r reply) string {
	switch {
	case r.Error != nil:
		return fmt.Sprintf("error %+v", *r.Error)
	case r.Text != nil:
		return fmt.Sprintf("text %+q", *r.Text)
	case r.Unsupported != nil:
		return fmt.Sprintf("unsupported %q", *r.Unsupported)
	case r.Scores != nil:
		return fmt.Sprintf("scores %v", r.Scores)
	}
	return "missing"
}
