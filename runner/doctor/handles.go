package doctor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// conditions are all that handles can name, batch first and options last.
func conditions() []string {
	list := []string{adapters.Batch, adapters.Unanswered, adapters.RepeatedID, adapters.NoReferences}
	for _, m := range metric.All() {
		for _, option := range m.Options {
			list = append(list, option.Name)
		}
	}
	return list
}

// condition is what shows whether one is handled: requests that have it, and
// plain ones whose answers are the same where it is ignored.
type condition struct {
	with, without []adapters.Request
	// ignored says what it means that both are answered alike.
	ignored, do string
}

// optionPairs are, for each option, a pair that is decided the other way with
// it, also by a scorer that is content with a part, or has its own idea of what
// stands in the place of what is ignored.
var optionPairs = map[string]struct {
	value                 any
	prediction, reference string
}{
	"ignore_case":         {true, "PARIS", "paris"},
	"ignore_numbers":      {true, "paris1", "paris2"},
	"ignore_punctuation":  {true, "paris!rome", "paris?rome"},
	"regexes_to_ignore":   {[]string{"z", "y"}, "parisz", "parisy"},
	"no_answer_threshold": {0.25, "paris", "paris"},
}

// conditionFor returns what to ask a claim; ok is false where the metric has no
// such condition.
func conditionFor(c *claim, name string) (x condition, ok bool) {
	if !slices.Contains(adapters.Structural(c.metric), name) {
		return x, false
	}
	switch name {
	case adapters.Batch:
		match, other := batch("paris", "paris", "rome", "oslo"), batch("rome", "oslo", "paris", "paris")
		x.with = []adapters.Request{c.score(match...), c.score(other...)}
		x.without = []adapters.Request{c.score(match[0]), c.score(other[0])}
		x.ignored = "a batch of two scores as its first item alone"
		x.do = "Score every item of items, and give the mean; or take batch out of handles."
	case adapters.Unanswered:
		items := []metric.Item{{ID: "1", References: []string{"paris"}}}
		if c.handles(adapters.Batch) {
			items = append(items, metric.Answered("paris", "paris"))
		}
		x.with = []adapters.Request{c.score(items...)}
	case adapters.RepeatedID:
		items := batch("paris", "paris", "oslo", "rome")
		x.without = []adapters.Request{c.score(items...)}
		again := slices.Clone(items)
		again[1].ID = again[0].ID
		x.with = []adapters.Request{c.score(again...)}
		x.ignored = "two items with one id score as if each had its own"
		x.do = "Upstream keys predictions by id: the last one of an id stands for all of that id. Take each item's id into account, or take repeated-id out of handles."
	case adapters.NoReferences:
		x.with = []adapters.Request{c.score(metric.Answered("paris")), c.score(metric.Answered(""))}
	default:
		pair := optionPairs[name]
		item := metric.Answered(pair.prediction, pair.reference)
		item.NoAnswerProbability = 0.5
		plain := c.score(item)
		set := plain
		set.Options = metric.Options{name: pair.value}
		x.without, x.with = []adapters.Request{plain}, []adapters.Request{set}
		x.ignored = name + " makes no difference"
		x.do = fmt.Sprintf("Take it from the request: options[%q]; one that is left out has its default. Or take %s out of handles.", name, name)
	}
	return x, true
}

// handled reports whether any metric's handles name a condition.
func (e *exam) handled(name string) bool {
	return slices.ContainsFunc(e.claims, func(c *claim) bool { return c.handles(name) })
}

// probeHandles looks whether a condition that is named is handled.
func probeHandles(e *exam, name string) {
	var x condition
	c := e.scoring(func(c *claim) bool {
		found, ok := conditionFor(c, name)
		x = found
		return ok && c.handles(name)
	})
	switch {
	case c == nil:
		e.skip(noScores)
		return
	case name == adapters.RepeatedID && !c.handles(adapters.Batch):
		e.skip("it takes two items, and batch is not named in handles")
		return
	}
	replies := e.ask(append(slices.Clone(x.with), x.without...)...)
	for _, r := range replies[:len(x.with)] {
		e.declined(r, name)
	}
	if len(x.without) == 0 {
		return
	}
	control := e.control(c)
	for i, r := range replies[len(x.with):] {
		with := replies[i]
		if !control || !r.given() || !with.given() || !e.alike(c, with, r) {
			return
		}
	}
	e.find("ignored "+name, Finding{
		What: x.ignored, Sent: replies[0].sent, Got: replies[0].line,
		Rule: "handles names the conditions that the adapter takes into account.",
		Do:   x.do,
	})
}

// control reports whether the adapter tells a match from a mismatch: where it
// does not, nothing can be seen in its scores.
func (e *exam) control(c *claim) bool {
	key, _ := c.judge()
	replies := e.ask(c.pair("paris", "paris"), c.pair("rome", "oslo"))
	return replies[0].given() && replies[1].given() && replies[0].value(key) != replies[1].value(key)
}

// alike reports whether two replies have the same scores where the reference's
// differ.
func (e *exam) alike(c *claim, a, b *reply) bool {
	wantA, errA := c.expected(a.request)
	wantB, errB := c.expected(b.request)
	if errA != nil || errB != nil || sameScores(wantA.Scores, wantB.Scores) {
		return false
	}
	return sameScores(a.answer.Scores, b.answer.Scores)
}

// declined reports a reply that says no to what the hello names, or refuses
// what the reference answers.
func (e *exam) declined(r *reply, name string) {
	_, err := e.claimOf(r).expected(r.request)
	var refusal *metric.Refusal
	finding := Finding{
		Sent: r.sent, Got: r.line,
		Rule: "What handles names you are sent, and an answer is wanted.",
		Do:   fmt.Sprintf("Answer it, or take %s out of handles.", name),
	}
	switch {
	case r.unsupported != nil:
		finding.What = "the hello names " + name + ", and then it says no"
	case len(r.request.Items) == 1 && name == adapters.Unanswered:
		return // whoever leaves out what is unanswered has nothing left to score
	case r.refusal != nil && !errors.As(err, &refusal):
		finding.What = "the hello names " + name + ", and then it refuses what upstream answers"
	default:
		return
	}
	e.find("declined "+name, finding)
}

func (e *exam) claimOf(r *reply) *claim {
	for _, c := range e.claims {
		if c.metric.Name == r.request.Metric {
			return c
		}
	}
	return nil
}

// probeProbability looks whether no_answer_probability is read: under a
// threshold between two of them, and else in the best threshold.
func probeProbability(e *exam) {
	thresholds := []string{"best_exact_thresh", "best_f1_thresh"}
	c := e.scoring(func(c *claim) bool {
		return c.metric.Name == "squad_v2" && (c.handles("no_answer_threshold") || slices.ContainsFunc(thresholds, c.answers))
	})
	if c == nil {
		e.skip("it claims nothing of squad_v2 that depends on it")
		return
	}
	item := metric.Answered("paris", "paris")
	item.NoAnswerProbability = 0.125
	low := c.score(item)
	item.NoAnswerProbability = 0.875
	high := c.score(item)
	if c.handles("no_answer_threshold") {
		low.Options = metric.Options{"no_answer_threshold": 0.5}
		high.Options = low.Options
	}
	replies := e.ask(low, high)
	if !replies[0].given() || !replies[1].given() || !e.control(c) || !e.alike(c, replies[0], replies[1]) {
		return
	}
	if e.met["ignored no_answer_threshold"] != "" {
		e.blocked = append(e.blocked, e.met["ignored no_answer_threshold"])
		return
	}
	e.find("probability", Finding{
		What: "no_answer_probability makes no difference", Sent: replies[1].sent, Got: replies[1].line,
		Rule: "Each item of squad_v2 has its no_answer_probability.",
		Do:   "Take it from the item: item[\"no_answer_probability\"], and not a constant.",
	})
}

// probeNotNamed asks for what the hello does not name, and says so where the
// answer is right. Nothing that goes wrong there counts.
func probeNotNamed(e *exam) {
	if e.scoring(nil) == nil {
		e.skip(noScores)
		return
	}
	e.quiet = true
	var found []string
	var show *reply
	for _, name := range conditions() {
		var x condition
		c := e.scoring(func(c *claim) bool {
			fits, ok := conditionFor(c, name)
			x = fits
			return ok && !c.handles(name) && (name != adapters.RepeatedID || c.handles(adapters.Batch) || slices.Contains(found, adapters.Batch))
		})
		if c == nil || e.ctx.Err() != nil {
			continue
		}
		replies := e.ask(append(slices.Clone(x.with), x.without...)...)
		if e.perfect(c, replies) {
			found = append(found, name)
			show = replies[0]
		}
	}
	e.quiet = false
	for _, name := range found {
		e.find("not named "+name, Finding{
			What: "it seems to handle " + name, Note: true,
			Rule: "You are sent what handles names and nothing else.",
			Do:   "Name " + name + " in handles to be certified for it.",
		})
	}
	if show != nil {
		last := len(e.current.Findings) - 1
		e.current.Findings[last].Sent, e.current.Findings[last].Got = show.sent, show.line
	}
}

// perfect reports whether every reply is what the reference answers.
func (e *exam) perfect(c *claim, replies []*reply) bool {
	for _, r := range replies {
		want, err := c.expected(r.request)
		var refusal *metric.Refusal
		switch {
		case !r.readable || r.unsupported != nil:
			return false
		case errors.As(err, &refusal):
			// Any bug may end in an error: it has to say why.
			if r.refusal == nil || r.refusal.Kind != refusal.Kind {
				return false
			}
		case err != nil || r.refusal != nil || !sameScores(r.answer.Scores, want.Scores):
			return false
		}
	}
	return true
}
