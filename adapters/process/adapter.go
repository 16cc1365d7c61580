package process

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/normcert/normcert/adapters"
)

// Adapter is an external program that answers the protocol. It implements
// [adapters.Closer]; Hello and Answer are safe for concurrent use. It must be
// closed, or the program goes on.
//
// A fault that cannot be laid at one request's door (a crash, a line that is
// no answer to anything, silence) ends the process. The requests that were in
// flight are sent again one at a time, the first to a fresh process, and the
// one that is alone in flight when it happens again carries it. When it does
// not happen again, the request answered last before it carries it as a
// [adapters.LateFault]. Restarts are bounded by [Config.MaxRestarts]; what is
// unanswered then is a crash.
//
// Answers are matched by id. The last 4096 answers of a process are
// remembered, so that a second answer is held against its own request; one to
// an older request is a line that answers nothing.
type Adapter struct {
	config Config
	path   string
	stderr tail
	ids    atomic.Int64 // of hellos and requests, over the whole life

	life     context.Context // ends with Close
	end      context.CancelFunc
	sessions sync.WaitGroup // everything that runs on its own
	greeting sync.Mutex     // held while the first process starts

	mu        sync.Mutex
	hello     *adapters.Hello // of the first process
	session   *session        // nil between two processes
	previous  *session
	starting  bool
	restarts  int
	limit     int     // how many may be in flight
	queue     []*call // never sent, and not suspected
	suspects  []*call // to be sent again alone, before the queue
	finished  []*call // to be woken when mu is free
	sequence  int64
	lastFault *adapters.Fault // that ended a process
	over      *adapters.Fault // nothing is sent any more, and why
	late      map[int]*adapters.Fault
	notes     []string
	remarks   []string
	closed    bool
}

var (
	_ adapters.Closer = (*Adapter)(nil)
	_ adapters.Noted  = (*Adapter)(nil)
)

// New looks the program up; it is started by the first Hello. The error names
// the program and says what to do.
func New(config Config) (*Adapter, error) {
	config = config.withDefaults()
	path, err := config.find()
	if err != nil {
		return nil, err
	}
	a := &Adapter{config: config, path: path, limit: config.Window, late: map[int]*adapters.Fault{}}
	a.life, a.end = context.WithCancel(context.Background())
	return a, nil
}

// Hello starts the program, the first time, and returns what it says of
// itself. The error is a *StartError, or the context's.
func (a *Adapter) Hello(ctx context.Context) (adapters.Hello, error) {
	a.greeting.Lock()
	defer a.greeting.Unlock()
	a.mu.Lock()
	known, closed := a.hello, a.closed
	a.mu.Unlock()
	switch {
	case known != nil:
		return *known, nil
	case closed:
		return adapters.Hello{}, errClosed
	}
	s, hello, err := a.start(ctx)
	if err != nil {
		return adapters.Hello{}, err
	}
	a.locked(func() {
		if err = a.adopt(s); err == nil {
			a.hello = &hello
		}
	})
	return hello, err
}

var errClosed = errors.New("the adapter is closed")

// adopt makes a session that has greeted the one that requests are sent to.
func (a *Adapter) adopt(s *session) error {
	switch {
	case a.closed:
		s.stop()
		return errClosed
	case s.early != nil:
		s.stop()
		return &StartError{Command: a.config.Command, What: "it answered the hello, and then, before any request: " + s.early.What, Line: s.early.Line, Stderr: s.said.String(), Hint: hintProtocol}
	}
	a.session = s
	a.sessions.Add(1)
	go func() {
		defer a.sessions.Done()
		a.watch(s)
	}()
	return nil
}

// again is the fault of requests that wait when a fresh process does not start.
func again(err error) *adapters.Fault {
	f := &adapters.Fault{Kind: adapters.Crash, What: "the program did not start again: " + err.Error()}
	if failure := (*StartError)(nil); errors.As(err, &failure) {
		f.What, f.Line = "the program did not start again: "+failure.What, failure.Line
	}
	return f
}

// Answer implements [adapters.Adapter]. Of all that wait for an answer,
// [Config.Window] requests at most are in flight.
func (a *Adapter) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	a.mu.Lock()
	greeted := a.hello != nil
	a.mu.Unlock()
	if !greeted {
		if _, err := a.Hello(ctx); err != nil {
			return adapters.Answer{}, err
		}
	}
	c := &call{request: request, done: make(chan struct{})}
	a.locked(func() { a.queue = append(a.queue, c) })
	select {
	case <-c.done:
	case <-ctx.Done():
		a.locked(func() { c.abandoned = true })
		return adapters.Answer{}, ctx.Err()
	}
	return c.answer, c.err
}

// Close closes the program's stdin, gives it two seconds to end, and kills
// what is left of it and of all it started; with requests still in flight it
// kills at once, and they end as crashes. It returns the late faults by mark,
// at most one for each. The exit status is no verdict. A second Close returns
// the same.
func (a *Adapter) Close() ([]adapters.LateFault, error) {
	var s *session
	a.locked(func() {
		if a.closed {
			return
		}
		s = a.session
		a.closed = true
		a.giveUp(&adapters.Fault{Kind: adapters.Crash, What: errClosed.Error()})
		if s != nil && len(s.pending) > 0 {
			for _, c := range s.pending {
				c.err = &adapters.Fault{Kind: adapters.Crash, What: "the adapter was closed before the answer"}
				a.finish(c)
			}
			clear(s.pending)
			s.stop()
		} else if s != nil {
			s.closing = true
		}
	})
	a.end()
	if s != nil {
		s.closeInput()
	}
	a.greeting.Lock() // a first start that is under way ends now
	defer a.greeting.Unlock()
	err := a.wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	var late []adapters.LateFault
	for _, mark := range slices.Sorted(maps.Keys(a.late)) {
		late = append(late, adapters.LateFault{Mark: mark, Fault: a.late[mark]})
	}
	return late, err
}

// closeInput closes stdin and ends the program if that does not.
func (s *session) closeInput() {
	// Closing waits for a write that is stuck, on some systems.
	go s.stdin.Close()
	select {
	case <-s.done:
		return
	case <-time.After(closeGrace):
	}
	select {
	case <-s.exited: // and what it left is being ended
		return
	default:
	}
	s.owner.mu.Lock()
	s.owner.note(fmt.Sprintf("the program went on after its stdin was closed, and was ended after %v", closeGrace))
	s.owner.mu.Unlock()
	s.group.kill()
}

// wait waits until nothing runs any more.
func (a *Adapter) wait() error {
	idle := make(chan struct{})
	go func() {
		a.sessions.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-time.After(2 * closeGrace):
		return fmt.Errorf("%s was killed and is still there", a.config.Command[0])
	}
}

// Stderr returns the end of what the program wrote to stderr, over all its
// processes: at most 8 KB.
func (a *Adapter) Stderr() string { return a.stderr.String() }

// Restarts returns how many times a fresh process was started after a fault.
func (a *Adapter) Restarts() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.restarts
}

// Notes implements [adapters.Noted]: what the program left behind at the end.
func (a *Adapter) Notes() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(slices.Values(a.notes))
}

// Remarks returns how the program had to be asked. It is no part of a report:
// it depends on how many processes there are.
func (a *Adapter) Remarks() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	remarks := slices.Clone(a.remarks)
	if a.restarts > 0 {
		remarks = append(remarks, fmt.Sprintf("after faults it was started again %d times", a.restarts))
	}
	return remarks
}
