package doctor

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

const noScores = "it answers no exact-match or F1 score"

// probePins looks whether the pins that the hello names are there.
func probePins(e *exam) {
	if len(e.noPins) == 0 {
		return
	}
	var known []string
	for _, c := range e.claims {
		known = append(known, c.metric.Name+" at "+strings.Join(reference.Pins(c.metric.Name), ", "))
	}
	e.find("pins", Finding{
		What: "the hello names pins that there are not: " + strings.Join(e.noPins, "; "),
		Rule: "pins are the upstreams that the adapter means to be equal to.",
		Do:   "There are: " + strings.Join(known, "; ") + ". Leave pins out for the default.",
	})
}

// probeScores asks each metric for a pair that matches and one that does not,
// and so for every key that it names.
func probeScores(e *exam) {
	var requests []adapters.Request
	for _, c := range e.claims {
		if c.scores() {
			requests = append(requests, c.pair("paris", "paris"), c.pair("rome", "paris"))
		}
	}
	if len(requests) == 0 {
		e.skip("it answers no score")
		return
	}
	e.ask(requests...)
}

// probeScale looks whether a full score is the top of the scale that is named,
// or else the pin's, at every pin that is named.
func probeScale(e *exam) {
	type question struct {
		claim *claim
		key   metric.Key
		top   float64
	}
	var requests []adapters.Request
	var asked []question
	for _, c := range e.claims {
		key, judges := c.judge()
		if !judges {
			continue
		}
		for _, pin := range c.pinsNamed() {
			pipeline, err := reference.For(c.metric.Name, pin)
			if err != nil {
				continue
			}
			request := c.pair("paris", "paris")
			request.Pin = pin
			requests = append(requests, request)
			top := pipeline.Scale
			if c.support.Scale != 0 {
				top = c.support.Scale
			}
			asked = append(asked, question{c, key, top})
		}
	}
	if len(requests) == 0 {
		e.skip(noScores)
		return
	}
	for i, r := range e.ask(requests...) {
		if !r.given() {
			continue
		}
		q := asked[i]
		other := 101 - q.top
		if got := r.value(q.key); got == other {
			e.find("scale "+q.claim.metric.Name, Finding{
				What: fmt.Sprintf("a full score is %v, and should be %v", got, q.top), Sent: r.sent, Got: r.line,
				Rule: "scale is the adapter's own top score, 1 or 100; left out it is the pin's. normcert converts.",
				Do:   fmt.Sprintf("Name it in the hello: \"%s\":{…,\"scale\":%v}", q.claim.metric.Name, got),
			})
		}
	}
}

// pinsNamed are the pins that it names, else the one it is asked about.
func (c *claim) pinsNamed() []string {
	if len(c.support.Pins) > 0 {
		return c.support.Pins
	}
	return []string{c.pin}
}

// probeRounding asks for a score with more digits than one writes.
func probeRounding(e *exam) {
	var request adapters.Request
	var key metric.Key
	c := e.scoring(func(c *claim) bool {
		for _, k := range c.scaled() {
			if k.Kind == metric.F1 {
				key, request = k, c.pair("paris rome", "paris") // F1 is 2/3
				return true
			}
		}
		if c.handles(adapters.Batch) {
			key, _ = c.judge()
			request = c.score(batch("paris", "paris", "rome", "paris", "oslo", "paris")...) // one in three
			return true
		}
		return false
	})
	if c == nil {
		e.skip("it answers neither F1 nor batches, and so no score with many digits")
		return
	}
	r := e.ask(request)[0]
	want, err := c.expected(request)
	if !r.given() || err != nil {
		return
	}
	got, exact := r.value(key), want.Scores[key.Name]
	if exact != 0 && (got == exact*100 || got == exact/100) {
		return // another scale was reported
	}
	for _, scale := range []float64{1, 100, 0.01} {
		if whole := exact * scale; !near(got, whole) && rounded(whole, got) {
			e.find("rounded", Finding{
				What: fmt.Sprintf("the score %s is %v: it looks rounded from %v", key.Name, got, whole), Sent: r.sent, Got: r.line,
				Rule: "Scores are doubles, with every digit. A difference above 1e-6 counts.",
				Do:   "Leave out round(…), toFixed(…) or \"%.2f\"; JSON writes as many digits as are needed.",
			})
			return
		}
	}
}

// rounded reports whether short is whole rounded to a few decimals.
func rounded(whole, short float64) bool {
	for decimals := range 6 {
		text := strconv.FormatFloat(whole, 'f', decimals, 64)
		if value, _ := strconv.ParseFloat(text, 64); value == short && short != 0 {
			return math.Abs(whole-short) < 0.5
		}
	}
	return false
}

// batch makes items of predictions and references, one after the other.
func batch(texts ...string) []metric.Item {
	var items []metric.Item
	for i := 0; i+1 < len(texts); i += 2 {
		item := metric.Answered(texts[i], texts[i+1])
		item.ID = metric.DefaultID(i / 2)
		items = append(items, item)
	}
	return items
}

// probeReferences looks whether the list of references is taken for a string:
// "r" in "paris", or one reference for each character.
func probeReferences(e *exam) {
	c := e.scoring(func(c *claim) bool { return !c.metric.OneReference })
	if c == nil {
		c = e.scoring(nil)
	}
	if c == nil {
		e.skip(noScores)
		return
	}
	key, _ := c.judge()
	replies := e.ask(c.pair("Paris", "Paris"), c.pair("r", "Oslo"), c.pair("r", "Paris"), c.pair("The ARI", "Oslo", "Paris"))
	for _, r := range replies {
		if !r.given() {
			return
		}
	}
	full, none := replies[0].value(key), replies[1].value(key)
	character, part := replies[2], replies[3]
	if full == none || character.value(key) != full {
		return
	}
	if !c.metric.OneReference && part.value(key) == full {
		return // whoever takes parts, normalized, of any reference, means to
	}
	e.find("references", Finding{
		What: "\"r\" is a match for [\"Paris\"]", Sent: character.sent, Got: character.line,
		Rule: "references is a list of strings; a prediction matches one of them as a whole.",
		Do:   "Your scorer takes a string for a list, or the reverse: hand over item[\"references\"] where it wants a list, and where it wants one string take any(score(prediction, r) for r in item[\"references\"]).",
	})
}

// probeEmptyBatch asks for a batch of no items, where a mean is not defined.
func probeEmptyBatch(e *exam) {
	var requests []adapters.Request
	for _, c := range e.claims {
		if c.scores() && c.handles(adapters.Batch) {
			requests = append(requests, c.score())
		}
	}
	if len(requests) == 0 {
		e.skip("batch is not named in handles")
		return
	}
	for _, r := range e.ask(requests...) {
		e.declined(r, adapters.Batch)
	}
}
