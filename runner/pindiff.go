package runner

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// PinDiff is what differs between the goldens of two pins, or of one pin in two
// environments.
type PinDiff struct {
	A, B golden.Pin
	// NameA and NameB are what to call them: their names, unless these are the same.
	NameA, NameB string
	// Environment names each difference between what the two were recorded
	// under.
	Environment []EnvironmentChange
	// Metrics are those that both cover, sorted.
	Metrics []*MetricDiff
	// OnlyA and OnlyB are the metrics that one of them covers.
	OnlyA, OnlyB []string
}

// EnvironmentChange is a version that differs; "" is none.
type EnvironmentChange struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// MetricDiff is what differs in one metric. Everything in it is on A's scale: a
// score of B's that differs by the scale alone is no change.
type MetricDiff struct {
	Metric         string
	ScaleA, ScaleB float64
	// Checks and Answers are how many were compared.
	Checks, Answers int
	// Changes are the answers that differ.
	Changes []AnswerChange
	// Causes are the variations that lead from A's answers to B's, the one that
	// explains most first; Unexplained are the changes that none does.
	Causes      []Cause
	Unexplained int
	// Contradicted is how many answers that are the same in both the causes
	// would have changed.
	Contradicted int
	// NoBase says that the reference does not reproduce A's answers, so that no
	// cause can be named.
	NoBase bool
	// Decisions are the checks in which B accepts what A rejects or the other way
	// round, or agrees with the intents where A does not: the worse first.
	Decisions []DecisionChange
	// MissingA and MissingB count the checks that one of them has no golden for.
	MissingA, MissingB int
}

// Rescaled reports whether the scale changes.
func (m *MetricDiff) Rescaled() bool { return m.ScaleA != m.ScaleB }

// AnswerChange is one answer that differs: the normalized form of a text, or a
// score of a check.
type AnswerChange struct {
	Case  cases.Case
	Setup metric.Setup
	// Name is normalize or a score key; Text the string that is normalized.
	Name, Text string
	// A and B are the answers, on A's scale.
	A, B Value
	// Rounding says that they differ within 1e-6 relative.
	Rounding bool
	// Cause is the variation that explains it; "" where none does.
	Cause string
}

// DecisionChange is a check that is decided otherwise.
type DecisionChange struct {
	Case  cases.Case
	Setup metric.Setup
	// A and B are accepted, rejected or refused, of a single item, and else the
	// exact-match score of the batch.
	A, B string
	// AgreesA and AgreesB hold them against the intents.
	AgreesA, AgreesB Decision
}

// Verdict is better, worse or neither, by the intents.
func (d DecisionChange) Verdict() string {
	wrong := func(one Decision) bool { return one == WrongAccept || one == WrongReject }
	switch {
	case d.AgreesB == Agrees && wrong(d.AgreesA):
		return "better"
	case wrong(d.AgreesB) && d.AgreesA == Agrees:
		return "worse"
	}
	return "neither"
}

// DiffPins compares two pins case by case. corpus gives the cases their items
// and intents; what only a golden names is not compared. The error is a
// *UsageError where the two have no metric in common.
func DiffPins(a, b *golden.Goldens, corpus cases.Corpus) (*PinDiff, error) {
	diff := &PinDiff{A: a.Pin, B: b.Pin, NameA: a.Pin.Name(), NameB: b.Pin.Name()}
	names := map[string]bool{}
	maps.Copy(names, keysOf(a.Pin.Environment))
	maps.Copy(names, keysOf(b.Pin.Environment))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before, after := a.Pin.Environment[name], b.Pin.Environment[name]; before != after {
			diff.Environment = append(diff.Environment, EnvironmentChange{name, before, after})
		}
	}
	for _, m := range metric.All() {
		coverA, inA := a.Pin.Covers(m.Name)
		coverB, inB := b.Pin.Covers(m.Name)
		switch {
		case inA && inB:
			one, err := diffMetric(m, a, b, coverA, coverB, corpus)
			if err != nil {
				return nil, err
			}
			diff.Metrics = append(diff.Metrics, one)
		case inA:
			diff.OnlyA = append(diff.OnlyA, m.Name)
		case inB:
			diff.OnlyB = append(diff.OnlyB, m.Name)
		}
	}
	if len(diff.Metrics) == 0 {
		return nil, usage("%s covers %s and %s covers %s: they have no metric in common", a.Pin.Name(), covers(a.Pin), b.Pin.Name(), covers(b.Pin))
	}
	return diff, nil
}

func keysOf(versions map[string]string) map[string]bool {
	keys := map[string]bool{}
	for name := range versions {
		keys[name] = true
	}
	return keys
}

// differ compares one metric: B's goldens stand for the answers of an adapter
// that claims to be A.
type differ struct {
	*MetricDiff
	claim  *Claim
	b      *golden.Goldens
	checks []*Check
	asked  *questions
}

func diffMetric(m metric.Metric, a, b *golden.Goldens, coverA, coverB golden.Coverage, corpus cases.Corpus) (*MetricDiff, error) {
	support := adapters.Support{Handles: adapters.Structural(m), Scale: coverB.Scale}
	for _, thing := range append([]string{adapters.NormalizeAnswer}, m.KeyNames()...) {
		if coverA.Holds(thing) && coverB.Holds(thing) && (thing != adapters.NormalizeAnswer || m.Normalizes) {
			support.Answers = append(support.Answers, thing)
		}
	}
	d := &differ{
		MetricDiff: &MetricDiff{Metric: m.Name, ScaleA: coverA.Scale, ScaleB: coverB.Scale},
		claim:      &Claim{Metric: m, Pin: a.Pin, Scale: coverA.Scale, Support: support, goldens: a},
		b:          b,
		asked:      &questions{score: map[*Check]*ask{}, text: map[textKey]*ask{}},
	}
	for one := range corpus.Cases {
		for _, setup := range one.Setups {
			if setup.Metric != m.Name {
				continue
			}
			if err := d.add(one, setup); err != nil {
				return nil, err
			}
		}
	}
	d.compare()
	rank := map[string]int{"worse": 0, "neither": 1, "better": 2}
	slices.SortStableFunc(d.Decisions, func(a, b DecisionChange) int { return cmp.Compare(rank[a.Verdict()], rank[b.Verdict()]) })
	d.explain()
	return d.MetricDiff, nil
}

// add takes the check of a case as a question that B's golden answers.
func (d *differ) add(one cases.Case, setup metric.Setup) error {
	before, inA := d.claim.goldens.Record(one.ID, setup.String())
	after, inB := d.b.Record(one.ID, setup.String())
	if !inA || !inB {
		if inA != inB && !inA {
			d.MissingA++
		} else if inA != inB {
			d.MissingB++
		}
		return nil
	}
	d.Checks++
	check := &Check{Claim: d.claim, Case: one, Setup: setup, Record: before}
	other := &Check{Claim: &Claim{Metric: d.claim.Metric, Pin: d.b.Pin}, Case: one, Setup: setup, Record: after}
	for _, side := range []*Check{check, other} {
		if err := side.shape(); err != nil {
			return usage("golden of %s, %s at %s: %w; it is of another version of the case", one.ID, setup, side.Claim.Pin.Name(), err)
		}
	}
	d.checks = append(d.checks, check)
	if d.claim.Normalizes() {
		for text, normalized := range other.normalized {
			d.asked.text[textKey{d.claim, text}] = &ask{reached: true, answer: adapters.Answer{Text: normalized}}
		}
	}
	if len(d.claim.Keys()) == 0 {
		return nil
	}
	reply := &ask{reached: true, answer: adapters.Answer{Scores: after.Scores}}
	if after.Error != "" {
		reply.err = &metric.Refusal{Kind: after.Error}
	}
	d.asked.score[check] = reply
	return nil
}

// compare finds the answers and the decisions that changed.
func (d *differ) compare() {
	seen := map[string]bool{}
	for _, check := range d.checks {
		if d.claim.Normalizes() {
			for text, want := range check.normalized {
				if seen[text] {
					continue
				}
				seen[text] = true
				got := d.asked.text[textKey{d.claim, text}].answer.Text
				d.changed(check, adapters.NormalizeAnswer, text, textValue(want), textValue(got))
			}
		}
		reply := d.asked.score[check]
		if reply == nil {
			continue
		}
		if check.Record.Error != "" && reply.err != nil {
			d.kinds(check, reply.err)
			continue
		}
		for _, key := range d.claim.Keys() {
			want, got := recordValue(key, check), d.claim.scoreValue(key, reply.answer.Scores, reply.err)
			if want == noKey && got == noKey {
				continue
			}
			d.changed(check, key.Name, "", want, got)
		}
		d.decision(check, reply)
	}
}

// kinds compares two refusals. An adapter may refuse for whatever reason; what
// upstream raises is recorded, and so a change of it is one.
func (d *differ) kinds(check *Check, err error) {
	d.Answers++
	var refusal *metric.Refusal
	if errors.As(err, &refusal) && refusal.Kind != check.Record.Error {
		d.Changes = append(d.Changes, AnswerChange{Case: check.Case, Setup: check.Setup, Name: "error", A: errorValue(check.Record.Error), B: errorValue(refusal.Kind)})
	}
}

func (d *differ) changed(check *Check, name, text string, want, got Value) {
	d.Answers++
	if far := distance(got, want); far != Same {
		d.Changes = append(d.Changes, AnswerChange{Case: check.Case, Setup: check.Setup, Name: name, Text: text, A: want, B: got, Rounding: far == Rounding})
	}
}

func (d *differ) decision(check *Check, reply *ask) {
	key, there := d.claim.Metric.Key(d.claim.Metric.DecisionKey())
	if !there || !slices.Contains(d.claim.Support.Answers, key.Name) {
		return
	}
	before, after := recordValue(key, check), d.claim.scoreValue(key, reply.answer.Scores, reply.err)
	change := DecisionChange{
		Case: check.Case, Setup: check.Setup, A: d.verdict(check, before), B: d.verdict(check, after),
		AgreesA: d.agrees(check, before), AgreesB: d.agrees(check, after),
	}
	if change.A != change.B && len(check.Case.Items) == 1 || change.AgreesA != change.AgreesB {
		d.Decisions = append(d.Decisions, change)
	}
}

func (d *differ) verdict(check *Check, score Value) string {
	switch {
	case score.Number == nil:
		return score.Error
	case len(check.Case.Items) != 1:
		return "score " + score.String()
	case near(float64(*score.Number), d.claim.Scale):
		return "accepted"
	}
	return "rejected"
}

func (d *differ) agrees(check *Check, score Value) Decision {
	if score.Number == nil {
		return Undecided
	}
	number := float64(*score.Number)
	return decide(check.Case, d.claim.Scale, &number)
}

// explain searches for the variations that lead from A to B.
func (d *differ) explain() {
	d.Unexplained = len(d.Changes)
	if len(d.Changes) == 0 {
		return
	}
	e := d.asked.evidenceOf(d.claim, d.checks)
	if !e.based() {
		d.NoBase = true
		return
	}
	why := e.explain()
	if why == nil {
		return
	}
	byCheck := map[string]*Check{}
	for _, check := range d.checks {
		byCheck[check.Case.ID+" "+check.Setup.String()] = check
	}
	explains := map[string]int{}
	d.Unexplained, d.Contradicted = 0, why.Contradicted
	for i := range d.Changes {
		change := &d.Changes[i]
		key := factKey{check: byCheck[change.Case.ID+" "+change.Setup.String()], name: change.Name}
		if change.Name == adapters.NormalizeAnswer {
			key = factKey{text: change.Text, name: change.Name}
		}
		if change.Cause = why.byFact[key]; change.Cause == "" {
			d.Unexplained++
		}
		explains[change.Cause]++
	}
	for _, cause := range why.Causes {
		if n := explains[cause.Variation.Name]; n > 0 {
			d.Causes = append(d.Causes, Cause{Variation: cause.Variation, Explains: n})
		}
	}
	slices.SortStableFunc(d.Causes, func(a, b Cause) int { return cmp.Compare(b.Explains, a.Explains) })
}

// based sets the pin at which the reference gives every answer that is wanted:
// the claim's own, or another where the reference does not have that. False
// means that there is none, and that no variation of it can be a cause.
func (e *evidence) based() bool {
	pins := reference.Pins(e.name)
	if slices.Contains(pins, e.claim.Pin.Name()) {
		pins = []string{e.claim.Pin.Name()}
	}
	for _, pin := range pins {
		e.pin = pin
		predicted := e.predict(nil)
		all := true
		for i, f := range e.facts {
			all = all && distance(predicted[i], f.want) == Same
		}
		if all {
			return true
		}
	}
	e.pin = e.claim.Pin.Name()
	return false
}

// String is the change on one line.
func (c AnswerChange) String() string { return fmt.Sprintf("%s → %s", c.A, c.B) }
