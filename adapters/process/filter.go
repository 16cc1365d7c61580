package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/normcert/normcert/adapters"
)

// filterLocale is the locale that a filter runs under, so that what it does
// does not depend on who runs it.
const filterLocale = "C.UTF-8"

// Filter is a program that reads one text on stdin and writes its normalized
// form on stdout; it is started for every text. One final newline of the
// output is taken off. It answers normalize and nothing else.
type Filter struct {
	config  Config
	path    string
	metrics map[string]adapters.Support
	stderr  tail

	mu    sync.Mutex
	notes []string
}

var _ adapters.Noted = (*Filter)(nil)

// NewFilter returns the program as an adapter for the metrics, with the pins
// that it is claimed to equal.
func NewFilter(config Config, pins map[string][]string) (*Filter, error) {
	config = config.withDefaults()
	path, err := config.find()
	if err != nil {
		return nil, err
	}
	filter := &Filter{config: config, path: path, metrics: map[string]adapters.Support{}}
	for name, list := range pins {
		filter.metrics[name] = adapters.Support{Pins: list, Answers: []string{adapters.NormalizeAnswer}}
	}
	return filter, nil
}

// Hello implements [adapters.Adapter]: what a filter cannot say of itself is
// taken from its command.
func (f *Filter) Hello(context.Context) (adapters.Hello, error) {
	return adapters.Hello{
		Name: "filter " + strings.Join(f.config.Command, " "), Metrics: f.metrics,
		Libraries: map[string]string{"locale": filterLocale},
	}, nil
}

// Answer runs the program on one text. Output that is not UTF-8 is a protocol
// fault, an exit status other than 0 a crash.
func (f *Filter) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	if request.Op != adapters.Normalize {
		return adapters.Answer{}, &adapters.Unsupported{Why: "a filter only normalizes"}
	}
	limited, cancel := context.WithTimeout(ctx, f.config.RequestTimeout)
	defer cancel()
	var all group
	var left []string
	command := exec.CommandContext(limited, f.path, f.config.Command[1:]...)
	command.Dir = f.config.Dir
	command.Env = append(append(os.Environ(), "LC_ALL="+filterLocale, "LANG="+filterLocale, "PYTHONUTF8=1"), f.config.Env...)
	command.Stdin = strings.NewReader(request.Text)
	command.Stderr = &f.stderr
	var out limitedBuffer
	command.Stdout = &out
	command.WaitDelay = exitGrace
	command.Cancel = func() error { all.kill(); return nil }
	all.prepare(command)
	err := command.Start()
	if err == nil {
		err = errors.Join(all.started(command), command.Wait())
		left = all.sweep(patienceOnceOver(!f.noted()))
		all.close()
	}
	if len(left) > 0 {
		f.note("the filter ended and " + leftBehind(left))
	}
	switch {
	case ctx.Err() != nil:
		return adapters.Answer{}, ctx.Err()
	case limited.Err() != nil:
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Timeout, What: fmt.Sprintf("no end within %v", f.config.RequestTimeout)}
	case out.flooded:
		// Its exit status says only how it took the end of the pipe.
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Protocol, What: "the filter wrote more than 16 MB"}
	case errors.Is(err, exec.ErrWaitDelay):
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Crash, What: "the filter ended, and a process that it started still held its stdout or stderr"}
	case err != nil:
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Crash, What: fmt.Sprintf("the filter ended: %v", err)}
	case !utf8.Valid(out.kept.Bytes()):
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Protocol, What: "the output is not valid UTF-8", Line: adapters.Shorten(out.kept.Bytes())}
	}
	return adapters.Answer{Text: strings.TrimSuffix(out.kept.String(), "\n")}, nil
}

// note keeps the first: what is left with one text is left with most.
func (f *Filter) note(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.notes) == 0 {
		f.notes = []string{text}
	}
}

// noted says whether there is a note: what is left after that is ended at once,
// for a moment with each text would be a long run.
func (f *Filter) noted() bool { return len(f.Notes()) > 0 }

// Notes implements [adapters.Noted].
func (f *Filter) Notes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.notes)
}

// Stderr is the end of what the program wrote there.
func (f *Filter) Stderr() string { return f.stderr.String() }

var errFlood = errors.New("too much output")

// limitedBuffer refuses more than a line of the protocol may hold. The buffer
// is not embedded: its ReadFrom would be preferred to Write, and has no bound.
type limitedBuffer struct {
	kept    bytes.Buffer
	flooded bool
}

func (l *limitedBuffer) Write(data []byte) (int, error) {
	if l.kept.Len()+len(data) > maxLine {
		l.flooded = true
		return 0, errFlood
	}
	return l.kept.Write(data)
}
