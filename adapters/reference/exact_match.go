package reference

import (
	"math"

	"github.com/normcert/normcert/metric"
)

// ArrayPipeline is exact_match as data: metrics/exact_match/exact_match.py
// works on numpy arrays of all predictions and all references.
type ArrayPipeline struct {
	// Steps run on both arrays in order; each knows its option.
	Steps []ArrayStep
	// ArraysFirst says that the texts become arrays before the patterns run
	// (10ee266); else the first pattern sees the raw texts with their NULs,
	// and an empty list of patterns leaves two Python lists to be compared.
	ArraysFirst bool
	// ByElement says that two lists are compared element by element all the same.
	ByElement bool
	// Uncut says that no element is cut to the width of its array, KeepNULs that
	// trailing NULs are read back; numpy does neither.
	Uncut, KeepNULs bool
	// Guard says that a pair which the options erase to nothing on both sides
	// matches only if the originals were equal (10ee266).
	Guard bool
}

func exactMatch() *Pipeline {
	return &Pipeline{
		Scale:  1,
		Match:  equal,
		Means:  Means{First: true},
		score:  scoreExactMatch,
		Arrays: ArrayPipeline{Steps: []ArrayStep{ignoreRegexes, ignoreCase, ignorePunctuation, ignoreNumbers}},
	}
}

// exactMatchOf100 is 86baf12, which multiplies its mean by 100.
func exactMatchOf100() *Pipeline {
	p := exactMatch()
	p.Scale = 100
	return p
}

// exactMatchGuarded is 10ee266.
func exactMatchGuarded() *Pipeline {
	p := exactMatch()
	p.Arrays.ArraysFirst, p.Arrays.Guard = true, true
	return p
}

func scoreExactMatch(p *Pipeline, options metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	if p.Arrays.comparesLists(options) {
		return p.scoreLists(batch, each)
	}
	predictions, references := p.Arrays.array(options), p.Arrays.array(options)
	if err := measure(batch, predictions, references); err != nil {
		return nil, err
	}
	count, n := 0, 0
	for item, err := range batch {
		if err != nil {
			return nil, err
		}
		matched, err := p.matches(predictions, references, *item.Prediction, item.References[0])
		if err != nil {
			return nil, err
		}
		if matched {
			count++
		}
		if each != nil {
			each(Row{Index: n, ID: item.ID, Exact: p.Scale * one(matched)})
		}
		n++
	}
	switch {
	case n == 0 && (predictions.keeps() || p.Items.EmptyScoresZero):
		return p.noItems("string operation on non-string array")
	case n == 0:
		return metric.Scores{"exact_match": math.NaN()}, nil
	}
	return metric.Scores{"exact_match": p.share(float64(count), float64(n))}, nil
}

// matches compares one element of both arrays.
func (p *Pipeline) matches(predictions, references *array, prediction, reference string) (bool, error) {
	left, err := predictions.element(prediction)
	if err != nil {
		return false, err
	}
	right, err := references.element(reference)
	if err != nil || !p.Match(left, right) {
		return false, err
	}
	return !p.Arrays.Guard || left != "" || predictions.readBack(prediction) == references.readBack(reference), nil
}

// comparesLists reports whether no array is ever made, so that upstream's ==
// compares two Python lists as a whole: an empty list of patterns and no other
// option, where arrays do not come first.
func (a ArrayPipeline) comparesLists(options metric.Options) bool {
	patterns, given := options.Patterns("regexes_to_ignore")
	others := options.Bool("ignore_case") || options.Bool("ignore_punctuation") || options.Bool("ignore_numbers")
	return !a.ArraysFirst && !a.ByElement && given && len(patterns) == 0 && !others
}

// scoreLists is all or nothing: the mean of one comparison.
func (p *Pipeline) scoreLists(batch Batch, each func(Row)) (metric.Scores, error) {
	all, n := true, 0
	for item, err := range batch {
		if err != nil {
			return nil, err
		}
		matched := p.Match(*item.Prediction, item.References[0])
		if each != nil {
			each(Row{Index: n, ID: item.ID, Exact: p.Scale * one(matched)})
		}
		all = all && matched
		n++
	}
	if n == 0 && p.Items.EmptyScoresZero {
		return p.noItems("")
	}
	return metric.Scores{"exact_match": p.share(one(all), 1)}, nil
}
