package process

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
)

// call is a request that waits for its outcome.
type call struct {
	request   adapters.Request
	id        int64 // of the latest sending
	sends     int
	order     int64 // of the latest sending, among all
	abandoned bool  // nobody waits any more
	under     []*suspicion

	// The outcome, complete when done is closed.
	answer adapters.Answer
	err    error
	done   chan struct{}
}

// suspicion is a fault that could be any of several requests'. Each is sent
// again alone; the one that shows a fault then carries it. When none does, it
// was the request answered last before the fault (a print after its answer, a
// crash after its answer); where there is none, it takes several in flight to
// provoke it.
type suspicion struct {
	fault   *adapters.Fault
	blamed  int  // the mark of whoever carries it when no suspect does
	answers bool // blamed had been answered; else it is the first suspect
	left    int  // suspects without an outcome
	shown   bool
}

// confirmedBy says whether a suspect's fault is the one that was seen before.
// Another one is its own, and says nothing about that one. A silence is
// confirmed by anything.
func (s *suspicion) confirmedBy(f *adapters.Fault) bool {
	return s.fault.Kind == adapters.Timeout || s.fault.Kind == f.Kind && signature(s.fault) == signature(f)
}

// signature is what a fault and its repetition have in common: not what
// stderr says or what was left running, and of a broken line no ids and offsets.
func signature(f *adapters.Fault) string {
	what, _, _ := strings.Cut(f.What, "; its stderr ends: ")
	what, _, _ = strings.Cut(what, leaving)
	if f.Kind != adapters.Protocol {
		return what
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, what)
}

// locked runs f and then sends what can be sent, with mu held, and wakes those
// whose outcome is known once mu is free.
func (a *Adapter) locked(f func()) {
	a.mu.Lock()
	f()
	a.pump()
	finished := a.finished
	a.finished = nil
	a.mu.Unlock()
	for _, c := range finished {
		close(c.done)
	}
}

// pump sends what may be sent: a suspect alone, or whatever waits up to the
// limit; or it has a process started to send it to.
func (a *Adapter) pump() {
	a.suspects = slices.DeleteFunc(a.suspects, a.drop)
	if a.over != nil {
		a.finishAll(a.over)
	}
	if len(a.queue)+len(a.suspects) == 0 || a.hello == nil || a.closed {
		return
	}
	s := a.session
	if s == nil {
		a.restart()
		return
	}
	if s.ending {
		return
	}
	if len(a.suspects) > 0 {
		if len(s.pending) == 0 {
			a.send(s, a.suspects[0])
			a.suspects = a.suspects[1:]
		}
		return
	}
	sent := 0
	for _, c := range a.queue {
		if len(s.pending) >= a.limit {
			break
		}
		sent++
		if !a.drop(c) {
			a.send(s, c)
		}
	}
	a.queue = slices.Delete(a.queue, 0, sent)
}

// drop finishes a call that nobody waits for, before it is sent.
func (a *Adapter) drop(c *call) bool {
	if c.abandoned {
		a.finish(c)
	}
	return c.abandoned
}

func (a *Adapter) send(s *session, c *call) {
	// Ids are never used again: a late answer of an earlier process, or of this
	// one, would be taken for this one's.
	c.id = a.ids.Add(1) - 1
	c.sends++
	a.sequence++
	c.order = a.sequence
	if len(s.pending) == 0 {
		s.progress = time.Now()
	}
	s.pending[c.id] = c
	s.send(func(out []byte) []byte { return adapters.AppendRequest(out, c.id, c.request) })
}

// answeredNow notes an answer. What came more than a few thousand answers ago
// is forgotten: another answer to it is then one that nobody waits for.
func (s *session) answeredNow(id int64, its int) {
	s.last = mark{id: id, mark: its, valid: true}
	s.answered[id&(remembered-1)] = s.last
	s.progress = time.Now()
}

// fail ends a session for a fault and finds whose it is. It is called with mu held.
func (a *Adapter) fail(s *session, f *adapters.Fault) {
	s.stop()
	a.lastFault = f
	a.session, a.previous = nil, s
	pending := slices.SortedFunc(maps.Values(s.pending), func(x, y *call) int { return cmp.Compare(x.order, y.order) })
	clear(s.pending)
	switch {
	case len(pending) == 0 && s.last.valid:
		a.addLate(s.last.mark, afterAnswer(f))
	case len(pending) == 0:
		a.giveUp(&adapters.Fault{Kind: f.Kind, What: "after its hello, before any request: " + f.What, Line: f.Line})
	case len(pending) == 1 && (f.Kind == adapters.Timeout || !s.last.valid):
		a.convict(pending[0], f)
	default:
		a.suspect(pending, s.last, f)
	}
}

// convict makes a fault the outcome of a request that was alone in flight.
func (a *Adapter) convict(c *call, f *adapters.Fault) {
	for _, raised := range c.under {
		raised.shown = raised.shown || raised.confirmedBy(f)
	}
	c.err = f
	a.finish(c)
}

// suspect has requests sent again alone, before all others. A fault other than
// a timeout could also be the request's that was answered last, even when only
// one was in flight: hence the next is sent as the first to a fresh process.
func (a *Adapter) suspect(pending []*call, last mark, f *adapters.Fault) {
	raised := &suspicion{fault: f, blamed: pending[0].request.Mark, left: len(pending)}
	if last.valid {
		raised.blamed, raised.answers = last.mark, true
	}
	for _, c := range pending {
		c.under = append(c.under, raised)
	}
	a.suspects = append(pending, a.suspects...)
}

// finish gives a call's outcome, which is set, to whoever waits for it.
func (a *Adapter) finish(c *call) {
	a.finished = append(a.finished, c)
	for i := len(c.under) - 1; i >= 0; i-- {
		raised := c.under[i]
		if raised.left--; raised.left > 0 || raised.shown {
			continue
		}
		a.unshown(raised)
		if raised.answers && raised.fault.Kind != adapters.Timeout {
			// Its carrier was itself a suspect of the earlier ones.
			for _, earlier := range c.under[:i] {
				earlier.shown = true
			}
		}
	}
	c.under = nil
}

// unshown settles a suspicion that no suspect confirmed.
func (a *Adapter) unshown(raised *suspicion) {
	if raised.answers && raised.fault.Kind != adapters.Timeout {
		a.addLate(raised.blamed, afterAnswer(raised.fault))
		return
	}
	a.limit = 1
	if raised.fault.Kind == adapters.Timeout {
		a.remark("several requests in flight went unanswered, and each alone was answered: from then on they were sent one at a time")
		return
	}
	f := *raised.fault
	f.What = "with several requests in flight, though not with this one alone: " + f.What
	a.addLate(raised.blamed, &f)
	a.remark("a fault showed with several requests in flight, and with none alone: from then on they were sent one at a time")
}

func afterAnswer(f *adapters.Fault) *adapters.Fault {
	return &adapters.Fault{Kind: f.Kind, What: "after its answer: " + f.What, Line: f.Line}
}

// addLate keeps the first late fault of a request.
func (a *Adapter) addLate(mark int, f *adapters.Fault) {
	if _, there := a.late[mark]; !there {
		a.late[mark] = f
	}
}

func (a *Adapter) remark(text string) {
	a.remarks = withOnce(a.remarks, text)
}

// note notes what becomes part of the report.
func (a *Adapter) note(text string) { a.notes = withOnce(a.notes, text) }

func withOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// giveUp ends the whole run: nothing is sent any more.
func (a *Adapter) giveUp(f *adapters.Fault) {
	if a.over == nil {
		a.over = f
	}
}

func (a *Adapter) finishAll(f *adapters.Fault) {
	for _, c := range slices.Concat(a.suspects, a.queue) {
		its := *f
		its.What = "not sent: " + f.What
		if c.sends > 0 {
			its.What = "not sent again: " + f.What
		}
		for _, raised := range c.under {
			raised.shown = true // it will not be known
		}
		a.convict(c, &its)
	}
	a.suspects, a.queue = nil, nil
}

// restart has a fresh process started, within bounds. It is called with mu held.
func (a *Adapter) restart() {
	if a.starting {
		return
	}
	if a.restarts >= a.config.MaxRestarts {
		// What ended it so often is what the rest is not answered for.
		over := &adapters.Fault{Kind: adapters.Crash, What: fmt.Sprintf("the program was restarted %d times", a.restarts)}
		if last := a.lastFault; last != nil {
			over.Kind, over.Line = last.Kind, last.Line
			over.What += "; the last time: " + last.What
		}
		a.giveUp(over)
		a.finishAll(a.over)
		return
	}
	a.restarts++
	a.starting = true
	previous := a.previous
	a.sessions.Add(1)
	go func() {
		defer a.sessions.Done()
		if previous != nil {
			// The last run may hold a port or a lock that the next one needs.
			select {
			case <-previous.done:
			case <-time.After(closeGrace):
			}
		}
		s, _, err := a.start(a.life)
		a.locked(func() {
			a.starting = false
			if err == nil {
				err = a.adopt(s)
			}
			if err != nil {
				a.giveUp(again(err))
			}
		})
	}()
}

// watch ends a session in which nothing is answered for too long.
func (a *Adapter) watch(s *session) {
	timer := time.NewTimer(a.config.RequestTimeout)
	defer timer.Stop()
	for {
		select {
		case <-s.exited:
			return
		case <-timer.C:
		}
		wait, over := a.config.RequestTimeout, false
		a.locked(func() {
			if over = s.ending; over || len(s.pending) == 0 {
				return
			}
			if wait = time.Until(s.progress.Add(a.config.RequestTimeout)); wait <= 0 {
				over = true
				a.fail(s, a.timeout(s))
			}
		})
		if over {
			return
		}
		timer.Reset(wait)
	}
}

func (a *Adapter) timeout(s *session) *adapters.Fault {
	what := fmt.Sprintf("no answer within %v", a.config.RequestTimeout)
	if s.writing.Load() {
		what += "; the program does not read its stdin"
	}
	return &adapters.Fault{Kind: adapters.Timeout, What: what}
}
