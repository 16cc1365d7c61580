package reference

import (
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

// array is numpy's fixed-width array of strings (dtype <U), of which three
// things show in a score: every element is as wide as the longest text at the
// time the array was made; what a step makes longer is cut to that width; and
// trailing NULs are not read back.
type array struct {
	texts []string
	// width in code points. 0 says that the texts are still a Python list.
	width int
}

// rawArray is the Python list that upstream is handed.
func rawArray(texts []string) array { return array{texts: texts} }

// newArray is np.array(texts): it measures the width, trailing NULs included,
// and then no longer shows them.
func newArray(texts []string) array {
	a := array{texts: make([]string, len(texts)), width: 1}
	for i, text := range texts {
		a.width = max(a.width, utf8.RuneCountInString(text))
		a.texts[i] = strings.TrimRight(text, "\x00")
	}
	return a
}

// at is what upstream compares: the element as an array of it would show it.
func (a array) at(i int) string { return a.texts[i] }

// chars is one of the functions of np.char: it applies change to every element
// of an array of the same width. On an empty batch numpy has an array of
// doubles and raises TypeError.
func (a array) chars(change func(string) string) (array, error) {
	if len(a.texts) == 0 {
		return array{}, &metric.Refusal{Kind: metric.EmptyInput, Message: "string operation on non-string array"}
	}
	if a.width == 0 {
		a = newArray(a.texts)
	}
	out := array{texts: make([]string, len(a.texts)), width: a.width}
	for i, text := range a.texts {
		out.texts[i] = strings.TrimRight(cut(change(text), a.width), "\x00")
	}
	return out, nil
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

var (
	ignoreRegexes = ArrayStep{"ignore-regexes", func(a array, options metric.Options) (array, error) {
		patterns, _ := options.Patterns("regexes_to_ignore")
		for _, pattern := range patterns {
			texts := make([]string, len(a.texts))
			for i, text := range a.texts {
				var err error
				if texts[i], err = removePattern(pattern, text); err != nil {
					return array{}, err
				}
			}
			a = newArray(texts)
		}
		return a, nil
	}}
	ignoreCase = ArrayStep{"ignore-case", func(a array, options metric.Options) (array, error) {
		if !options.Bool("ignore_case") {
			return a, nil
		}
		return a.chars(pystr.Lower)
	}}
	ignorePunctuation = ArrayStep{"ignore-punctuation", func(a array, options metric.Options) (array, error) {
		if !options.Bool("ignore_punctuation") {
			return a, nil
		}
		return a.chars(removePunctuation.Apply)
	}}
	// ignoreNumbers drops string.digits, the ten ASCII digits.
	ignoreNumbers = ArrayStep{"ignore-numbers", func(a array, options metric.Options) (array, error) {
		if !options.Bool("ignore_numbers") {
			return a, nil
		}
		return a.chars(func(text string) string { return drop(text, func(r rune) bool { return '0' <= r && r <= '9' }) })
	}}
)
