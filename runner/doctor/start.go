package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
)

const adviceFlush = "Flush after each line, and read line by line. Python: print(…, flush=True) and for line in sys.stdin, not sys.stdin.read(). Node: write in the loop of for await (const line of createInterface({ input: process.stdin }))"

// greeting is the reply to the hello, and what came before it.
type greeting struct {
	line  []byte
	after time.Duration
	what  event // in place of the line
}

// greet waits for the hello. Lines that are no reply are reported and passed over.
func (e *exam) greet(s *session, request []byte, patience time.Duration) greeting {
	began := time.Now()
	for {
		got, what := s.next(e.ctx, patience-time.Since(began))
		switch {
		case what != gotLine:
			return greeting{what: what, after: time.Since(began)}
		case looksLikeReply(got.text) || bytes.Contains(got.text, []byte(`"metrics"`)):
			return greeting{line: got.text, after: time.Since(began)}
		}
		e.find(keyStray, Finding{
			What: "a line on stdout before the reply to the hello", Sent: request, Got: got.text,
			Rule: ruleStdout, Do: adviceStdout,
		})
	}
}

// probeStart starts the program, and waits for its hello.
func probeStart(e *exam) {
	s, err := open(e.config)
	if err != nil {
		e.failure = err
		return
	}
	defer func() { s.stop() }()
	limit := e.config.StartTimeout
	e.patient = limit
	id := e.nextID()
	request := adapters.EncodeHelloRequest(id)
	s.send(request)
	g := e.greet(s, request, limit)
	if g.what == silence {
		g = e.late(s, request)
	}
	switch {
	case g.what == interrupted:
		return
	case g.what == endOfOutput:
		e.noHello(s, request)
		return
	case g.line == nil:
		e.over = "there is no hello"
		e.find("silence", Finding{
			What: fmt.Sprintf("no reply to the hello within %v, nor when stdin was closed", limit), Sent: request, Stderr: s.said.last(),
			Rule: "The reply to hello is the first line on stdout.",
			Do:   adviceFlush,
		})
		return
	case g.after > limit:
		e.find("slow", Finding{
			What: fmt.Sprintf("the hello came after %.1f s, and normcert waits %v", g.after.Seconds(), limit), Sent: request,
			Rule: "The reply to hello has to come in time.",
			Do:   "Answer hello before you load what is slow, or raise --start-timeout.",
		})
		e.patient = 2 * limit
	case g.after > limit/2:
		e.find("slow", Finding{
			What: fmt.Sprintf("the hello came after %.1f s, more than half of the %v that normcert waits", g.after.Seconds(), limit), Note: true,
			Rule: "The reply to hello has to come in time.",
			Do:   "On a busy machine it may be too late. Answer hello before you load what is slow, or raise --start-timeout.",
		})
	}
	e.heard(id, request, g)
	if e.over == "" && !e.unflushed {
		e.prints(s, request)
	}
}

// late finds out why the hello did not come: because stdin has to be closed
// first, or because the program takes longer.
func (e *exam) late(s *session, request []byte) greeting {
	limit := e.config.StartTimeout
	s.closeInput()
	g := e.greet(s, request, limit)
	if g.what != gotLine {
		return g
	}
	// It may have been slow: a fresh one, whose stdin is closed at once, tells.
	again, err := open(e.config)
	if err != nil {
		return g
	}
	defer again.stop()
	again.send(request)
	again.closeInput()
	fresh := e.greet(again, request, limit)
	if fresh.what != gotLine || fresh.after > limit/2 {
		g.after += limit
		return g
	}
	e.unflushed = true
	e.find("unflushed", Finding{
		What: "the reply comes only when stdin is closed", Sent: request, Got: g.line,
		Rule: "Flush after each reply; normcert waits for it before it goes on.",
		Do:   adviceFlush,
	})
	return greeting{line: fresh.line, after: fresh.after}
}

// noHello says why a program that ended did not say hello.
func (e *exam) noHello(s *session, request []byte) {
	how, said := s.how(), s.said.last()
	e.over = "there is no hello"
	finding := Finding{
		What: "the program ended without a reply to the hello (" + how + ")", Sent: request, Stderr: said,
		Rule: "An adapter reads requests line by line until stdin is closed.",
		Do:   "Its stderr says why.",
	}
	switch {
	case e.otherLanguage() != "":
		finding.Do = e.otherLanguage()
	case strings.Contains(said, "ModuleNotFoundError") || strings.Contains(said, "Cannot find module") || strings.Contains(said, "ERR_MODULE_NOT_FOUND"):
		finding.Do = "Name the interpreter of the environment in which the module is installed, as in: -- .venv/bin/python my_adapter.py"
	case strings.Contains(said, "can't open file") || strings.Contains(said, "No such file"):
		finding.Do = "Check the path; it is taken from the current directory."
	case said == "":
		finding.Do = endAdvice(how, "")
	}
	e.find("no hello", finding)
}

// otherLanguage says so where a script is run by the interpreter of another
// language.
func (e *exam) otherLanguage() string {
	if len(e.config.Command) < 2 {
		return ""
	}
	program, script := e.config.Command[0], e.config.Command[1]
	python := strings.Contains(program, "python")
	node := strings.Contains(program, "node")
	switch {
	case node && strings.HasSuffix(script, ".py"):
		return "That is a Python file, run by Node: -- python3 " + script
	case python && (strings.HasSuffix(script, ".mjs") || strings.HasSuffix(script, ".js")):
		return "That is a JavaScript file, run by Python: -- node " + script
	}
	return ""
}

// heard reads the hello.
func (e *exam) heard(id int64, request []byte, g greeting) {
	hello, err := adapters.DecodeHello(g.line, id)
	if err == nil {
		e.hello = hello
		e.claims, e.noPins, err = claimsOf(hello, e.config.Goldens)
		if err != nil {
			e.failure = err
			return
		}
		if e.current.Detail == "" {
			e.current.Detail = hello.Name + " says hello"
		}
		return
	}
	e.over = "the hello cannot be read"
	if bytes.Equal(bytes.TrimSpace(g.line), request) {
		e.find("echo", Finding{
			What: "it gives back what it reads", Sent: request, Got: g.line,
			Rule: "hello is answered with the adapter's name and its metrics.", Do: "See adapters/PROTOCOL.md, or copy a helper from adapters/.",
		})
		return
	}
	var fault *adapters.Fault
	errors.As(err, &fault)
	r := &reply{sent: request}
	if got, idErr := adapters.DecodeReplyID(g.line); idErr == nil && got != id {
		e.find("wrong id", wrongID(r, g.line))
		return
	}
	key, finding := broken(r, line{text: g.line}, fault)
	if strings.HasPrefix(fault.What, "hello") {
		finding.Rule, finding.Do = "hello names the adapter and, for each metric, what it answers.", "Correct the field that is named above; adapters/PROTOCOL.md lists what it takes."
	}
	e.find("hello "+key, finding)
}

// probeEnd closes stdin after the hello: the program has to end by itself.
func probeEnd(e *exam) {
	if e.unflushed {
		return
	}
	s := e.greeted()
	if s == nil {
		return
	}
	rest, ended := s.finish(e.ctx, endGrace)
	e.lastWords = map[string]bool{}
	for _, got := range rest {
		e.lastWords[string(got.text)] = true
		e.find("last words", Finding{
			What: "a line on stdout when stdin was closed", Got: got.text, Rule: ruleStdout, Do: adviceStdout,
		})
	}
	if e.stays = !ended; e.stays {
		e.find("stays", Finding{
			What: fmt.Sprintf("it goes on when its stdin is closed; normcert kills it %v later", endGrace),
			Rule: "When normcert is done it closes your stdin. End then.",
			Do:   "Leave the loop at the end of stdin. Python: for line in sys.stdin ends by itself; readline() returns \"\". Node: end timers, servers and workers, or call process.exit().",
		})
	}
	if ended && len(s.left) > 0 {
		e.find("leaves", Finding{
			What: "it ends and leaves processes running, which normcert kills: " + strings.Join(s.left, ", "),
			Rule: "What you start ends with you.",
			Do:   "End what you have started before you end, and wait for it; or start it outside of the adapter.",
		})
	}
}
