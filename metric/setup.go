package metric

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Options are a metric's options by name: a bool, a float64, a []string or a
// string, as the option's kind says. Options that have their default are left
// out (see NewSetup).
type Options map[string]any

// Bool returns a boolean option; false where it is left out.
func (o Options) Bool(name string) bool {
	value, _ := o[name].(bool)
	return value
}

// Number returns a number option, or its default where it is left out.
func (o Options) Number(name string, absent float64) float64 {
	if value, ok := o[name].(float64); ok {
		return value
	}
	return absent
}

// Patterns returns the patterns of an option in the order upstream applies
// them, and whether the option was given at all. A single string is iterated
// by character, as Python does.
func (o Options) Patterns(name string) (patterns []string, given bool) {
	switch value := o[name].(type) {
	case []string:
		return value, true
	case string:
		for _, r := range value {
			patterns = append(patterns, string(r))
		}
		return patterns, true
	}
	return nil, false
}

// Setup is a metric with its options: one unit of a score.
type Setup struct {
	Metric  string
	Options Options
}

// NewSetup checks options against the metric and brings them to their
// canonical form: integers become doubles, and an option that has its default,
// or is nil, is left out. The error names the option and what it takes.
func NewSetup(name string, options map[string]any) (Setup, error) {
	m, err := Lookup(name)
	if err != nil {
		return Setup{}, err
	}
	s := Setup{Metric: name}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		option, ok := m.Option(key)
		if !ok {
			return Setup{}, fmt.Errorf("metric %s has no option %q; %s", name, key, optionsOf(m))
		}
		value, err := option.canonical(options[key])
		if err != nil {
			return Setup{}, fmt.Errorf("option %s of %s: %w", key, name, err)
		}
		if value == nil {
			continue
		}
		if s.Options == nil {
			s.Options = Options{}
		}
		s.Options[key] = value
	}
	return s, nil
}

func optionsOf(m Metric) string {
	if len(m.Options) == 0 {
		return "it takes none"
	}
	names := make([]string, len(m.Options))
	for i, o := range m.Options {
		names[i] = o.Name
	}
	return "it takes " + strings.Join(names, ", ")
}

// canonical returns the value in its canonical Go type, or nil where it equals
// the default.
func (o Option) canonical(value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	switch o.Kind {
	case Bool:
		if b, ok := value.(bool); ok {
			return unless(b, o.Default), nil
		}
		return nil, fmt.Errorf("takes true or false, not %s", kindOf(value))
	case Number:
		f, ok := number(value)
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("takes a finite number, not %s", kindOf(value))
		}
		return unless(f, o.Default), nil
	}
	switch value := value.(type) {
	case string:
		return value, nil
	case []string:
		return slices.Clone(value), nil
	case []any:
		patterns := make([]string, 0, len(value))
		for i, element := range value {
			pattern, ok := element.(string)
			if !ok {
				return nil, fmt.Errorf("takes a list of strings, but element %d is %s", i, kindOf(element))
			}
			patterns = append(patterns, pattern)
		}
		return patterns, nil
	}
	return nil, fmt.Errorf("takes a list of strings, not %s", kindOf(value))
}

func unless(value, absent any) any {
	if value == absent {
		return nil
	}
	return value
}

func number(value any) (float64, bool) {
	switch value := value.(type) {
	case float64:
		return value, true
	case int64:
		// Above 2^53 a double would be another number than the one written.
		return float64(value), value >= -1<<53 && value <= 1<<53
	case int:
		return float64(value), true
	case json.Number:
		f, err := value.Float64()
		return f, err == nil
	}
	return 0, false
}

func kindOf(value any) string {
	switch value := value.(type) {
	case bool:
		return fmt.Sprintf("the boolean %t", value)
	case string:
		return fmt.Sprintf("the string %q", value)
	case float64, int64, int, json.Number:
		return fmt.Sprintf("the number %v", value)
	case []any, []string:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("%T", value)
}

// String writes the setup as it stands in goldens, flags and reports:
// exact_match{ignore_case=true,regexes_to_ignore=["."]}. Options are sorted,
// those that have their default are left out, and values are ASCII JSON.
func (s Setup) String() string {
	if len(s.Options) == 0 {
		return s.Metric
	}
	parts := make([]string, 0, len(s.Options))
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		parts = append(parts, name+"="+string(ASCIIJSON(s.Options[name])))
	}
	return s.Metric + "{" + strings.Join(parts, ",") + "}"
}

// ParseSetup reads what String writes. Values are JSON; an option that is
// written with its default is taken and left out.
func ParseSetup(text string) (Setup, error) {
	name, rest, braced := strings.Cut(text, "{")
	if !braced {
		return NewSetup(text, nil)
	}
	body, closed := strings.CutSuffix(rest, "}")
	if !closed {
		return Setup{}, fmt.Errorf("setup %q does not end in }; write it like squad_v2{no_answer_threshold=0.5}", text)
	}
	options := map[string]any{}
	for body != "" {
		key, value, found := strings.Cut(body, "=")
		if !found {
			return Setup{}, fmt.Errorf("setup %q: %q is not name=value", text, body)
		}
		if _, twice := options[key]; twice {
			return Setup{}, fmt.Errorf("setup %q names %s twice", text, key)
		}
		decoder := json.NewDecoder(strings.NewReader(value))
		decoder.UseNumber()
		var decoded any
		if err := decoder.Decode(&decoded); err != nil {
			return Setup{}, fmt.Errorf("setup %q: the value of %s is not JSON: %w", text, key, err)
		}
		options[key] = decoded
		body = value[decoder.InputOffset():]
		if after, comma := strings.CutPrefix(body, ","); comma && after != "" {
			body = after
		} else if body != "" {
			return Setup{}, fmt.Errorf("setup %q: unexpected %q after the value of %s", text, body, key)
		}
	}
	s, err := NewSetup(name, options)
	if err != nil {
		return Setup{}, fmt.Errorf("setup %q: %w", text, err)
	}
	return s, nil
}
