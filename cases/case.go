// Package cases is the corpus: labelled cases, one TOML file a hazard. It
// loads and validates them, and embeds the released ones.
package cases

import (
	"path"
	"strings"

	"github.com/normcert/normcert/metric"
)

// Intent is what a person would say of a prediction and its references.
type Intent string

// The intents.
const (
	Match     Intent = "match"
	NoMatch   Intent = "no-match"
	Ambiguous Intent = "ambiguous"
)

// Item is one prediction of a case with its references and the intent.
type Item struct {
	metric.Item
	Intent Intent
}

// Case is one labelled input of the corpus.
type Case struct {
	// ID is the full id, hazard/name: empty-collapse/bare-article.
	ID string
	// Setups are the metrics, with options, that the case is put to.
	Setups []metric.Setup
	// Items are scored as one batch; there may be none.
	Items []Item
	// Single says that the case was written with prediction and references
	// rather than items; it then has exactly one.
	Single bool
	// Why says why a person judges so.
	Why string
	// Purpose says what a case is for that catches no variation; empty
	// otherwise.
	Purpose string
	// Source is where it was seen; empty for a case written for this corpus.
	Source string
	// Place is the file and line at which it begins.
	Place Place
}

// Hazard is the trap that the case shows: the part of its id before the slash.
func (c Case) Hazard() string {
	hazard, _, _ := strings.Cut(c.ID, "/")
	return hazard
}

// Batch returns the case's items as metrics take them.
func (c Case) Batch() []metric.Item {
	items := make([]metric.Item, len(c.Items))
	for i, item := range c.Items {
		items[i] = item.Item
	}
	return items
}

// Hazard is a file of the corpus: a trap and the cases that show it.
type Hazard struct {
	Name  string
	About string
	Cases []Case
}

// Corpus is a set of hazards, sorted by name; the cases of a hazard stand in
// the order of their file.
type Corpus struct{ Hazards []Hazard }

// Cases yields every case in order.
func (c Corpus) Cases(yield func(Case) bool) {
	for _, hazard := range c.Hazards {
		for _, one := range hazard.Cases {
			if !yield(one) {
				return
			}
		}
	}
}

// Case returns the case of that full id.
func (c Corpus) Case(id string) (Case, bool) {
	for one := range c.Cases {
		if one.ID == id {
			return one, true
		}
	}
	return Case{}, false
}

// Count returns the number of cases.
func (c Corpus) Count() int {
	count := 0
	for _, hazard := range c.Hazards {
		count += len(hazard.Cases)
	}
	return count
}

// Select returns the cases that any of the patterns names: a shell pattern on
// the full id, in which * also matches a slash, or a bare hazard, which means
// all its cases. No pattern selects everything. The error names a pattern that
// is malformed or matches nothing.
func (c Corpus) Select(patterns []string) (Corpus, error) {
	if len(patterns) == 0 {
		return c, nil
	}
	matched := make([]bool, len(patterns))
	var selected Corpus
	for _, hazard := range c.Hazards {
		kept := Hazard{Name: hazard.Name, About: hazard.About}
		for _, one := range hazard.Cases {
			named := false
			for i, pattern := range patterns {
				ok, err := matches(pattern, one)
				if err != nil {
					return Corpus{}, &PatternError{pattern, "is malformed; it is a shell pattern such as empty-collapse/* or [a-c]*"}
				}
				matched[i] = matched[i] || ok
				named = named || ok
			}
			if named {
				kept.Cases = append(kept.Cases, one)
			}
		}
		if len(kept.Cases) > 0 {
			selected.Hazards = append(selected.Hazards, kept)
		}
	}
	for i, pattern := range patterns {
		if !matched[i] {
			return Corpus{}, &PatternError{pattern, "matches no case; normcert list shows their ids"}
		}
	}
	return selected, nil
}

// PatternError is a case pattern that selects nothing.
type PatternError struct{ Pattern, Problem string }

func (e *PatternError) Error() string { return "case pattern " + quote(e.Pattern) + " " + e.Problem }

// matches lets * cross the slash by putting in its place a character that
// path.Match treats as any other.
func matches(pattern string, one Case) (bool, error) {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
	ok, err := path.Match(flat(pattern), flat(one.ID))
	if err != nil || ok {
		return ok, err
	}
	return pattern == one.Hazard(), nil
}
