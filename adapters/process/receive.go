package process

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/normcert/normcert/adapters"
)

// reply is a line of stdout with the id it names. fault is the rule it breaks,
// whatever it answers.
type reply struct {
	adapters.Reply
	line       []byte
	id         int64
	attributed bool
	fault      *adapters.Fault
}

func newReply(line []byte) reply {
	r := reply{line: line, attributed: true}
	var err error
	if r.Reply, err = adapters.ReadReply(line); err == nil {
		r.id = r.ID
		return r
	}
	r.fault = adapters.AsFault(err)
	if r.id, err = adapters.DecodeReplyID(line); err == nil {
		return r
	}
	r.fault = adapters.AsFault(err)
	if len(bytes.TrimSpace(line)) == 0 {
		r.fault = &adapters.Fault{Kind: adapters.Protocol, What: "the program wrote an empty line; every line of stdout must be an answer"}
	}
	r.id, r.attributed = replyID(line)
	return r
}

// replyID finds the id in a line that is not right JSON (a bare NaN, a
// duplicate key, bytes that are not UTF-8), so that the line can be held
// against its own request. It is never believed beyond that. An id that comes
// after the mistake is not found, and of two different ones neither is.
func replyID(line []byte) (id int64, found bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return 0, false
	}
	for {
		name, err := decoder.ReadToken()
		if err != nil || name.Kind() != '"' {
			return id, found
		}
		isID := name.String() == "id"
		value, err := decoder.ReadValue()
		if err != nil {
			return id, found
		}
		if !isID {
			continue
		}
		another, err := adapters.DecodeReplyID(fmt.Appendf(nil, `{"id":%s}`, value))
		if err != nil || found && another != id {
			return 0, false
		}
		id, found = another, true
	}
}

// receive takes complete lines. All of them are judged before anyone who waits
// for one is woken, so that a print that was flushed together with an answer
// is held against that answer and not against the next request. It returns how
// many requests are still without one.
func (a *Adapter) receive(s *session, chunk []byte) (waiting int) {
	replies := s.replies[:0]
	for line := range bytes.Lines(chunk) {
		replies = append(replies, newReply(bytes.TrimSuffix(line, []byte("\n"))))
	}
	defer func() {
		s.replies = replies
		clear(replies)
	}()
	a.locked(func() {
		defer func() { waiting = len(s.pending) }()
		for i, r := range replies {
			switch {
			case s.ending:
				return
			case !s.greeted:
				s.greeted = true
				// The chunk is overwritten by the next read.
				first := greeting{line: bytes.Clone(r.line)}
				if i+1 < len(replies) {
					first.extra = bytes.Clone(replies[i+1].line)
				}
				s.greeting <- first
				if first.extra != nil {
					return
				}
			case a.session != s:
				s.early = &adapters.Fault{Kind: adapters.Protocol, What: "the program wrote a line after its hello, before any request", Line: shorten(r.line)}
				return
			default:
				a.take(s, r)
			}
		}
	})
	return waiting
}

// take judges one line. It is called with mu held.
func (a *Adapter) take(s *session, r reply) {
	if !r.attributed {
		a.fail(s, r.fault)
		return
	}
	if c := s.pending[r.id]; c != nil {
		delete(s.pending, r.id)
		s.answeredNow(r.id, c.request.Mark)
		if r.fault != nil {
			c.err = r.fault
		} else {
			c.answer, c.err = r.Answer(c.request.Op)
		}
		a.finish(c)
		return
	}
	if earlier := s.answered[r.id&(remembered-1)]; earlier.valid && earlier.id == r.id {
		a.addLate(earlier.mark, &adapters.Fault{Kind: adapters.Protocol, What: "the request was answered twice; the second answer", Line: shorten(r.line)})
		return
	}
	what := "the reply's id is not that of a waiting request; echo the request's"
	if r.fault != nil {
		what = r.fault.What
	}
	a.fail(s, &adapters.Fault{Kind: adapters.Protocol, What: what, Line: shorten(r.line)})
}

// flooded is called when a line has no end.
func (a *Adapter) flooded(s *session, start []byte) {
	a.broken(s, &adapters.Fault{Kind: adapters.Protocol, What: fmt.Sprintf("the program wrote a line longer than %d MB", maxLine>>20), Line: shorten(start)})
}

// ended is called when stdout has ended, with what came after its last newline.
func (a *Adapter) ended(s *session, rest []byte) {
	a.mu.Lock()
	over := s.ending
	s.ending = true // nothing more is sent while the reason is looked for
	closing, greeted := s.closing, s.greeted
	a.mu.Unlock()
	switch {
	case over:
	case closing && len(rest) == 0:
	case closing:
		a.broken(s, &adapters.Fault{Kind: adapters.Protocol, What: "the program ended its stdout in the middle of a line", Line: shorten(rest)})
	default:
		a.broken(s, s.endFault(rest, greeted))
	}
}

// broken takes a fault of the whole session, in whatever state it is.
func (a *Adapter) broken(s *session, f *adapters.Fault) {
	a.locked(func() {
		switch {
		case !s.greeted:
			s.greeted = true
			s.stop()
			s.greeting <- greeting{fault: f}
		case a.session != s:
			s.early = f
			s.stop()
		default:
			a.fail(s, f)
		}
	})
}
