package adapters

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/normcert/normcert/metric"
)

// NormalizeAnswer is the name under which Support.Answers lists normalize.
const NormalizeAnswer = string(Normalize)

// Validate checks that what the adapter claims can be claimed: metrics,
// score keys, conditions and scale that exist. The error names the field and
// lists what it takes.
func (h Hello) Validate() error {
	if h.Name == "" {
		return fmt.Errorf("hello has no name; give the adapter one")
	}
	if len(h.Metrics) == 0 {
		return fmt.Errorf("hello names no metric; known metrics: %s", strings.Join(metric.Names(), ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(h.Metrics)) {
		m, err := metric.Lookup(name)
		if err != nil {
			return fmt.Errorf("hello, metrics: %w", err)
		}
		if err := h.Metrics[name].validate(m); err != nil {
			return fmt.Errorf("hello, metrics.%s: %w", name, err)
		}
	}
	return nil
}

func (s Support) validate(m metric.Metric) error {
	var answers []string
	if m.Normalizes {
		answers = append(answers, NormalizeAnswer)
	}
	answers = append(answers, m.KeyNames()...)
	if len(s.Answers) == 0 {
		return fmt.Errorf("answers is empty; it takes %s", strings.Join(answers, ", "))
	}
	if err := among("answers", s.Answers, answers); err != nil {
		return err
	}
	if err := among("handles", s.Handles, append(StructuralConditions(), Structural(m)...)); err != nil {
		return err
	}
	if s.Scale != 0 && s.Scale != 1 && s.Scale != 100 {
		return fmt.Errorf("scale is %v; it takes 1 or 100, the adapter's own top score", s.Scale)
	}
	return nil
}

func among(field string, values, allowed []string) error {
	seen := map[string]bool{}
	for _, value := range values {
		if !slices.Contains(allowed, value) {
			slices.Sort(allowed)
			return fmt.Errorf("%s holds %q; it takes %s", field, value, strings.Join(slices.Compact(allowed), ", "))
		}
		if seen[value] {
			return fmt.Errorf("%s holds %q twice", field, value)
		}
		seen[value] = true
	}
	return nil
}

// Check holds an answer against what was asked and what the adapter said it
// answers. It returns nil or the rule that was broken.
func (a Answer) Check(request Request, support Support) *Fault {
	if request.Op == Normalize {
		return nil
	}
	broken := func(format string, args ...any) *Fault {
		return &Fault{Kind: Protocol, What: fmt.Sprintf(format, args...)}
	}
	m, err := metric.Lookup(request.Metric)
	if err != nil {
		return broken("%v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Scores)) {
		if name == NormalizeAnswer || !slices.Contains(support.Answers, name) {
			return broken("scores hold %q, which the hello's answers for %s do not name", name, request.Metric)
		}
		if math.IsInf(a.Scores[name], 0) {
			return broken("score %q is infinite", name)
		}
	}
	for _, name := range support.Answers {
		key, scored := m.Key(name)
		if _, there := a.Scores[name]; scored && !key.Sometimes && !there {
			return broken("scores lack %q, which the hello's answers for %s name", name, request.Metric)
		}
	}
	return nil
}
