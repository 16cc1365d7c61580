package process

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/normcert/normcert/adapters"
)

// session is one run of the program: its process, its pipes, and the requests
// it has not answered. What follows mu's mark is guarded by the Adapter's mu.
type session struct {
	program
	owner *Adapter
	said  tail // the end of this run's stderr

	greeting   chan greeting // takes one: the answer to the hello, or why there is none
	wake       chan struct{} // there is something to write
	exited     chan struct{} // the process is reaped
	stderrDone chan struct{}
	readDone   chan struct{}
	done       chan struct{} // all of it is over
	writing    atomic.Bool   // a write is going on: the program may not be reading
	replies    []reply       // the reader's, to be filled again
	left       []string      // what went on when the process had ended; set before exited

	// mu's
	greeted  bool
	ending   bool // nothing more is sent, and what it says is not heard
	closing  bool // its stdin was closed at the end of the run
	out      []byte
	pending  map[int64]*call
	answered [remembered]mark // by id modulo its length
	last     mark             // the request answered last; invalid where there is none
	progress time.Time        // since when every waiting request has been waiting
	early    *adapters.Fault  // what went wrong between the hello and the first request
}

// mark names an answered request.
type mark struct {
	id    int64
	mark  int
	valid bool
}

// greeting is the first thing a program does.
type greeting struct {
	line  []byte
	extra []byte          // a line that came together with it
	fault *adapters.Fault // in place of a line
}

// launch starts the program.
func (a *Adapter) launch() (*session, error) {
	s := &session{
		owner: a, greeting: make(chan greeting, 1), wake: make(chan struct{}, 1), exited: make(chan struct{}),
		stderrDone: make(chan struct{}), readDone: make(chan struct{}), done: make(chan struct{}), pending: map[int64]*call{},
	}
	if err := s.begin(a.path, a.config, outputPipe); err != nil {
		return nil, err
	}
	a.sessions.Add(1)
	go s.reap()
	go s.drain()
	go s.read()
	go s.write()
	return s, nil
}

// reap waits for the process itself, ends what it left behind, and closes the
// pipes that an escaped descendant may still hold.
func (s *session) reap() {
	defer s.owner.sessions.Done()
	defer close(s.done)
	_ = s.cmd.Wait()
	s.sweep()
	close(s.exited)
	_ = s.stdin.Close()
	patience := time.NewTimer(exitGrace)
	defer patience.Stop()
	for _, finished := range []chan struct{}{s.readDone, s.stderrDone} {
		select {
		case <-finished:
		case <-patience.C:
			patience.Reset(0)
		}
	}
	_ = s.stdout.Close()
	_ = s.stderr.Close()
	select {
	case <-s.readDone:
	default:
		// Something that was not found holds stdout, and the read may not end.
		s.owner.ended(s, nil)
	}
}

// sweep ends what the process left behind.
func (s *session) sweep() {
	s.owner.mu.Lock()
	closing := s.closing
	s.owner.mu.Unlock()
	s.left = s.group.sweep(patienceOnceOver(closing))
	s.group.close()
	if closing && len(s.left) > 0 {
		s.owner.mu.Lock()
		defer s.owner.mu.Unlock()
		s.owner.note("when its stdin was closed the program ended and " + leftBehind(s.left))
	}
}

// patienceOnceOver is how long what a program leaves may go on: a moment at the
// end of a run, and in the middle of one not at all, for it is not to answer.
func patienceOnceOver(over bool) time.Duration {
	if over {
		return exitGrace
	}
	return 0
}

// What is said of that; in a fault it begins with leaving.
const (
	leftRunning = "left processes running"
	leaving     = "; it " + leftRunning
)

// leftBehind names what a program left, for a fault or a note.
func leftBehind(names []string) string {
	const most = 3
	text := leftRunning + ", which normcert ended: " + strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// stop ends the process and its group. It returns at once.
func (s *session) stop() {
	s.ending = true
	s.group.kill()
}

// drain reads stderr to its end, however much it is, and keeps the tail.
func (s *session) drain() {
	defer close(s.stderrDone)
	buffer := make([]byte, 32<<10)
	for {
		n, err := s.stderr.Read(buffer)
		_, _ = s.said.Write(buffer[:n])
		_, _ = s.owner.stderr.Write(buffer[:n])
		if err != nil {
			return
		}
	}
}

// write hands over what is to be sent. It has its own goroutine, since a
// program that never reads blocks it.
func (s *session) write() {
	var chunk []byte
	for {
		select {
		case <-s.wake:
		case <-s.exited:
			return
		}
		// Whoever else can send now does: fewer and longer writes.
		runtime.Gosched()
		s.owner.mu.Lock()
		chunk, s.out = s.out, chunk[:0]
		s.owner.mu.Unlock()
		s.writing.Store(true)
		_, err := s.stdin.Write(chunk)
		s.writing.Store(false)
		if err != nil {
			// The program closed its stdin or ended: the end of its stdout or the
			// deadline will tell, and until then it may answer what it has read.
			return
		}
	}
}

// read hands over whole chunks of complete lines, so that what was flushed
// together is judged together.
func (s *session) read() {
	defer close(s.readDone)
	const spare = 64 << 10
	buffer := make([]byte, 0, 2*spare)
	waiting := 0
	for {
		if cap(buffer)-len(buffer) < spare {
			buffer = append(make([]byte, 0, 2*cap(buffer)), buffer...)
		}
		n, err := s.stdout.Read(buffer[len(buffer):cap(buffer)])
		fresh := buffer[len(buffer) : len(buffer)+n]
		whole := len(buffer) + bytes.LastIndexByte(fresh, '\n') + 1
		buffer = buffer[:len(buffer)+n]
		if bytes.IndexByte(fresh, '\n') >= 0 {
			waiting = s.owner.receive(s, buffer[:whole])
			buffer = append(buffer[:0], buffer[whole:]...)
		}
		if len(buffer) > maxLine {
			s.owner.flooded(s, buffer)
			return
		}
		switch {
		case err != nil:
			s.owner.ended(s, buffer)
			return
		case waiting >= gatherFrom:
			time.Sleep(gather)
		default:
			// Whoever was woken sends first: a read that has to wait keeps its
			// processor for a while.
			runtime.Gosched()
		}
	}
}

// send queues a line for writing, which the function given appends.
func (s *session) send(line func(out []byte) []byte) {
	s.out = append(line(s.out), '\n')
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// exit says how the process ended, once stdout has ended: in words, and
// whether it has ended at all.
func (s *session) exit() (how string, ended bool) {
	select {
	case <-s.exited:
	case <-time.After(exitGrace):
		return "", false
	}
	select {
	case <-s.stderrDone:
	case <-time.After(exitGrace):
	}
	return s.cmd.ProcessState.String(), true
}

// endFault describes the end of stdout, with what was left of a line and, once
// the program has greeted, with the end of stderr.
func (s *session) endFault(rest []byte, greeted bool) *adapters.Fault {
	how, ended := s.exit()
	what := "the program closed its stdout and kept running"
	if ended {
		what = "the program ended (" + how + ")"
	}
	if len(rest) > 0 {
		what += " in the middle of a line"
	}
	if ended && len(s.left) > 0 {
		what += "; it " + leftBehind(s.left)
	}
	if text := s.said.brief(); greeted && text != "" {
		what += "; its stderr ends: " + text
	}
	return &adapters.Fault{Kind: adapters.Crash, What: what, Line: shorten(rest)}
}

func shorten(line []byte) string {
	return strings.TrimRight(adapters.Shorten(line), "\r\n")
}
