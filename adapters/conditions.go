package adapters

import (
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// The structural conditions: what a request can hold beyond one item with a
// prediction and a reference. An adapter names those it handles; a setup's
// option names are structural too.
const (
	// Batch is any number of items other than one.
	Batch = "batch"
	// Unanswered is an item without a prediction.
	Unanswered = "unanswered"
	// RepeatedID is two items with the same id.
	RepeatedID = "repeated-id"
	// NoReferences is an item with an empty list of references.
	NoReferences = "no-references"
)

// The conditions of the strings and of the number of references. Requests
// that have them are always sent; a claim can make an exception of them.
const (
	// SeveralReferences is an item with more than one reference.
	SeveralReferences = "several-references"
	// BlankPrediction is a prediction that is empty or only white space (str.isspace).
	BlankPrediction = "blank-prediction"
	// BlankReference is a reference that is empty or only white space.
	BlankReference = "blank-reference"
	// NUL is a string with U+0000.
	NUL = "nul"
	// NonASCII is a string with a character outside ASCII.
	NonASCII = "non-ascii"
	// Astral is a string with a character above U+FFFF.
	Astral = "astral"
)

// StructuralConditions are the structural conditions other than option names.
func StructuralConditions() []string {
	return []string{Batch, NoReferences, RepeatedID, Unanswered}
}

// StringConditions are the conditions that are always sent.
func StringConditions() []string {
	return []string{Astral, BlankPrediction, BlankReference, NonASCII, NUL, SeveralReferences}
}

// Structural returns the structural conditions that a metric's requests can
// have, its option names among them, sorted.
func Structural(m metric.Metric) []string {
	conditions := []string{Batch}
	if m.Questions {
		conditions = append(conditions, NoReferences, RepeatedID, Unanswered)
	}
	for _, option := range m.Options {
		conditions = append(conditions, option.Name)
	}
	slices.Sort(conditions)
	return conditions
}

// StructuralOf returns the structural conditions of scoring items under a
// setup, sorted.
func StructuralOf(setup metric.Setup, items []metric.Item) []string {
	found := map[string]bool{Batch: len(items) != 1}
	ids := map[string]bool{}
	// Only squad and squad_v2 key their items by id.
	m, err := metric.Lookup(setup.Metric)
	keyed := err == nil && m.Questions
	for _, item := range items {
		found[Unanswered] = found[Unanswered] || item.Prediction == nil
		found[NoReferences] = found[NoReferences] || len(item.References) == 0
		found[RepeatedID] = found[RepeatedID] || keyed && ids[item.ID]
		ids[item.ID] = true
	}
	for name := range setup.Options {
		found[name] = true
	}
	return names(found)
}

// StringsOf returns the conditions of the items' strings and of their number
// of references, sorted.
func StringsOf(items []metric.Item) []string {
	found := map[string]bool{}
	for _, item := range items {
		found[SeveralReferences] = found[SeveralReferences] || len(item.References) > 1
		found[BlankPrediction] = found[BlankPrediction] || item.Prediction != nil && pystr.IsBlank(*item.Prediction)
		for _, reference := range item.References {
			found[BlankReference] = found[BlankReference] || pystr.IsBlank(reference)
		}
		for text := range item.Texts {
			found[NUL] = found[NUL] || strings.ContainsRune(text, 0)
			found[NonASCII] = found[NonASCII] || strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f })
			found[Astral] = found[Astral] || strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
		}
	}
	return names(found)
}

func names(found map[string]bool) []string {
	var list []string
	for name, holds := range found {
		if holds {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
