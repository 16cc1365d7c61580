package cases_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/cases"
)

func corpusOf(t *testing.T, files map[string]string) cases.Corpus {
	t.Helper()
	tree := fstest.MapFS{}
	for name, content := range files {
		tree[name] = &fstest.MapFile{Data: []byte(content)}
	}
	corpus, err := cases.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

func named(id string) string { return strings.ReplaceAll(good, `"good"`, `"`+id+`"`) }

func TestSelect(t *testing.T) {
	corpus := corpusOf(t, map[string]string{
		"case.toml":       head + named("one") + named("two"),
		"case-width.toml": head + named("one"),
		"dates.toml":      head + named("one-day") + named("two"),
	})
	tests := []struct {
		shows    string
		patterns []string
		want     []string
	}{
		{"no pattern selects everything", nil, []string{"case-width/one", "case/one", "case/two", "dates/one-day", "dates/two"}},
		{"a full id", []string{"dates/two"}, []string{"dates/two"}},
		{"a bare hazard means all its cases, and no other hazard's", []string{"case"}, []string{"case/one", "case/two"}},
		{"a star within the id", []string{"dates/*day"}, []string{"dates/one-day"}},
		{"a star crosses the slash", []string{"*two"}, []string{"case/two", "dates/two"}},
		{"a star at the end", []string{"case*"}, []string{"case-width/one", "case/one", "case/two"}},
		{"a question mark is one character, also the slash", []string{"case?one"}, []string{"case/one"}},
		{"a class", []string{"[cd]a*/two"}, []string{"case/two", "dates/two"}},
		{"several patterns, in the order of the corpus", []string{"dates/two", "case/one", "case/*e"}, []string{"case/one", "dates/two"}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			selected, err := corpus.Select(test.patterns)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for one := range selected.Cases {
				got = append(got, one.ID)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if selected.Count() != len(test.want) {
				t.Errorf("count %d", selected.Count())
			}
		})
	}
}

func TestSelectRefuses(t *testing.T) {
	corpus := corpusOf(t, map[string]string{"dates.toml": head + named("one")})
	tests := []struct {
		shows    string
		patterns []string
		pattern  string
		want     string
	}{
		{"a malformed pattern", []string{"dates/[one"}, "dates/[one", "is malformed"},
		{"a malformed pattern whose beginning matches nothing", []string{"x[", "dates/one"}, "x[", "is malformed"},
		{"a pattern that matches nothing", []string{"dates/two"}, "dates/two", "matches no case"},
		{"one that does, one that does not", []string{"dates", "date"}, "date", "matches no case"},
		{"an empty pattern", []string{""}, "", "matches no case"},
		{"another case", []string{"Dates"}, "Dates", "matches no case"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			selected, err := corpus.Select(test.patterns)
			var wrong *cases.PatternError
			if !errors.As(err, &wrong) || wrong.Pattern != test.pattern || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one of pattern %q that %s", err, test.pattern, test.want)
			}
			if selected.Count() != 0 {
				t.Error("something is selected all the same")
			}
		})
	}
}
