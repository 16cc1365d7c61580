package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// mostRestarts bounds the fresh processes of one exchange.
const mostRestarts = 5

// reply is a request and what came back.
type reply struct {
	request adapters.Request
	id      int64
	order   int // among those of its exchange
	sent    []byte
	line    []byte // empty where there was none

	// readable says that the line is a reply by the rules; one of what follows
	// is set then, or answer is.
	readable    bool
	answer      adapters.Answer
	refusal     *metric.Refusal
	unsupported *adapters.Unsupported
}

// given reports whether it was answered, neither refused nor declined.
func (r *reply) given() bool { return r.readable && r.refusal == nil && r.unsupported == nil }

// value is a score of it.
func (r *reply) value(key metric.Key) float64 { return r.answer.Scores[key.Name] }

// ask puts requests one after the other, each after the reply to the one
// before. After a crash or a broken line a fresh process gets the rest.
func (e *exam) ask(requests ...adapters.Request) []*reply {
	replies := e.replies(requests)
	if e.unflushed {
		e.askAtOnce(replies)
		return replies
	}
	var s *session
	defer func() {
		if s != nil {
			e.last(s, replies[len(replies)-1].sent)
		}
	}()
	restarts := 0
	for i, r := range replies {
		if s == nil {
			if restarts++; restarts > mostRestarts+1 {
				return replies
			}
			if s = e.greeted(); s == nil {
				return replies
			}
		}
		s.send(r.sent)
		pending := map[int64]*reply{r.id: r}
		what := e.collect(s, pending)
		switch {
		case what != gotLine || len(r.line) > 0 && !json.Valid(r.line):
			s.stop() // what is left of the line is no reply, and no print either
			s = nil
		case i+1 < len(replies):
			e.prints(s, r.sent)
		}
		if e.ctx.Err() != nil {
			return replies
		}
	}
	return replies
}

func (e *exam) replies(requests []adapters.Request) []*reply {
	replies := make([]*reply, len(requests))
	for i, request := range requests {
		id := e.nextID()
		replies[i] = &reply{request: request, id: id, order: i, sent: adapters.EncodeRequest(id, request)}
	}
	return replies
}

// askAtOnce is for a program that replies only when its stdin is closed.
func (e *exam) askAtOnce(replies []*reply) {
	s, err := open(e.config)
	if err != nil {
		e.failure = err
		return
	}
	defer s.stop()
	hello := e.nextID()
	s.send(adapters.EncodeHelloRequest(hello))
	pending := map[int64]*reply{}
	for _, r := range replies {
		s.send(r.sent)
		pending[r.id] = r
	}
	s.closeInput()
	deadline := time.Now().Add(e.patient)
	for {
		got, what := s.next(e.ctx, time.Until(deadline))
		if what != gotLine || isReplyTo(got.text, hello) {
			break
		}
	}
	e.collect(s, pending)
}

func isReplyTo(text []byte, id int64) bool {
	got, err := adapters.DecodeReplyID(text)
	return err == nil && got == id
}

// greeted starts the program and waits for its hello. What is wrong with that
// was found by the first probe; nil means that it did not come this time.
func (e *exam) greeted() *session {
	s, err := open(e.config)
	if err != nil {
		e.failure = err
		return nil
	}
	id := e.nextID()
	request := adapters.EncodeHelloRequest(id)
	s.send(request)
	deadline := time.Now().Add(e.patient)
	for {
		got, what := s.next(e.ctx, time.Until(deadline))
		switch {
		case what != gotLine:
			e.fault(s, what, request, e.patient)
			s.stop()
			return nil
		case isReplyTo(got.text, id):
			return s
		}
	}
}

// collect reads lines until every pending request has its reply, and returns
// gotLine, or what came instead.
func (e *exam) collect(s *session, pending map[int64]*reply) event {
	patience := e.config.RequestTimeout
	deadline := time.Now().Add(patience)
	for len(pending) > 0 {
		got, what := s.next(e.ctx, time.Until(deadline))
		if what != gotLine {
			e.fault(s, what, first(pending).sent, patience)
			return what
		}
		before := len(pending)
		e.take(s, got, pending)
		if len(pending) < before {
			deadline = time.Now().Add(patience)
		}
	}
	return gotLine
}

// first is the pending request that was sent first. There is one.
func first(pending map[int64]*reply) *reply {
	list := slices.SortedFunc(maps.Values(pending), func(a, b *reply) int { return a.order - b.order })
	return list[0]
}

// looseID finds an id in a line that is no right JSON.
var looseID = regexp.MustCompile(`^\s*\{.*?["']id["']\s*:\s*(-?\d+)\b`)

// take holds a line against the requests that wait.
func (e *exam) take(s *session, got line, pending map[int64]*reply) {
	waiting := first(pending)
	id, err := adapters.DecodeReplyID(got.text)
	r, isAnswer := pending[id]
	switch {
	case err == nil && isAnswer:
		s.answered[id] = true
		delete(pending, id)
		e.read(s, r, got.text)
	case err == nil && s.answered[id]:
		e.twice(got.text)
	case looksLikeReply(got.text):
		if match := looseID.FindSubmatch(got.text); match != nil {
			id, _ := strconv.ParseInt(string(match[1]), 10, 64)
			if s.answered[id] {
				e.twice(got.text)
				return
			}
			if its, waits := pending[id]; waits {
				waiting = its
			}
		}
		delete(pending, waiting.id)
		s.answered[waiting.id] = true
		waiting.line = got.text
		if err == nil {
			e.find("wrong id", wrongID(waiting, got.text))
		} else {
			key, finding := broken(waiting, got, adapters.AsFault(err))
			e.find(key, finding)
		}
	default:
		e.stray(waiting.sent, got.text)
	}
}

// read decodes a reply that has the right id.
func (e *exam) read(s *session, r *reply, text []byte) {
	r.line = text
	answer, err := adapters.DecodeReply(text, r.request.Op)
	var fault *adapters.Fault
	switch {
	case errors.As(err, &r.refusal), errors.As(err, &r.unsupported):
		r.readable = true
		return
	case err != nil:
		fault = adapters.AsFault(err)
	default:
		r.answer = answer
		fault = answer.Check(r.request, e.hello.Metrics[r.request.Metric])
		r.readable = true
		if fault != nil && e.quiet {
			r.readable = false
		}
	}
	if fault != nil {
		key, finding := broken(r, line{text: text}, fault)
		e.find(key, finding)
	}
}

// looksLikeReply reports whether a line was meant to be one.
func looksLikeReply(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	if !json.Valid(text) {
		return true
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields)
	for _, name := range []string{"id", "text", "scores", "error", "unsupported"} {
		if _, there := fields[name]; there {
			return true
		}
	}
	return false
}

// prints takes what comes right after a reply: a print that goes with it. Of
// prints without end a hundred are enough.
func (e *exam) prints(s *session, sent []byte) {
	for range 100 {
		got, what := s.next(e.ctx, e.config.grace)
		if what != gotLine {
			return
		}
		e.surplus(s, sent, got.text)
	}
}

// surplus is a line for which nothing waits.
func (e *exam) surplus(s *session, sent, text []byte) {
	if id, err := adapters.DecodeReplyID(text); err == nil && s.answered[id] {
		e.twice(text)
		return
	}
	e.stray(sent, text)
}

// last ends a session and looks at what comes after the last reply.
func (e *exam) last(s *session, sent []byte) {
	if e.stays {
		e.prints(s, sent)
		s.stop()
		return
	}
	rest, _ := s.finish(e.ctx, endGrace)
	for _, got := range rest {
		if !e.lastWords[string(got.text)] {
			e.surplus(s, sent, got.text)
		}
	}
}

func (e *exam) twice(text []byte) {
	e.find("twice", Finding{
		What: "one request got two replies", Got: text,
		Rule: "Each request gets exactly one reply.",
		Do:   "Write one line for each line that you read.",
	})
}

func (e *exam) stray(sent, text []byte) {
	e.find(keyStray, Finding{
		What: "a line on stdout that is no reply", Sent: sent, Got: text,
		Rule: ruleStdout, Do: adviceStdout,
	})
}
