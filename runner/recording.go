package runner

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/adapters/python"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/interpreter"
)

// patience is how long a program may take that goldens are recorded from: a
// recording is not certified, and a busy machine is no reason to end it.
const patience = 60 * time.Second

// recording is a program that speaks for a pin.
type recording struct {
	pin     golden.Pin
	adapter *process.Adapter
	hello   adapters.Hello
	folder  string // of the sources that it runs; "" where it has none
}

// speakFor starts the program that speaks for a pin: upstream.py with the
// sources, or independent.py for a specification. python is the interpreter;
// empty looks for one. What it returns has to be closed.
func speakFor(ctx context.Context, pin golden.Pin, sources map[string][]byte, interpreterPath string) (*recording, error) {
	files := maps.Clone(sources)
	if files == nil {
		files = map[string][]byte{}
	}
	script := "upstream.py"
	if pin.Specification {
		script = "independent.py"
		files[script] = []byte(python.Independent)
	} else {
		files[script] = []byte(python.Upstream)
	}
	executable, err := findInterpreter(pin, interpreterPath)
	if err != nil {
		return nil, err
	}
	folder, err := golden.Extract(files)
	if err != nil {
		return nil, joinRemove(err, folder)
	}
	command := []string{executable, filepath.Join(folder, script)}
	if !pin.Specification {
		command = append(command, "--source", folder, "--pin", pin.Name())
	}
	r, err := speak(ctx, pin, command)
	if err != nil {
		return nil, joinRemove(err, folder)
	}
	r.folder = folder
	return r, nil
}

func joinRemove(err error, folder string) error {
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	return err
}

// findInterpreter looks for one that has numpy first, so that every pin is
// recorded under the same; where it is needed there is no other.
func findInterpreter(pin golden.Pin, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	found, err := interpreter.Find("numpy")
	if _, arrays := pin.Covers("exact_match"); err != nil && (!arrays || pin.Specification) {
		found, err = interpreter.Find()
	}
	if err != nil {
		return "", usage("%w", err)
	}
	return found, nil
}

// speak starts a program and checks its hello.
func speak(ctx context.Context, pin golden.Pin, command []string) (*recording, error) {
	adapter, err := process.New(process.Config{Command: command, StartTimeout: patience, RequestTimeout: patience})
	if err != nil {
		return nil, &StartError{err}
	}
	hello, err := adapter.Hello(ctx)
	if err == nil {
		err = hello.Validate()
	}
	if err != nil {
		_, _ = adapter.Close()
		return nil, &StartError{err}
	}
	return &recording{pin: pin, adapter: adapter, hello: hello}, nil
}

// environment is under what the program runs.
func (r *recording) environment() map[string]string {
	found := map[string]string{}
	for name, version := range map[string]string{"interpreter": r.hello.Language, "unicode": r.hello.Unicode} {
		if version != "" {
			found[name] = version
		}
	}
	maps.Copy(found, r.hello.Libraries)
	return found
}

// lacks names a metric of the pin that the program does not answer.
func (r *recording) lacks() error {
	for _, coverage := range r.pin.Metrics {
		if _, there := r.hello.Metrics[coverage.Name]; !there {
			return usage("%s does not answer %s of %s; name another interpreter with --python (pin add also takes --metric). The end of its stderr:\n%s",
				r.hello.Language, coverage.Name, r.pin.Name(), strings.TrimSpace(r.adapter.Stderr()))
		}
	}
	return nil
}

// all records everything and ends the program, which must end cleanly.
func (r *recording) all(ctx context.Context, corpus cases.Corpus) (map[string][]golden.Record, error) {
	records, err := Record(ctx, r.adapter, r.pin, corpus)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w; nothing was written%s", err, stderrOf(r.adapter.Stderr()))
	}
	if err := r.again(ctx, corpus, records); err != nil {
		return nil, err
	}
	late, err := r.adapter.Close()
	if err != nil {
		return nil, fmt.Errorf("recording %s: ending the program: %w; nothing was written", r.pin.Name(), err)
	}
	if len(late) > 0 {
		return nil, fmt.Errorf("recording %s: after its answers: %w; nothing was written", r.pin.Name(), late[0].Fault)
	}
	return records, nil
}

// again asks everything a second time: what answers otherwise then has no
// answer that could be recorded.
func (r *recording) again(ctx context.Context, corpus cases.Corpus, first map[string][]golden.Record) error {
	second, err := Record(ctx, r.adapter, r.pin, corpus)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("asked again: %w; nothing was written", err)
	}
	for hazard, records := range first {
		for i, record := range records {
			before, after := golden.Encode([]golden.Record{record}), golden.Encode(second[hazard][i:i+1])
			if !bytes.Equal(before, after) {
				return fmt.Errorf("recording %s: asked again, it answers otherwise; nothing was written\nfirst %sthen  %s", r.pin.Name(), before, after)
			}
		}
	}
	return nil
}

// stderrOf is the end of what an adapter wrote there, where it wrote anything.
func stderrOf(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return ". The end of the adapter's stderr:\n" + lastLines(text, 8)
}

func (r *recording) close() {
	_, _ = r.adapter.Close()
	_ = joinRemove(nil, r.folder)
}

func lastLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// inputsOf returns the digest of what a pin is asked of each hazard.
func inputsOf(pin golden.Pin, corpus cases.Corpus) map[string]string {
	inputs := map[string]string{}
	for _, hazard := range corpus.Hazards {
		inputs[hazard.Name] = hazard.Inputs(coveredBy(pin))
	}
	return inputs
}

// environmentDifferences names what differs between two environments, as in
// "unicode 14.0.0, here 15.0.0".
func environmentDifferences(recorded, here map[string]string) []string {
	names := map[string]bool{}
	for name := range recorded {
		names[name] = true
	}
	for name := range here {
		names[name] = true
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if recorded[name] != here[name] {
			list = append(list, fmt.Sprintf("%s %s, here %s", name, orNone(recorded[name]), orNone(here[name])))
		}
	}
	return list
}

func orNone(version string) string {
	if version == "" {
		return "none"
	}
	return version
}
