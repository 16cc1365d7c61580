package runner

import (
	"errors"
	"math"
	"regexp"
	"strconv"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// Result is a check with what became of it.
type Result struct {
	*Check
	// Things are the outcomes, by thing answered: normalize, then keys.
	// Empty where the check is not claimed.
	Things []Thing
	// Decision is whether the adapter's answer accepts what it was given, and
	// whether a person would; Upstream the pin's.
	Decision Decision
	Upstream Decision
	// Unjudged are scores that the adapter gave where upstream refuses, of keys
	// that upstream leaves out at times: they count for nothing.
	Unjudged metric.Scores
}

// Decides reports whether the check counts as a decision: the adapter and the
// pin both made one, and no exception takes the check out of the claim.
func (r *Result) Decides() bool {
	return len(r.Excepted) == 0 && r.Decision != Undecided && r.Decision != "" && r.Upstream != Undecided
}

// Outcome is the check's as a whole: the gravest of its things.
func (r *Result) Outcome() Outcome {
	worst := NotClaimed
	for i, thing := range r.Things {
		if i == 0 || grave(thing.Outcome) > grave(worst) {
			worst = thing.Outcome
		}
	}
	return worst
}

// grave ranks outcomes: a deviation outweighs what is merely missing.
func grave(o Outcome) int {
	switch {
	case o.Deviates(false):
		return 3
	case o.Incomplete():
		return 2
	case o == Rounding:
		return 1
	}
	return 0
}

// Thing is one thing answered in a check.
type Thing struct {
	// Name is normalize or a score key.
	Name    string
	Outcome Outcome
	// Text is the string that normalize was asked for, where it deviates.
	Text string
	// Want and Got are upstream's and the adapter's, for people: a text, a
	// number on the pin's scale, or a refusal. Set where the outcome is not same.
	Want, Got Value
	// Detail says what a fault was.
	Detail string
}

// Value is a text, a number or a refusal, or nothing.
type Value struct {
	Text   *string        `json:"text,omitempty"`
	Number *metric.Double `json:"number,omitempty"`
	Error  string         `json:"error,omitempty"`
}

func textValue(text string) Value      { return Value{Text: &text} }
func numberValue(number float64) Value { n := metric.Double(number); return Value{Number: &n} }

// noKey stands where the score key is left out.
var noKey = Value{Error: "no such key"}

func errorValue(kind metric.ErrorKind) Value {
	if kind == "" {
		return Value{Error: "refused"}
	}
	return Value{Error: string(kind)}
}

// judge compares the answers to a check with its record.
func (q *questions) judge(check *Check) *Result {
	r := &Result{Check: check}
	r.Upstream = Decide(check.Case, check.Setup, check.Claim.Pin, check.Record)
	if !check.Asks() {
		return r
	}
	if check.Claim.Normalizes() && len(check.texts()) > 0 {
		r.Things = append(r.Things, q.judgeNormalize(check))
	}
	scores, keys := q.judgeScores(check)
	r.Unjudged = q.unjudged(check)
	r.Things = append(r.Things, keys...)
	if len(check.Claim.Keys()) == 0 {
		scores = q.substitute(check)
	}
	r.Decision = decide(check.Case, check.Claim.Scale, scores)
	return r
}

// judgeNormalize compares every text of the check; the first deviation, else
// the first text that is missing, stands for all.
func (q *questions) judgeNormalize(check *Check) Thing {
	thing := Thing{Name: adapters.NormalizeAnswer, Outcome: Same}
	for text, want := range check.normalized {
		outcome, got, detail := q.normalizeOutcome(check.Claim, text, want)
		if grave(outcome) > grave(thing.Outcome) {
			thing = Thing{Name: thing.Name, Outcome: outcome, Text: text, Want: textValue(want), Got: got, Detail: detail}
		}
	}
	return thing
}

// normalizeOutcome compares the normalized form of one text.
func (q *questions) normalizeOutcome(claim *Claim, text, want string) (Outcome, Value, string) {
	one := q.text[textKey{claim, text}]
	switch {
	case one.err != nil || !one.reached:
		return one.failure(true)
	case one.unstable != "":
		return Different, textValue(one.answer.Text), one.unstable
	case one.answer.Text != want:
		return Different, textValue(one.answer.Text), ""
	}
	return Same, Value{}, ""
}

// failure is the outcome of a request without an answer, with what to show.
func (a *ask) failure(upstreamAnswers bool) (Outcome, Value, string) {
	if a.unstable != "" {
		return Different, Value{Error: "refused"}, a.unstable
	}
	outcome := a.ofError(upstreamAnswers)
	detail := ""
	if a.err != nil && a.reached {
		detail = masked(a.err)
	}
	if outcome == Refused {
		return outcome, Value{Error: "refused"}, detail
	}
	return outcome, Value{}, detail
}

// requestID finds the id of a request in the text of a fault, and places in a
// line, which depend on how long an id is written.
var requestID = regexp.MustCompile(`(\\?"id\\?"\s*:\s*\\?"?|\bid is (?:\\?")?|\bafter offset )-?\d+`)

var digits = regexp.MustCompile(`\d+`)

// shortened is the end of a line that adapters.Shorten has cut.
var shortened = regexp.MustCompile(`… \((\d+|…) bytes\)$`)

// mostShown is how much is shown of a line that was cut: less than
// adapters.Shorten leaves, by more than an id is long.
const mostShown = 160

// masked is an error without the ids of requests: they depend on the order in
// which requests were sent, and a report does not.
func masked(err error) string {
	mask := func(text string) string { return requestID.ReplaceAllString(text, "${1}…") }
	var fault *adapters.Fault
	if !errors.As(err, &fault) || fault.Error() != err.Error() {
		return mask(err.Error())
	}
	line := mask(fault.Line)
	if line != "" && line[0] != '{' {
		// A print: any number in it may be an id, or a time.
		line = digits.ReplaceAllString(line, "…")
	}
	if runes := []rune(line); shortened.MatchString(line) {
		line = string(runes[:min(mostShown, len(runes))]) + "…"
	}
	shown := adapters.Fault{Kind: fault.Kind, What: mask(fault.What), Line: line}
	return shown.Error()
}

// judgeScores compares every claimed key, and returns the adapter's decisive
// score on the pin's scale, or nil where there is none.
func (q *questions) judgeScores(check *Check) (decisive *float64, things []Thing) {
	one := q.score[check]
	if one == nil {
		return nil, nil
	}
	for _, key := range check.Claim.Keys() {
		if thing, asked := one.judgeKey(check, key); asked {
			things = append(things, thing)
		}
	}
	if got, there := one.answer.Scores[check.Claim.Metric.DecisionKey()]; there && one.err == nil && one.reached {
		key, _ := check.Claim.Metric.Key(check.Claim.Metric.DecisionKey())
		got = check.Claim.convert(key, got)
		decisive = &got
	}
	return decisive, things
}

// unjudged are the scores that judgeKey does not ask for.
func (q *questions) unjudged(check *Check) metric.Scores {
	one := q.score[check]
	if one == nil || one.err != nil || !one.reached || check.Record.Error == "" {
		return nil
	}
	var scores metric.Scores
	for _, key := range check.Claim.Keys() {
		if got, there := one.answer.Scores[key.Name]; there && key.Sometimes {
			if scores == nil {
				scores = metric.Scores{}
			}
			scores[key.Name] = check.Claim.convert(key, got)
		}
	}
	return scores
}

// judgeKey compares one score. It is not asked for where upstream leaves the
// key out and the adapter does too; where upstream refuses, the keys that it
// leaves out at times are not counted.
func (a *ask) judgeKey(check *Check, key metric.Key) (thing Thing, asked bool) {
	upstreamAnswers := check.Record.Error == ""
	number, wanted := check.Record.Scores[key.Name]
	want := numberValue(number)
	switch {
	case !upstreamAnswers && key.Sometimes:
		return Thing{}, false
	case !upstreamAnswers:
		want = errorValue(check.Record.Error)
	case !wanted:
		want = noKey
	}
	if a.err != nil || !a.reached {
		outcome, got, detail := a.failure(upstreamAnswers)
		return Thing{Name: key.Name, Outcome: outcome, Want: want, Got: got, Detail: detail}, wanted || !upstreamAnswers
	}
	got, gotten := a.answer.Scores[key.Name]
	got = check.Claim.convert(key, got)
	switch {
	case !wanted && !gotten && upstreamAnswers:
		return Thing{}, false
	case a.unstable != "":
		return Thing{Name: key.Name, Outcome: Different, Want: want, Got: numberValue(got), Detail: a.unstable}, true
	case !upstreamAnswers:
		return Thing{Name: key.Name, Outcome: Answered, Want: want, Got: numberValue(got)}, true
	case !gotten:
		return Thing{Name: key.Name, Outcome: Different, Want: want, Got: noKey}, true
	case !wanted:
		return Thing{Name: key.Name, Outcome: Different, Want: want, Got: numberValue(got)}, true
	}
	thing = Thing{Name: key.Name, Outcome: compareDoubles(got, number)}
	if thing.Outcome != Same {
		thing.Want, thing.Got = want, numberValue(got)
	}
	return thing, true
}

// convert brings a score to the pin's scale. Totals and thresholds have none.
func (c *Claim) convert(key metric.Key, score float64) float64 {
	own := c.Support.Scale
	if own == 0 || own == c.Scale || !key.Scaled() {
		return score
	}
	// One rounding, as if upstream had multiplied or divided by its own scale.
	if own < c.Scale {
		return score * (c.Scale / own)
	}
	return score / (own / c.Scale)
}

// substitute puts the adapter's normalizer into the reference's scorer in
// place of its own, where normalize is all that it answers. It decides what
// the normalizer would accept; nothing of it is compared with the record.
func (q *questions) substitute(check *Check) *float64 {
	pipeline, err := reference.For(check.Setup.Metric, check.Claim.Pin.Name())
	if err != nil {
		return nil
	}
	scores, err := pipeline.WithNormalizer(func(text string) (string, error) {
		one := q.text[textKey{check.Claim, text}]
		if one == nil {
			// squad_v2 puts "" in the place of references that all normalize to
			// nothing; its own text was never asked for.
			return "", nil
		}
		if one.err == nil && !one.reached {
			return "", errNotReached
		}
		return one.answer.Text, one.err
	}).Score(check.Setup.Options, check.Case.Batch())
	score, there := scores[check.Claim.Metric.DecisionKey()]
	if err != nil || !there {
		return nil
	}
	return &score
}

// String shows the value: texts quoted as Go does it, numbers shortest.
func (v Value) String() string {
	switch {
	case v.Text != nil:
		return strconv.Quote(*v.Text)
	case v.Number != nil && math.IsNaN(float64(*v.Number)):
		return "nan"
	case v.Number != nil:
		return strconv.FormatFloat(float64(*v.Number), 'g', -1, 64)
	}
	return v.Error
}
