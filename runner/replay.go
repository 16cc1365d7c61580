package runner

import (
	"errors"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// Recorded is a run as a certificate holds it: what was not the same. Everything
// else of a report follows from that and from the goldens.
type Recorded struct {
	Hello       adapters.Hello
	Interrupted bool
	Notes       []string
	// Checks are the outcomes by check.
	Checks map[CheckName]RecordedCheck
	// Texts are the normalized forms that are not the pin's, by claim.
	Texts map[string][]TextResult
}

// CheckName names a check of a report.
type CheckName struct{ Claim, Case, Setup string }

// RecordedCheck is what a report holds of a check.
type RecordedCheck struct {
	Things   []Thing
	Unjudged metric.Scores
}

// Replay judges a recorded run again, by the corpus and goldens of config: the
// report is the one that Certify would have made. The claims are those of
// config. The error is a *UsageError.
func Replay(config Config, recorded Recorded) (*Report, error) {
	config = config.canonical()
	if err := config.Validate(); err != nil {
		return nil, err
	}
	a := &asked{hello: recorded.Hello, interrupted: recorded.Interrupted, notes: recorded.Notes}
	if err := a.prepare(config); err != nil {
		return nil, err
	}
	// Recorded scores are on the pin's scale already.
	for _, claim := range a.claims {
		claim.Support.Scale = 0
	}
	for _, check := range slices.Concat(a.checks...) {
		name := CheckName{check.Claim.Name(), check.Case.ID, check.Setup.String()}
		if one := a.questions.score[check]; one != nil {
			one.replayScore(check, recorded.Checks[name])
		}
		if !check.Asks() || !check.Claim.Normalizes() || len(check.texts()) == 0 {
			continue
		}
		for text, want := range check.normalized {
			one := a.questions.text[textKey{check.Claim, text}]
			texts := recorded.Texts[name.Claim]
			at := slices.IndexFunc(texts, func(t TextResult) bool { return t.Text == text })
			if at < 0 {
				one.reached, one.answer.Text = true, want
				continue
			}
			one.replayText(texts[at])
		}
	}
	report := a.judged(config)
	for _, claim := range report.Claims {
		claim.Support.Scale = recorded.Hello.Metrics[claim.Metric.Name].Scale
	}
	return report, nil
}

// replayed is an error with the words of a report.
type replayed struct {
	text string
	kind error
}

func (e *replayed) Error() string { return e.text }
func (e *replayed) Unwrap() error { return e.kind }

// replayedError is the error behind an outcome; nil where there is none.
func replayedError(outcome Outcome, detail string) error {
	switch outcome {
	case Refused:
		return &replayed{detail, &metric.Refusal{}}
	case Unsupported:
		return &replayed{detail, &adapters.Unsupported{}}
	case Timeout:
		return &replayed{detail, &adapters.Fault{Kind: adapters.Timeout}}
	case Crash:
		return &replayed{detail, &adapters.Fault{Kind: adapters.Crash}}
	case Protocol:
		return &replayed{detail, &adapters.Fault{Kind: adapters.Protocol}}
	}
	return nil
}

func (a *ask) replayText(t TextResult) {
	a.reached = t.Outcome != NotReached
	a.err = replayedError(t.Outcome, t.Detail)
	if t.Outcome == Different {
		a.unstable = t.Detail
		if t.Adapter.Text == nil {
			a.err = &metric.Refusal{}
			return
		}
		a.answer.Text = *t.Adapter.Text
	}
}

func (a *ask) replayScore(check *Check, recorded RecordedCheck) {
	a.reached, a.answer.Scores = true, metric.Scores{}
	for key, score := range recorded.Unjudged {
		a.answer.Scores[key] = score
	}
	for _, thing := range recorded.Things {
		if thing.Name == adapters.NormalizeAnswer {
			continue
		}
		switch {
		case thing.Outcome == NotReached:
			a.reached = false
		case thing.Outcome == Same && check.Record.Error != "":
			a.err = &replayed{thing.Detail, &metric.Refusal{Kind: check.Record.Error}}
		case thing.Outcome == Same:
			a.answer.Scores[thing.Name] = check.Record.Scores[thing.Name]
		default:
			a.replayOther(thing)
		}
	}
}

func (a *ask) replayOther(thing Thing) {
	if err := replayedError(thing.Outcome, thing.Detail); err != nil {
		a.err = err
		return
	}
	a.unstable = thing.Detail
	switch {
	case thing.Got.Number != nil:
		a.answer.Scores[thing.Name] = float64(*thing.Got.Number)
	case thing.Got != noKey:
		a.err = errors.Join(&metric.Refusal{})
	}
}
