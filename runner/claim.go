// Package runner plans checks, puts them to an adapter and judges what comes
// back: is it the same as the pin, and is it right?
package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Claim is what an adapter is certified for: a metric at a pin, what it
// answers, and which conditions it handles.
type Claim struct {
	Metric metric.Metric
	Pin    golden.Pin
	// Scale is the pin's top score, 1 or 100; the adapter's answers are
	// converted from its own.
	Scale float64
	// Support is what the adapter's hello says of the metric.
	Support adapters.Support
	goldens *golden.Goldens
}

// Name is the claim as it is written in flags: squad@hf-evaluate@86baf12.
func (c *Claim) Name() string { return c.Metric.Name + "@" + c.Pin.Name() }

// Keys are the score keys it answers, in upstream's order.
func (c *Claim) Keys() []metric.Key {
	var keys []metric.Key
	for _, key := range c.Metric.Keys {
		if slices.Contains(c.Support.Answers, key.Name) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Normalizes reports whether it answers normalize.
func (c *Claim) Normalizes() bool {
	return slices.Contains(c.Support.Answers, adapters.NormalizeAnswer)
}

// Answers are the things it answers, normalize first and then the keys in
// upstream's order.
func (c *Claim) Answers() []string {
	var answers []string
	if c.Normalizes() {
		answers = append(answers, adapters.NormalizeAnswer)
	}
	for _, key := range c.Keys() {
		answers = append(answers, key.Name)
	}
	return answers
}

// NotClaimed are the score keys, normalize and the structural conditions of
// the metric that the adapter does not claim. None means that it claims everything.
func (c *Claim) NotClaimed() []string {
	var list []string
	if c.Metric.Normalizes && !c.Normalizes() {
		list = append(list, adapters.NormalizeAnswer)
	}
	for _, key := range c.Metric.Keys {
		if !slices.Contains(c.Support.Answers, key.Name) {
			list = append(list, key.Name)
		}
	}
	for _, condition := range adapters.Structural(c.Metric) {
		if !slices.Contains(c.Support.Handles, condition) {
			list = append(list, condition)
		}
	}
	return list
}

// UsageError is a mistake in what the caller asked for.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// claims resolves the claims that are asked for, METRIC@UPSTREAM@COMMIT, or,
// where none is, those of the hello: each metric at the pins it names, else at
// the metric's default pin.
func claims(asked []string, hello adapters.Hello, set *golden.Set) ([]*Claim, error) {
	var list []*Claim
	seen := map[string]bool{}
	add := func(name, pin string) error {
		claim, err := resolve(name, pin, hello, set)
		if err != nil {
			return err
		}
		if !seen[claim.Name()] {
			seen[claim.Name()] = true
			list = append(list, claim)
		}
		return nil
	}
	for _, text := range asked {
		name, pin, err := splitClaim(text)
		if err == nil {
			err = add(name, pin)
		}
		if err != nil {
			return nil, usage("claim %s: %w", text, err)
		}
	}
	if len(asked) > 0 {
		return list, nil
	}
	for _, name := range slices.Sorted(maps.Keys(hello.Metrics)) {
		pins := slices.Clone(hello.Metrics[name].Pins)
		if len(pins) == 0 {
			fallback, err := set.Default(name)
			if err != nil {
				return nil, usage("%w; name one with --claim %s@UPSTREAM@COMMIT", err, name)
			}
			pins = []string{fallback.Pin.Name()}
		}
		slices.Sort(pins)
		for _, pin := range pins {
			if err := add(name, pin); err != nil {
				return nil, &StartError{fmt.Errorf("the adapter's hello, metrics.%s.pins: %w", name, err)}
			}
		}
	}
	return list, nil
}

func resolve(name, pin string, hello adapters.Hello, set *golden.Set) (*Claim, error) {
	m, goldens, coverage, err := covered(name, pin, set)
	if err != nil {
		return nil, err
	}
	support, offered := hello.Metrics[name]
	if !offered {
		return nil, fmt.Errorf("the adapter does not answer %s; its hello names %s", name, strings.Join(slices.Sorted(maps.Keys(hello.Metrics)), ", "))
	}
	support.Answers = slices.DeleteFunc(slices.Clone(support.Answers), func(thing string) bool { return !coverage.Holds(thing) })
	if len(support.Answers) == 0 {
		return nil, fmt.Errorf("the adapter answers nothing of %s that pin %s holds: %s", name, goldens.Pin.Name(), strings.Join(coverage.Answers, ", "))
	}
	return &Claim{Metric: m, Pin: goldens.Pin, Scale: coverage.Scale, Support: support, goldens: goldens}, nil
}

// splitClaim cuts METRIC@UPSTREAM@COMMIT into metric and pin.
func splitClaim(text string) (name, pin string, err error) {
	name, pin, ok := strings.Cut(text, "@")
	if !ok || !strings.Contains(pin, "@") {
		return "", "", errors.New("it is not METRIC@UPSTREAM@COMMIT, such as squad@hf-evaluate@a7dd338")
	}
	return name, pin, nil
}

// covered returns a metric, and the goldens of a pin that covers it.
func covered(name, pin string, set *golden.Set) (metric.Metric, *golden.Goldens, golden.Coverage, error) {
	m, err := metric.Lookup(name)
	if err != nil {
		return m, nil, golden.Coverage{}, err
	}
	goldens, err := set.Find(pin)
	if err != nil {
		return m, nil, golden.Coverage{}, err
	}
	coverage, ok := goldens.Pin.Covers(name)
	if !ok {
		return m, nil, coverage, fmt.Errorf("pin %s does not cover %s; it covers %s", goldens.Pin.Name(), name, covers(goldens.Pin))
	}
	return m, goldens, coverage, nil
}

func covers(pin golden.Pin) string {
	names := make([]string, len(pin.Metrics))
	for i, c := range pin.Metrics {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}
