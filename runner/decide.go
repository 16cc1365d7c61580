package runner

import (
	"errors"
	"math"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

var errNotReached = errors.New("not reached")

// Decision is whether an answer agrees with the intents of a check. It rests
// on exact match alone, never on F1 or spelling.
type Decision string

// The decisions.
const (
	// Agrees accepts what a person would accept and rejects what they would reject.
	Agrees Decision = "agrees"
	// WrongAccept accepts what a person rejects; of a batch, scores above what
	// the intents add up to.
	WrongAccept Decision = "wrong accept"
	// WrongReject rejects what a person accepts; of a batch, scores below.
	WrongReject Decision = "wrong reject"
	// Undecided: an ambiguous item, a refusal, NaN, or no exact-match score.
	Undecided Decision = "undecided"
)

// decide holds a decisive score, on a scale, against the intents. A single
// item is accepted when the score is the top of the scale; a batch agrees when
// it is what the intents add up to.
func decide(one cases.Case, scale float64, score *float64) Decision {
	if score == nil || math.IsNaN(*score) || len(one.Items) == 0 {
		return Undecided
	}
	matches := 0.0
	for _, item := range one.Items {
		switch item.Intent {
		case cases.Ambiguous:
			return Undecided
		case cases.Match:
			matches++
		}
	}
	want := scale * matches / float64(len(one.Items))
	got := *score
	if len(one.Items) == 1 && !near(got, scale) {
		got = 0
	}
	switch {
	case near(got, want):
		return Agrees
	case got > want:
		return WrongAccept
	}
	return WrongReject
}

// Decide is what a pin's record decides of a case.
func Decide(one cases.Case, setup metric.Setup, pin golden.Pin, record golden.Record) Decision {
	m, err := metric.Lookup(setup.Metric)
	coverage, covered := pin.Covers(setup.Metric)
	score, there := record.Scores[m.DecisionKey()]
	if err != nil || !covered || !there {
		return Undecided
	}
	return decide(one, coverage.Scale, &score)
}
