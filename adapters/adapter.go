// Package adapters holds what stands between the runner and an
// implementation: the Adapter interface, the protocol that carries it over
// stdin and stdout (see PROTOCOL.md), and Serve, which answers that protocol
// with any Adapter.
package adapters

import (
	"context"
	"errors"
	"fmt"

	"github.com/normcert/normcert/metric"
)

// Adapter is whatever answers normalize and score: the Go reference, a
// program spoken to over stdin and stdout, or a Go author's own code.
type Adapter interface {
	// Hello says who the adapter is and what it claims to answer. An error
	// means that no verdict is possible: it could not start.
	Hello(ctx context.Context) (Hello, error)

	// Answer answers one request. The runner calls it concurrently, several
	// requests ahead. Its error is a *metric.Refusal where the metric refuses
	// the input, an *Unsupported where the adapter honestly says no, and a
	// *Fault where it timed out, crashed or broke the protocol; any other
	// error counts as a crash.
	Answer(ctx context.Context, request Request) (Answer, error)
}

// Op is what is asked of an adapter.
type Op string

// The two requests. (The protocol's hello is Adapter.Hello.)
const (
	Normalize Op = "normalize"
	Score     Op = "score"
)

// Request is one question to an adapter.
type Request struct {
	Op Op
	// Metric and Options are the setup; Pin is the upstream to be equal to,
	// such as hf-evaluate@a7dd338.
	Metric  string
	Pin     string
	Options metric.Options
	// Text is what normalize is asked for.
	Text string
	// Items are the batch that score is asked for; each has its ID.
	Items []metric.Item
	// Mark is the caller's: it comes back in LateFault and is not sent.
	Mark int
}

// Answer is what came back: Text for normalize, Scores for score.
type Answer struct {
	Text   string
	Scores metric.Scores
}

// Hello is what an adapter says of itself.
type Hello struct {
	Name    string
	Version string
	// Metrics says, by metric name, what it answers.
	Metrics map[string]Support
	// Language, Unicode and Wraps are optional and only shown: the language
	// and its version, the Unicode version of its tables, and which function
	// of which version was wrapped.
	Language string
	Unicode  string
	Wraps    string
	// Libraries are versions that matter to the answers, such as numpy's.
	Libraries map[string]string
}

// Support says what an adapter answers for one metric.
type Support struct {
	// Pins it claims to equal; empty is the metric's default pin.
	Pins []string
	// Answers are "normalize" and names of score keys.
	Answers []string
	// Handles are the structural conditions it handles beyond one item with a
	// prediction and a reference: batch, unanswered, repeated-id,
	// no-references, option names. It is sent nothing else.
	Handles []string
	// Scale is its own top score for exact-match and F1 keys, 1 or 100; 0 is
	// the pin's.
	Scale float64
}

// Unsupported is an honest no: the adapter does not do this.
type Unsupported struct{ Why string }

func (u *Unsupported) Error() string { return "unsupported: " + u.Why }

// FaultKind is how an adapter failed to answer.
type FaultKind string

// The ways to fail.
const (
	Timeout  FaultKind = "timeout"
	Crash    FaultKind = "crash"
	Protocol FaultKind = "protocol"
)

// Fault is a failure of the adapter rather than an answer.
type Fault struct {
	Kind FaultKind
	// What says, for people, what happened or which rule was broken.
	What string
	// Line is the offending line of its output, shortened; empty where there is none.
	Line string
}

func (f *Fault) Error() string {
	if f.Line == "" {
		return string(f.Kind) + ": " + f.What
	}
	return fmt.Sprintf("%s: %s: %q", f.Kind, f.What, f.Line)
}

// AsFault returns err as a fault: itself where it is one, else a crash.
func AsFault(err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &Fault{Kind: Crash, What: err.Error()}
}

// LateFault is a fault that showed only after its request had been answered,
// such as a second answer to it. It takes the answer's place.
type LateFault struct {
	Mark  int
	Fault *Fault
}

// Closer is an Adapter that holds something open. Close ends it and returns
// the late faults.
type Closer interface {
	Adapter
	Close() ([]LateFault, error)
}

// Noted is an Adapter with something to say, once it is closed, that is the
// outcome of no request: each a clause without an end, sorted, and the same
// however many processes answered and in whatever order.
type Noted interface {
	Adapter
	Notes() []string
}
