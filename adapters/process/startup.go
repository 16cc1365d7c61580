package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
)

// StartError says why a program could not be started, or what it did in place
// of answering the hello.
type StartError struct {
	// Command is the program and its arguments.
	Command []string
	// What happened, and Hint, what to do about it.
	What, Hint string
	// Line is the offending line of stdout, shortened; empty where there is none.
	Line string
	// Stderr is the end of what the program wrote there.
	Stderr string
}

// Error is one sentence, followed by the offending line, the end of stderr and
// the hint, each in lines of its own where it is there.
func (e *StartError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "starting %s: %s", strings.Join(e.Command, " "), e.What)
	if e.Line != "" {
		fmt.Fprintf(&text, "\nthe line: %q", e.Line)
	}
	if said := strings.TrimSpace(e.Stderr); said != "" {
		fmt.Fprintf(&text, "\nits stderr ends:\n  %s", strings.ReplaceAll(said, "\n", "\n  "))
	}
	if e.Hint != "" {
		fmt.Fprintf(&text, "\n%s", e.Hint)
	}
	return text.String()
}

const (
	hintProtocol = "an adapter reads requests line by line from stdin and answers each with one line of JSON on stdout, until stdin is closed; see adapters/PROTOCOL.md"
	hintStdout   = "stdout is for answers only: print everything else to stderr"
	hintCrash    = "it broke down before it could answer; what it wrote to stderr may say why"
	hintStay     = "the program that is started has to answer itself, and to stay: in a script start the adapter in the foreground, best with exec"
	hintSlow     = "let it flush stdout after every line, and read stdin line by line; if it only needs longer to load, raise the start-up deadline"
)

// start launches the program and reads its hello. The error is a *StartError,
// the context's, or errClosed.
func (a *Adapter) start(ctx context.Context) (*session, adapters.Hello, error) {
	s, err := a.launch()
	if err != nil {
		return nil, adapters.Hello{}, notRunnable(a.config.Command, err)
	}
	id := a.ids.Add(1) - 1
	request := adapters.EncodeHelloRequest(id)
	a.locked(func() { s.send(func(out []byte) []byte { return append(out, request...) }) })
	hello, err := a.greet(ctx, s, id, request)
	if err != nil {
		a.locked(s.stop)
		<-s.exited
		select {
		case <-s.stderrDone:
		case <-time.After(exitGrace):
		}
		if failure := (*StartError)(nil); errors.As(err, &failure) {
			failure.Command, failure.Stderr = a.config.Command, s.said.String()
		}
		return nil, adapters.Hello{}, err
	}
	return s, hello, nil
}

func (a *Adapter) greet(ctx context.Context, s *session, id int64, request []byte) (adapters.Hello, error) {
	timer := time.NewTimer(a.config.StartTimeout)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return adapters.Hello{}, ctx.Err()
	case <-a.life.Done():
		return adapters.Hello{}, errClosed
	case <-timer.C:
		return adapters.Hello{}, &StartError{What: fmt.Sprintf("it did not answer the hello within %v", a.config.StartTimeout), Hint: hintSlow}
	case first := <-s.greeting:
		return first.hello(id, request)
	}
}

// hello reads the greeting: the answer to the request with that id.
func (g greeting) hello(id int64, request []byte) (adapters.Hello, error) {
	switch {
	case g.fault != nil && g.fault.Kind == adapters.Crash:
		ended, left, leaves := strings.Cut(strings.Replace(g.fault.What, "the program", "it", 1), leaving)
		hint := hintCrash
		switch {
		case leaves:
			hint, left = hintStay, leaving+left
		case strings.Contains(ended, "(exit status 0)"):
			hint = hintProtocol
		}
		return adapters.Hello{}, &StartError{What: ended + ", without answering the hello" + left, Line: g.fault.Line, Hint: hint}
	case g.fault != nil:
		return adapters.Hello{}, &StartError{What: g.fault.What, Line: g.fault.Line, Hint: hintStdout}
	case bytes.Equal(bytes.TrimSpace(g.line), request):
		return adapters.Hello{}, &StartError{What: "it gives back what it reads: its first line is the hello itself, not an answer to it", Line: shorten(g.line), Hint: hintProtocol}
	}
	hello, err := adapters.DecodeHello(bytes.TrimSuffix(g.line, []byte("\n")), id)
	if err != nil {
		broken := adapters.AsFault(err)
		hint := hintProtocol
		if _, attributed := replyID(g.line); !attributed {
			hint = hintStdout + "\n" + hintProtocol
		}
		return adapters.Hello{}, &StartError{What: "its first line is not a right answer to the hello: " + broken.What, Line: shorten(g.line), Hint: hint}
	}
	if len(g.extra) > 0 {
		return adapters.Hello{}, &StartError{What: "it wrote a second line in answer to the hello", Line: shorten(g.extra), Hint: hintStdout}
	}
	return hello, nil
}
