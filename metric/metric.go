// Package metric is the vocabulary that every other package shares: what a
// metric is, which options and score keys it has, what an item is and what
// scores are. It is a leaf: it knows nothing of cases, goldens or adapters.
package metric

import (
	"fmt"
	"slices"
	"strings"
)

// Metric describes a named scoring procedure as data.
type Metric struct {
	// Name is the field's name for it: squad, squad_v2, exact_match, nfd_exact_match.
	Name string
	// Options are the keyword arguments it takes beside the items, sorted by name.
	Options []Option
	// Keys are the scores it returns, in upstream's order.
	Keys []Key
	// Normalizes says whether it has a function from text to text that can be
	// asked for on its own (upstream's normalize_answer). exact_match has none:
	// its steps work on whole arrays.
	Normalizes bool
	// OneReference says that an item carries exactly one reference (exact_match).
	OneReference bool
	// Questions says that items are questions, keyed by id, which may come
	// without a prediction and without a reference (squad, squad_v2).
	Questions bool
}

// KeyKind says what a score key measures.
type KeyKind int

const (
	// ExactMatch is the share of items that match exactly, on the pin's scale.
	ExactMatch KeyKind = iota
	// F1 is a mean of token F1, on the pin's scale.
	F1
	// Total is a number of items; it has no scale.
	Total
	// Threshold is a no-answer probability; it has no scale.
	Threshold
)

// Key is one score that a metric returns.
type Key struct {
	Name string
	Kind KeyKind
	// Sometimes says that upstream returns the key only where there are items
	// it speaks of (squad_v2's HasAns_ and NoAns_ keys).
	Sometimes bool
}

// Scaled reports whether the key is on the pin's scale (0–1 or 0–100) and is
// converted when an adapter has another one. Totals and thresholds are not.
func (k Key) Scaled() bool { return k.Kind == ExactMatch || k.Kind == F1 }

// OptionKind is the type of an option's value.
type OptionKind int

const (
	// Bool is true or false; its default is false.
	Bool OptionKind = iota
	// Number is a finite double.
	Number
	// Patterns is a list of regular expressions, or one string, which upstream
	// iterates character by character. Absent is Python's None, and not the
	// same as the empty list.
	Patterns
)

// Option is one keyword argument of a metric.
type Option struct {
	Name string
	Kind OptionKind
	// Default is the value that leaving the option out stands for; nil for Patterns.
	Default any
}

// Sources of the tables below: metrics/squad/squad.py, metrics/squad_v2/squad_v2.py and
// metrics/exact_match/exact_match.py of huggingface/evaluate; nfd_exact_match is the
// pipeline of the answer normalization article.
var all = []Metric{
	{
		Name:         "exact_match",
		Options:      []Option{{"ignore_case", Bool, false}, {"ignore_numbers", Bool, false}, {"ignore_punctuation", Bool, false}, {"regexes_to_ignore", Patterns, nil}},
		Keys:         []Key{{Name: "exact_match", Kind: ExactMatch}},
		OneReference: true,
	},
	{
		Name:       "nfd_exact_match",
		Keys:       []Key{{Name: "exact_match", Kind: ExactMatch}},
		Normalizes: true,
	},
	{
		Name:       "squad",
		Keys:       []Key{{Name: "exact_match", Kind: ExactMatch}, {Name: "f1", Kind: F1}},
		Normalizes: true,
		Questions:  true,
	},
	{
		Name:    "squad_v2",
		Options: []Option{{"no_answer_threshold", Number, 1.0}},
		Keys: []Key{
			{Name: "exact", Kind: ExactMatch}, {Name: "f1", Kind: F1}, {Name: "total", Kind: Total},
			{Name: "HasAns_exact", Kind: ExactMatch, Sometimes: true}, {Name: "HasAns_f1", Kind: F1, Sometimes: true}, {Name: "HasAns_total", Kind: Total, Sometimes: true},
			{Name: "NoAns_exact", Kind: ExactMatch, Sometimes: true}, {Name: "NoAns_f1", Kind: F1, Sometimes: true}, {Name: "NoAns_total", Kind: Total, Sometimes: true},
			{Name: "best_exact", Kind: ExactMatch}, {Name: "best_exact_thresh", Kind: Threshold},
			{Name: "best_f1", Kind: F1}, {Name: "best_f1_thresh", Kind: Threshold},
		},
		Normalizes: true,
		Questions:  true,
	},
}

// All returns every metric, sorted by name.
func All() []Metric { return slices.Clone(all) }

// Names returns the names of all metrics, sorted.
func Names() []string {
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return names
}

// Lookup returns the metric of that name. The error lists the known names.
func Lookup(name string) (Metric, error) {
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
	}
	return Metric{}, fmt.Errorf("unknown metric %q; known metrics: %s", name, strings.Join(Names(), ", "))
}

// Key returns the score key of that name.
func (m Metric) Key(name string) (Key, bool) {
	for _, k := range m.Keys {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// Option returns the option of that name.
func (m Metric) Option(name string) (Option, bool) {
	for _, o := range m.Options {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// DecisionKey is the name of the score that accepts or rejects a single item:
// the first exact-match key (exact_match, or squad_v2's exact).
func (m Metric) DecisionKey() string {
	for _, k := range m.Keys {
		if k.Kind == ExactMatch {
			return k.Name
		}
	}
	return ""
}

// KeyNames returns the names of the score keys in upstream's order.
func (m Metric) KeyNames() []string {
	names := make([]string, len(m.Keys))
	for i, k := range m.Keys {
		names[i] = k.Name
	}
	return names
}
