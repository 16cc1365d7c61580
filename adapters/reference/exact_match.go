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
	// Guard says that a pair which the options erase to nothing on both sides
	// matches only if the originals were equal (10ee266).
	Guard bool
}

// ArrayStep is one named change to an array. It returns its argument where
// the options do not ask for it.
type ArrayStep struct {
	Name  string
	Apply func(a array, options metric.Options) (array, error)
}

func exactMatch() *Pipeline {
	return &Pipeline{
		Scale:  1,
		Match:  equal,
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

func scoreExactMatch(p *Pipeline, options metric.Options, items []metric.Item) (metric.Scores, error) {
	predictions, references := make([]string, len(items)), make([]string, len(items))
	for i, item := range items {
		predictions[i], references[i] = *item.Prediction, item.References[0]
	}
	score := func(share float64) (metric.Scores, error) {
		return metric.Scores{"exact_match": share * p.Scale}, nil
	}
	if p.Arrays.comparesLists(options) {
		for i := range items {
			if !p.Match(predictions[i], references[i]) {
				return score(0)
			}
		}
		return score(1)
	}
	left, err := p.Arrays.run(predictions, options)
	if err != nil {
		return nil, err
	}
	right, err := p.Arrays.run(references, options)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return score(math.NaN())
	}
	originalLeft, originalRight := newArray(predictions), newArray(references)
	count := 0
	for i := range items {
		if !p.Match(left.at(i), right.at(i)) {
			continue
		}
		if p.Arrays.Guard && left.at(i) == "" && originalLeft.at(i) != originalRight.at(i) {
			continue
		}
		count++
	}
	return score(float64(count) / float64(len(items)))
}

// comparesLists reports whether no array is ever made, so that upstream's ==
// compares two Python lists as a whole: an empty list of patterns and no other
// option, where arrays do not come first.
func (a ArrayPipeline) comparesLists(options metric.Options) bool {
	patterns, given := options.Patterns("regexes_to_ignore")
	others := options.Bool("ignore_case") || options.Bool("ignore_punctuation") || options.Bool("ignore_numbers")
	return !a.ArraysFirst && given && len(patterns) == 0 && !others
}

func (a ArrayPipeline) run(texts []string, options metric.Options) (array, error) {
	current := rawArray(texts)
	if a.ArraysFirst {
		current = newArray(texts)
	}
	for _, step := range a.Steps {
		var err error
		if current, err = step.Apply(current, options); err != nil {
			return array{}, err
		}
	}
	return newArray(current.texts), nil
}
