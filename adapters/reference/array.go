package reference

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// ArrayStep is one named change of exact_match to its arrays. Operations
// returns what it does to each element under the options; nothing where they
// do not ask for it.
type ArrayStep struct {
	Name       string
	Operations func(options metric.Options) []operation
	// option is the boolean option that asks for the step, where one does.
	option string
}

// operation changes the elements of an array. Of numpy's fixed-width arrays of
// strings (dtype <U) three things show in a score: an array is as wide as the
// longest text it is made of, trailing NULs included, and at least 1; an
// operation that keeps the array cuts what it makes longer to that width; and
// trailing NULs are not read back.
type operation struct {
	name   string
	change func(text string) (string, error)
	// fresh says that a new array is made of what comes out (np.array); else
	// the array keeps its width (np.char).
	fresh bool
}

var (
	ignoreRegexes     = patternStep(remover)
	ignoreCase        = charStep("lower", "ignore_case", pystr.Lower)
	ignorePunctuation = charStep("remove-punctuation", "ignore_punctuation", removePunctuation.Apply)
	// ignoreNumbers drops string.digits, the ten ASCII digits.
	ignoreNumbers = charStep("remove-digits", "ignore_numbers", func(text string) string {
		return drop(text, func(r rune) bool { return '0' <= r && r <= '9' })
	})
)

// charStep is a function of np.char under a boolean option.
func charStep(name, option string, change func(string) string) ArrayStep {
	return ArrayStep{Name: name, option: option, Operations: func(options metric.Options) []operation {
		if !options.Bool(option) {
			return nil
		}
		return []operation{{name: name, change: func(text string) (string, error) { return change(text), nil }}}
	}}
}

// patternStep removes each pattern in turn; every one makes new arrays.
func patternStep(remover func(pattern string) func(text string) (string, error)) ArrayStep {
	return ArrayStep{Name: "remove-patterns", Operations: func(options metric.Options) []operation {
		patterns, _ := options.Patterns("regexes_to_ignore")
		operations := make([]operation, len(patterns))
		for i, pattern := range patterns {
			operations[i] = operation{name: fmt.Sprintf("remove-patterns %+q", pattern), change: remover(pattern), fresh: true}
		}
		return operations
	}}
}

// array is one side of a batch: its operations, and the widths of the arrays
// that they make. A width is that of the longest element, so the batch has to
// be read once for each width that matters (see measure).
type array struct {
	operations []operation
	// widths are by the index of the operation that made the array; 0 is one
	// that is not measured yet.
	widths []int
	// uncut and keepNULs are ArrayPipeline's.
	uncut, keepNULs bool
}

func asArray(text string) (string, error) { return text, nil }

// array returns the operations on one side, with np.asarray where upstream has
// or needs one: first (10ee266), else before the first function of np.char,
// else before the comparison.
func (a ArrayPipeline) array(options metric.Options) *array {
	side := &array{uncut: a.Uncut, keepNULs: a.KeepNULs}
	if a.ArraysFirst {
		side.operations = append(side.operations, operation{name: "as-array", change: asArray, fresh: true})
	}
	for _, step := range a.Steps {
		for _, operation := range step.Operations(options) {
			side.add(operation)
		}
	}
	if len(side.operations) == 0 {
		side.add(operation{name: "as-array", change: asArray, fresh: true})
	}
	side.widths = make([]int, len(side.operations))
	return side
}

func (a *array) add(next operation) {
	if len(a.operations) == 0 && !next.fresh {
		a.operations = append(a.operations, operation{name: "as-array", change: asArray, fresh: true})
	}
	a.operations = append(a.operations, next)
}

// keeps reports whether a function of np.char is among the operations; of an
// empty batch numpy has an array of doubles, and they raise TypeError.
func (a *array) keeps() bool {
	for _, operation := range a.operations {
		if !operation.fresh {
			return true
		}
	}
	return false
}

// unmeasured returns the index of the next array whose width matters, which is
// one that a function of np.char keeps, and is not known; or -1.
func (a *array) unmeasured() int {
	for i, operation := range a.operations {
		if operation.fresh && a.widths[i] == 0 && i+1 < len(a.operations) && !a.operations[i+1].fresh {
			return i
		}
	}
	return -1
}

// measure reads the batch until every width that matters is known on both sides.
func measure(batch Batch, predictions, references *array) error {
	for {
		left, right := predictions.unmeasured(), references.unmeasured()
		if left < 0 && right < 0 {
			return nil
		}
		// At least 1, so that a measured width is never 0.
		widthLeft, widthRight := 1, 1
		for item, err := range batch {
			if err != nil {
				return err
			}
			if widthLeft, err = predictions.widen(widthLeft, left, *item.Prediction); err != nil {
				return err
			}
			if widthRight, err = references.widen(widthRight, right, item.References[0]); err != nil {
				return err
			}
		}
		predictions.set(left, widthLeft)
		references.set(right, widthRight)
	}
}

func (a *array) set(index, width int) {
	if index >= 0 {
		a.widths[index] = width
	}
}

// widen returns the width that an array needs to hold text too.
func (a *array) widen(width, index int, text string) (int, error) {
	if index < 0 {
		return width, nil
	}
	text, err := a.upTo(index, text)
	if err != nil {
		return 0, err
	}
	made, err := a.operations[index].change(text)
	return max(width, utf8.RuneCountInString(made)), err
}

// element returns what is compared in the end.
func (a *array) element(text string) (string, error) {
	return a.upTo(len(a.operations), text)
}

// upTo returns what the operations before an index make of text.
func (a *array) upTo(end int, text string) (string, error) {
	width := 0
	for i, operation := range a.operations[:end] {
		changed, err := operation.change(text)
		if err != nil {
			return "", err
		}
		if operation.fresh {
			width = a.widths[i]
		} else if !a.uncut {
			changed = cut(changed, width)
		}
		text = a.readBack(changed)
	}
	return text, nil
}

// readBack is an element as it is read from an array.
func (a *array) readBack(text string) string {
	if a.keepNULs {
		return text
	}
	return strings.TrimRight(text, "\x00")
}

// cut returns the first width code points of text.
func cut(text string, width int) string {
	if len(text) <= width {
		return text
	}
	for at := range text {
		if width == 0 {
			return text[:at]
		}
		width--
	}
	return text
}
