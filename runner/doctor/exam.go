package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
)

// exam is the examination of one program: what is known of it so far, and the
// probe at hand.
type exam struct {
	config Config
	ctx    context.Context

	hello   adapters.Hello
	claims  []*claim
	noPins  []string      // pins that the hello names and there are not
	patient time.Duration // how long the hello is waited for from now on
	// unflushed says that replies come only when stdin is closed: everything is
	// sent at once, then.
	unflushed bool
	// stays says that it does not end with its stdin.
	stays bool
	// lastWords are the lines that it writes when stdin is closed.
	lastWords map[string]bool
	// over says why no more probes are made.
	over string
	// failure is why it cannot be started at all.
	failure error

	// met are the faults that were reported, by key, with the probe that did. A
	// fault is reported once.
	met map[string]string
	// quiet says that what the program does wrong is not held against it: it is
	// asked for what it never named.
	quiet bool

	current Probe
	skipped string   // why the probe at hand could not be made
	blocked []string // faults, known before, that the probe at hand ran into
	ids     int64
}

// keyStray is the key of a print: replies come all the same.
const keyStray = "stray"

func (e *exam) begin(name string) {
	e.current = Probe{Name: name}
	e.skipped, e.blocked, e.quiet = "", nil, false
}

// end gives the probe at hand its status.
func (e *exam) end() Probe {
	p := e.current
	p.Status = OK
	for _, finding := range p.Findings {
		if !finding.Note {
			p.Status = Wrong
		} else if p.Status == OK {
			p.Status = Note
		}
	}
	switch {
	case p.Status == Wrong || p.Status == Note:
		p.Detail = p.Findings[0].What
		if more := len(p.Findings) - 1; more > 0 {
			p.Detail += fmt.Sprintf("; and %d more", more)
		}
	case len(e.blocked) > 0:
		p.Status, p.blocker = Skipped, e.blocked[0]
	case e.skipped != "":
		p.Status, p.Detail = Skipped, e.skipped
	}
	return p
}

func (e *exam) skip(format string, args ...any) { e.skipped = fmt.Sprintf(format, args...) }

// find reports a fault, once. key tells it from others: two faults with one
// cause have the same.
func (e *exam) find(key string, finding Finding) {
	if e.quiet || e.ctx.Err() != nil {
		return
	}
	if where, known := e.met[key]; known {
		if where != e.current.Name && key != keyStray {
			e.blocked = append(e.blocked, where)
		}
		return
	}
	e.met[key] = e.current.Name
	e.current.Findings = append(e.current.Findings, finding)
}

// nextID returns the next id. They are not in sequence, so that a program that
// counts by itself is found out.
func (e *exam) nextID() int64 {
	e.ids++
	return 7 + e.ids*13%1009*4 + e.ids/1009
}

// fault reports a session that ended or fell silent in place of a reply.
func (e *exam) fault(s *session, what event, sent []byte, patience time.Duration) {
	switch what {
	case silence:
		e.find("silence of "+e.current.Name, Finding{
			What: fmt.Sprintf("no reply within %v", patience), Sent: sent, Stderr: s.said.last(),
			Rule: "Each request gets exactly one reply, in time.",
			Do:   "Answer every request, whatever it holds. If it only needs longer, raise --timeout.",
		})
	case endOfOutput:
		how := s.how()
		said := s.said.last()
		key := "end: " + how + said[strings.LastIndexByte(said, '\n')+1:]
		advice := endAdvice(how, said)
		if len(sent) > 32<<10 {
			advice += " A request as long as this comes in several chunks; it ends with its line."
		}
		e.find(key, Finding{
			What: "the program ended in place of a reply (" + how + ")", Sent: sent, Stderr: said,
			Rule: "When normcert is done it closes stdin; until then it wants replies.",
			Do:   advice,
		})
	}
}

func endAdvice(how, said string) string {
	switch {
	case strings.Contains(said, "JSON.parse") || strings.Contains(said, "SyntaxError") && strings.Contains(said, "JSON"):
		return "It takes a chunk of stdin for one request. Read line by line. Node: for await (const line of createInterface({ input: process.stdin }))"
	case strings.Contains(said, "UnicodeEncodeError") || strings.Contains(said, "UnicodeDecodeError"):
		return "Its stdout or stdin is not UTF-8. Write ASCII: json.dumps does so by default; else sys.stdout.reconfigure(encoding=\"utf-8\")."
	case said != "":
		return "Its stderr says why. An input that the metric refuses is answered with {\"id\":…,\"error\":{…}}, not with an exception."
	case strings.Contains(how, "kept running"):
		return "Leave stdout open until stdin ends."
	}
	return "Read requests in a loop, until stdin ends. Python: for line in sys.stdin: … Node: for await (const line of createInterface({ input: process.stdin }))"
}
