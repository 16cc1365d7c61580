package doctor

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// claim is what the adapter says that it answers for one metric, and the pin
// that it is asked about.
type claim struct {
	metric  metric.Metric
	support adapters.Support
	pin     string
	top     float64 // of its own scale, as far as it is named
	truth   *reference.Adapter
}

// claimsOf returns the claims of a hello, by the metrics' names, each at the
// first of its pins that there is, and the pins that there are not.
func claimsOf(hello adapters.Hello, set *golden.Set) (claims []*claim, unknown []string, err error) {
	truth := reference.New()
	for _, name := range slices.Sorted(maps.Keys(hello.Metrics)) {
		m, err := metric.Lookup(name)
		if err != nil {
			return nil, nil, err
		}
		fallback, err := set.Default(name)
		if err != nil {
			return nil, nil, err
		}
		support := hello.Metrics[name]
		var at *golden.Goldens
		for _, pin := range support.Pins {
			goldens, err := set.Find(pin)
			covers := false
			if err == nil {
				_, covers = goldens.Pin.Covers(name)
			}
			switch {
			case !covers:
				unknown = append(unknown, name+" at "+pin)
			case at == nil:
				at = goldens
			}
		}
		if at == nil {
			at = fallback
		}
		coverage, _ := at.Pin.Covers(name)
		c := &claim{metric: m, support: support, pin: at.Pin.Name(), top: coverage.Scale, truth: truth}
		if support.Scale != 0 {
			c.top = support.Scale
		}
		claims = append(claims, c)
	}
	return claims, unknown, nil
}

func (c *claim) answers(name string) bool { return slices.Contains(c.support.Answers, name) }
func (c *claim) handles(name string) bool { return slices.Contains(c.support.Handles, name) }
func (c *claim) normalizes() bool         { return c.answers(adapters.NormalizeAnswer) }

// scaled returns the keys that it answers for every batch and that go from 0 to
// the top of the scale, exact matches first.
func (c *claim) scaled() []metric.Key {
	var keys []metric.Key
	for _, key := range c.metric.Keys {
		if key.Scaled() && !key.Sometimes && c.answers(key.Name) {
			keys = append(keys, key)
		}
	}
	slices.SortStableFunc(keys, func(a, b metric.Key) int { return int(a.Kind) - int(b.Kind) })
	return keys
}

// judge is the key that shows whether an item matches; there is none where the
// adapter gives no such score.
func (c *claim) judge() (metric.Key, bool) {
	if keys := c.scaled(); len(keys) > 0 {
		return keys[0], true
	}
	return metric.Key{}, false
}

// scores reports whether it answers any score at all.
func (c *claim) scores() bool {
	return slices.ContainsFunc(c.support.Answers, func(name string) bool { return name != adapters.NormalizeAnswer })
}

func (c *claim) normalize(text string) adapters.Request {
	return adapters.Request{Op: adapters.Normalize, Metric: c.metric.Name, Pin: c.pin, Text: text}
}

func (c *claim) score(items ...metric.Item) adapters.Request {
	return adapters.Request{Op: adapters.Score, Metric: c.metric.Name, Pin: c.pin, Items: items}
}

// pair asks for one prediction and its references. exact_match gets the first.
func (c *claim) pair(prediction string, references ...string) adapters.Request {
	if c.metric.OneReference {
		references = references[:1]
	}
	return c.score(metric.Answered(prediction, references...))
}

// expected is what the reference answers, on the adapter's scale and of the
// keys that the adapter answers.
func (c *claim) expected(request adapters.Request) (adapters.Answer, error) {
	answer, err := c.truth.Answer(context.Background(), request)
	if err != nil {
		return answer, err
	}
	pinTop := 1.0
	if pipeline, err := reference.For(c.metric.Name, request.Pin); err == nil {
		pinTop = pipeline.Scale
	}
	scores := metric.Scores{}
	for name, value := range answer.Scores {
		key, _ := c.metric.Key(name)
		if !c.answers(name) {
			continue
		}
		if key.Scaled() {
			value = value / pinTop * c.top
		}
		scores[name] = value
	}
	answer.Scores = scores
	return answer, nil
}

// near reports whether two numbers are one but for rounding in the last digits.
func near(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-6*math.Max(math.Abs(a), math.Abs(b))
}

// sameScores reports whether a has every score of b, and they are near.
func sameScores(a, b metric.Scores) bool {
	for name, value := range b {
		if other, there := a[name]; !there || !near(other, value) {
			return false
		}
	}
	return true
}

// scoring returns the first claim that has a score of matching and suits, and
// normalizing the first that normalizes; nil is none.
func (e *exam) scoring(suits func(*claim) bool) *claim {
	for _, c := range e.claims {
		if _, judges := c.judge(); judges && (suits == nil || suits(c)) {
			return c
		}
	}
	return nil
}

func (e *exam) normalizing() *claim {
	for _, c := range e.claims {
		if c.normalizes() {
			return c
		}
	}
	return nil
}
