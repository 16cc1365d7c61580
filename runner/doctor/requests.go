package doctor

import (
	"fmt"

	"github.com/normcert/normcert/adapters"
)

// plain are the simplest requests for what a claim answers: a text, a pair that
// matches and one that does not.
func (c *claim) plain() []adapters.Request {
	var requests []adapters.Request
	if c.normalizes() {
		requests = append(requests, c.normalize("paris"))
	}
	if c.scores() {
		requests = append(requests, c.pair("paris", "paris"), c.pair("rome", "paris"))
	}
	return requests
}

// probeOneRequest asks the simplest request there is, with stdin left open.
// Without a reply to that nothing else is worth asking.
func probeOneRequest(e *exam) {
	requests := e.claims[0].plain()[:1]
	r := e.ask(requests...)[0]
	if !e.unflushed && len(r.line) == 0 && e.flushesAtEnd(r) {
		return
	}
	switch {
	case len(r.line) == 0:
		e.over = "it does not answer a plain request"
	case r.unsupported != nil:
		e.find("unsupported "+r.request.Metric, Finding{
			What: "it says no to a plain request for what its hello names", Sent: r.sent, Got: r.line,
			Rule: "You are asked for what you claim and nothing else.",
			Do:   "Compare the names in the request with those in your code; take out of the hello what you do not answer.",
		})
	case r.refusal != nil:
		e.find("refuses "+r.request.Metric, Finding{
			What: "it answers a plain request with an error", Sent: r.sent, Got: r.line,
			Rule: "An error says that the metric refuses the input, as upstream does by raising.",
			Do:   "The message may say why. Do not catch your own bugs: let the program end, and it shows as a crash.",
		})
	}
}

// flushesAtEnd looks whether a reply that did not come comes when stdin is
// closed. The silence was reported already; this takes its place.
func (e *exam) flushesAtEnd(r *reply) bool {
	if e.met["silence of "+e.current.Name] == "" {
		return false
	}
	e.unflushed = true
	before := e.current.Findings
	e.current.Findings = nil
	again := e.ask(r.request)[0]
	if len(again.line) == 0 {
		e.unflushed, e.current.Findings = false, before
		return false
	}
	e.find("unflushed", Finding{
		What: "the reply comes only when stdin is closed", Sent: again.sent, Got: again.line,
		Rule: "Flush after each reply; normcert waits for it before it goes on.",
		Do:   adviceFlush,
	})
	return true
}

// probeMoreRequests asks for the same several times, and so with other ids.
func probeMoreRequests(e *exam) {
	plain := e.claims[0].plain()[0]
	replies := e.ask(plain, plain, plain, plain)
	if !e.unflushed && len(replies[0].line) > 0 && len(replies[1].line) == 0 && e.ctx.Err() == nil {
		e.over = "it answers one request only"
	}
}

// probeTwoAtOnce writes two requests in one go, as normcert does.
func probeTwoAtOnce(e *exam) {
	if e.unflushed {
		e.skip("its replies come only when stdin is closed")
		return
	}
	s := e.greeted()
	if s == nil {
		return
	}
	defer s.stop()
	plain := e.claims[0].plain()[0]
	replies := e.replies([]adapters.Request{plain, plain, plain})
	two := append(append(append([]byte{}, replies[0].sent...), '\n'), replies[1].sent...)
	s.send(two)
	pending := map[int64]*reply{replies[0].id: replies[0], replies[1].id: replies[1]}
	// Silence and a crash have a reason of their own here.
	e.quiet = true
	what := e.collect(s, pending)
	e.quiet = false
	if len(pending) == 0 || what == interrupted {
		return
	}
	finding := Finding{
		Sent: two, Stderr: s.said.last(),
		Rule: "Several requests are in flight: normcert sends the next ones before it has the reply to the first.",
		Do:   "Read line by line, and do not throw away what was read beyond the first line. Node: for await (const line of createInterface({ input: process.stdin })), not one request for each \"data\" event. Python: for line in sys.stdin",
	}
	if what == endOfOutput {
		finding.What = fmt.Sprintf("two requests that come at once, and %d of 2 get a reply; then it ends (%s)", 2-len(pending), s.how())
		finding.Stderr = s.said.last()
		e.find("two", finding)
		return
	}
	finding.What = fmt.Sprintf("two requests that come at once, and only %d of 2 get a reply", 2-len(pending))
	s.send(replies[2].sent)
	pending[replies[2].id] = replies[2]
	before := len(pending)
	e.quiet = true
	e.collect(s, pending)
	e.quiet = false
	if _, still := pending[replies[1].id]; !still && len(pending) < before {
		finding.What = "of two requests that come at once the second gets its reply only after a third is sent"
		finding.Got = replies[1].line
	}
	e.find("two", finding)
}

// manyAtOnce is how many requests normcert sends ahead.
const manyAtOnce = 64

func probeManyAtOnce(e *exam) {
	if e.unflushed {
		e.skip("its replies come only when stdin is closed")
		return
	}
	if e.met["two"] != "" {
		e.skip("two are too many already")
		return
	}
	s := e.greeted()
	if s == nil {
		return
	}
	var requests []adapters.Request
	for len(requests) < manyAtOnce {
		for _, c := range e.claims {
			requests = append(requests, c.plain()...)
		}
	}
	replies := e.replies(requests[:manyAtOnce])
	pending := map[int64]*reply{}
	lines := make([][]byte, len(replies))
	for i, r := range replies {
		pending[r.id], lines[i] = r, r.sent
	}
	s.send(lines...)
	if e.collect(s, pending) == gotLine {
		e.last(s, lines[len(lines)-1])
		return
	}
	s.stop()
}
