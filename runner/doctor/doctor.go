// Package doctor finds what is wrong with how a program speaks the protocol of
// adapters/PROTOCOL.md, and says what to do about it. It does not judge
// whether the answers are right: that is what certifying is for.
//
// It speaks with the program by itself, line by line, in one short session for
// each probe, because adapters/process hides what a doctor has to see.
package doctor

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/golden"
)

// Config says which program is examined, and how patiently.
type Config struct {
	// Command is the program and its arguments; no shell is involved.
	Command []string
	// Dir is the program's working directory; empty is this process's own.
	Dir string
	// Env is added to this process's environment, as NAME=value.
	Env []string
	// StartTimeout is how long the program may take to answer the hello; 0 is 10 s.
	StartTimeout time.Duration
	// RequestTimeout is how long it may take for each later reply; 0 is 5 s.
	RequestTimeout time.Duration
	// Goldens say which pins there are.
	Goldens *golden.Set
	// Each is called after each probe; it may be nil.
	Each func(Probe)

	only  []string                      // the probes that are made; nil is all
	begin func() (*conversation, error) // in place of starting Command
	grace time.Duration                 // how long after a reply a print that belongs to it is awaited
}

func (c Config) withDefaults() Config {
	if c.StartTimeout <= 0 {
		c.StartTimeout = 10 * time.Second
	}
	if c.RequestTimeout <= 0 {
		c.RequestTimeout = 5 * time.Second
	}
	if c.grace <= 0 {
		c.grace = 2 * time.Millisecond
	}
	return c
}

// conversation is a program that runs: its streams, and how to end it.
type conversation struct {
	stdin          io.WriteCloser
	stdout, stderr io.Reader
	kill           func()
	// wait waits for the end and says how it was. It is told when both outputs
	// were read to their end.
	wait func(drained <-chan struct{}) string
	// left says, after that, what it left running; nil is nothing.
	left func() []string
}

func (c Config) start() (*conversation, error) {
	if c.begin != nil {
		return c.begin()
	}
	// Python's own setting would hide a missing flush from whoever has it, and
	// not from those who have not. Empty is as good as not set.
	env := append(slices.Clone(c.Env), "PYTHONUNBUFFERED=")
	program, err := process.Config{Command: c.Command, Dir: c.Dir, Env: env}.Start()
	if err != nil {
		return nil, err
	}
	return &conversation{
		stdin: program.Stdin, stdout: program.Stdout, stderr: program.Stderr, kill: program.Kill,
		wait: func(drained <-chan struct{}) string { return program.Wait(drained).String() },
		left: func() []string { return program.Left },
	}, nil
}

// Status is how a probe ended.
type Status string

// The ways in which a probe ends. Note says something that is worth knowing
// and nothing that is wrong.
const (
	OK      Status = "ok"
	Wrong   Status = "wrong"
	Note    Status = "note"
	Skipped Status = "skipped"
)

// Probe is one thing that was looked at.
type Probe struct {
	Name   string
	Status Status
	// Detail is what was seen in a few words, or why the probe was skipped.
	Detail string
	// Findings are what there is to say; a skipped or sound probe has none.
	Findings []Finding

	blocker string // the probe whose fault was in the way
}

// Finding is one thing that is wrong, or worth knowing.
type Finding struct {
	// What is wrong, in one line.
	What string
	// Sent and Got are the lines that were exchanged; empty where there is none.
	Sent, Got []byte
	// Stderr is the end of what the program wrote there, where that helps.
	Stderr string
	// Rule is the rule of the protocol that it is about.
	Rule string
	// Do says what to do about it.
	Do string
	// Note says that it is worth knowing and not wrong.
	Note bool
}

// Report is all that was found.
type Report struct {
	Command []string
	// Adapter is the name of the hello; empty where there was none.
	Adapter string
	Probes  []Probe
	// Interrupted says that not all probes were made.
	Interrupted bool
}

// Count returns how many probes ended so.
func (r *Report) Count(status Status) int {
	n := 0
	for _, probe := range r.Probes {
		if probe.Status == status {
			n++
		}
	}
	return n
}

// Run examines the program. The error says that it cannot be started at all (a
// mistake in the command is a *process.StartError or names the program), or is
// the context's, when the report holds the probes that were made until then.
func Run(ctx context.Context, config Config) (*Report, error) {
	e := &exam{config: config.withDefaults(), ctx: ctx, met: map[string]string{}}
	report := &Report{Command: config.Command}
	var blocked []Probe
	for _, p := range probes() {
		if config.only != nil && !p.always && !slices.Contains(config.only, p.name) || p.of != "" && !e.handled(p.of) {
			continue
		}
		if e.over != "" {
			report.add(config, Probe{Name: "all the rest", Status: Skipped, Detail: e.over})
			break
		}
		e.begin(p.name)
		p.run(e)
		if e.failure != nil {
			return report, e.failure
		}
		if ctx.Err() != nil {
			report.Interrupted = true
			return report, ctx.Err()
		}
		report.Adapter = e.hello.Name
		if done := e.end(); done.blocker == "" {
			report.add(config, done)
		} else {
			blocked = append(blocked, done)
		}
	}
	for _, one := range joined(blocked) {
		report.add(config, one)
	}
	return report, nil
}

// joined makes one line of all probes that the same fault was in the way of.
func joined(blocked []Probe) []Probe {
	var list []Probe
	for _, p := range blocked {
		at := slices.IndexFunc(list, func(earlier Probe) bool { return earlier.blocker == p.blocker })
		if at < 0 {
			p.Detail = "the fault named under " + p.blocker + " is in the way"
			list = append(list, p)
			continue
		}
		list[at].Name += ", " + p.Name
	}
	return list
}

func (r *Report) add(config Config, probe Probe) {
	r.Probes = append(r.Probes, probe)
	if config.Each != nil {
		config.Each(probe)
	}
}

// probe is one thing to look at. Those that are always made are what the
// others need.
type probe struct {
	name   string
	always bool
	run    func(*exam)
	of     string // the condition that has to be named; empty is none
}

// probes are all probes, in the order in which they are made: what explains
// most comes first.
func probes() []probe {
	list := []probe{
		{name: "start", always: true, run: probeStart},
		{name: "end of input", always: true, run: probeEnd},
		{name: "one request", always: true, run: probeOneRequest},
		{name: "more requests", run: probeMoreRequests},
		{name: "two requests at once", run: probeTwoAtOnce},
		{name: "many requests at once", run: probeManyAtOnce},
		{name: "pins", run: probePins},
		{name: "scores", run: probeScores},
		{name: "scale", run: probeScale},
		{name: "rounding", run: probeRounding},
		{name: "references", run: probeReferences},
		{name: "odd strings", run: probeOddStrings},
	}
	for _, c := range characters {
		list = append(list, probe{name: c.name, run: c.probe})
	}
	for _, condition := range conditions() {
		list = append(list, probe{name: "handles " + condition, of: condition, run: func(e *exam) { probeHandles(e, condition) }})
	}
	return append(list,
		probe{name: "empty batch", run: probeEmptyBatch},
		probe{name: "no_answer_probability", run: probeProbability},
		probe{name: "a long string", run: probeLongString},
		probe{name: "many references", run: probeManyReferences},
		probe{name: "deep Unicode", run: probeDeepUnicode},
		probe{name: "not named", run: probeNotNamed},
	)
}
