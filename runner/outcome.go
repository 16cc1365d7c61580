package runner

import (
	"errors"
	"math"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// Outcome is what became of one thing that a check asks for.
type Outcome string

// The outcomes, in the order in which reports list them.
const (
	// Same is the same bytes, or the same double; or a refusal where upstream refuses.
	Same Outcome = "same"
	// Rounding is within 1e-6 relative: another order of operations, or float32.
	Rounding Outcome = "rounding"
	// Different is another answer.
	Different Outcome = "different"
	// Refused is a refusal where upstream answers.
	Refused Outcome = "refused"
	// Answered is an answer where upstream refuses.
	Answered Outcome = "answered"
	// Unsupported is the adapter's honest no.
	Unsupported Outcome = "unsupported"
	// Timeout, Crash and Protocol are faults of the adapter.
	Timeout  Outcome = "timeout"
	Crash    Outcome = "crash"
	Protocol Outcome = "protocol"
	// NotReached is a check that the run ended before.
	NotReached Outcome = "not reached"
	// NotClaimed is a check in which nothing of the adapter's was compared.
	NotClaimed Outcome = "not claimed"
)

// Outcomes are all outcomes in the order of reports.
func Outcomes() []Outcome {
	return []Outcome{Same, Rounding, Different, Refused, Answered, Unsupported, Timeout, Crash, Protocol, NotReached, NotClaimed}
}

// Deviates reports whether the outcome contradicts a claim. Rounding does so
// only where bits are claimed.
func (o Outcome) Deviates(bits bool) bool {
	return o == Different || o == Refused || o == Answered || bits && o == Rounding
}

// Incomplete reports whether the outcome leaves a claim undecided.
func (o Outcome) Incomplete() bool {
	switch o {
	case Unsupported, Timeout, Crash, Protocol, NotReached:
		return true
	}
	return false
}

// tolerance is the relative difference up to which two doubles are the same
// number computed otherwise: float32 has a relative step of 6e-8.
const tolerance = 1e-6

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// compareDoubles compares an answer with upstream's.
func compareDoubles(got, want float64) Outcome {
	switch {
	case math.IsNaN(got) && math.IsNaN(want), math.Float64bits(got) == math.Float64bits(want):
		return Same
	case near(got, want):
		return Rounding
	}
	return Different
}

// ofError is the outcome of a request that ended in an error. answers says
// whether upstream answers the request.
func (a *ask) ofError(upstreamAnswers bool) Outcome {
	var refusal *metric.Refusal
	var no *adapters.Unsupported
	switch {
	case !a.reached:
		return NotReached
	case errors.As(a.err, &refusal) && upstreamAnswers:
		return Refused
	case errors.As(a.err, &refusal):
		return Same
	case errors.As(a.err, &no):
		return Unsupported
	}
	switch adapters.AsFault(a.err).Kind {
	case adapters.Timeout:
		return Timeout
	case adapters.Protocol:
		return Protocol
	}
	return Crash
}
