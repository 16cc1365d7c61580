package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/adapters/python"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/interpreter"
	"github.com/normcert/normcert/metric"
)

// RegenConfig says what to record.
type RegenConfig struct {
	// Root is a checkout with cases/ and golden/.
	Root string
	// From are git repositories of upstream, or plain trees of its files.
	From []string
	// Python is the interpreter to record under; empty looks for one.
	Python string
	// NewEnvironment lets an interpreter, Unicode or numpy version take the
	// place of the one that a pin was recorded under before.
	NewEnvironment bool
}

// RegenReport says what a regeneration did.
type RegenReport struct {
	// Recorded are the pins that were recorded anew, and under what.
	Recorded []golden.Pin
	// Kept are the pins for which no source was given and none was needed.
	Kept []string
	// Changes are the files that were written or removed.
	Changes []golden.Change
}

// Regenerate records the goldens of every pin of a checkout: an upstream's from
// its own source, a specification's from the independent implementation. It is
// all or nothing: where one pin cannot be recorded, no file is changed.
func Regenerate(ctx context.Context, config RegenConfig) (*RegenReport, error) {
	corpus, err := cases.Load(os.DirFS(filepath.Join(config.Root, "cases")))
	if err != nil {
		return nil, usage("cases in %s:\n%w", filepath.Join(config.Root, "cases"), err)
	}
	set, err := golden.Load(os.DirFS(filepath.Join(config.Root, "golden")))
	if err != nil {
		return nil, usage("goldens in %s: %w", filepath.Join(config.Root, "golden"), err)
	}
	report := &RegenReport{}
	given, err := config.given(ctx, set)
	if err != nil {
		return nil, err
	}
	for _, goldens := range set.Pins() {
		pin, sources := goldens.Pin, given[goldens.Pin.Name()]
		if sources == nil && !pin.Specification {
			if stale := staleHazards(goldens, corpus); len(stale) > 0 {
				return nil, usage("pin %s: its goldens of %s are not of these cases, and no --from has its sources (commit %s)",
					pin.Name(), strings.Join(stale, ", "), pin.Commit)
			}
			report.Kept = append(report.Kept, pin.Name())
			continue
		}
		changes, recorded, err := config.record(ctx, pin, sources, corpus)
		if err != nil {
			return nil, err
		}
		report.Recorded = append(report.Recorded, recorded)
		report.Changes = append(report.Changes, changes...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return report, golden.Commit(report.Changes)
}

// given returns the files of every pin that a folder has, by the pin's name; of
// several folders that have them, the first counts. A folder may be the tree of
// one pin, with other versions for the rest; one that serves no pin at all is
// an error, which names the files that are not as they should be.
func (c RegenConfig) given(ctx context.Context, set *golden.Set) (map[string]map[string][]byte, error) {
	found := map[string]map[string][]byte{}
	for _, folder := range c.From {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, usage("--from %s is not a folder", folder)
		}
		serves := false
		var mismatches []error
		for _, goldens := range set.Pins() {
			pin := goldens.Pin
			if pin.Specification {
				continue
			}
			files, err := pin.Sources(ctx, folder)
			var other *golden.BlobError
			switch {
			case err == nil:
				serves = true
				if found[pin.Name()] == nil {
					found[pin.Name()] = files
				}
			case errors.As(err, &other):
				mismatches = append(mismatches, fmt.Errorf("pin %s: %w", pin.Name(), err))
			case !errors.Is(err, golden.ErrNoSource):
				return nil, usage("pin %s: %w", pin.Name(), err)
			}
		}
		if serves {
			continue
		}
		if len(mismatches) == 0 {
			return nil, usage("--from %s has the sources of no pin: it is a git repository of upstream or a plain tree of its files", folder)
		}
		return nil, usage("--from %s has the sources of no pin:\n%w", folder, errors.Join(mismatches...))
	}
	return found, nil
}

func coveredBy(pin golden.Pin) func(string) bool {
	return func(name string) bool { _, covered := pin.Covers(name); return covered }
}

// staleHazards are those whose golden file was not recorded for these cases.
func staleHazards(goldens *golden.Goldens, corpus cases.Corpus) []string {
	var stale []string
	covers := coveredBy(goldens.Pin)
	for _, hazard := range corpus.Hazards {
		asked := slices.ContainsFunc(hazard.Cases, func(one cases.Case) bool {
			return slices.ContainsFunc(one.Setups, func(s metric.Setup) bool { return covers(s.Metric) })
		})
		if asked && !goldens.Confirmed(hazard.Name, hazard.Inputs(covers)) {
			stale = append(stale, hazard.Name)
		}
	}
	for _, name := range goldens.Hazards() {
		if !slices.ContainsFunc(corpus.Hazards, func(h cases.Hazard) bool { return h.Name == name }) {
			stale = append(stale, name)
		}
	}
	return stale
}

// record starts the adapter that speaks for a pin and records everything.
func (c RegenConfig) record(ctx context.Context, pin golden.Pin, sources map[string][]byte, corpus cases.Corpus) ([]golden.Change, golden.Pin, error) {
	files := maps.Clone(sources)
	if files == nil {
		files = map[string][]byte{}
	}
	script, modules := "upstream.py", []string{"numpy"}
	if pin.Specification {
		script, modules = "independent.py", nil
		files[script] = []byte(python.Independent)
	} else {
		files[script] = []byte(python.Upstream)
	}
	executable := c.Python
	if executable == "" {
		// One that has numpy first, so that every pin is recorded under the same.
		found, err := interpreter.Find("numpy")
		if err != nil {
			found, err = interpreter.Find(modules...)
		}
		if err != nil {
			return nil, pin, usage("%w", err)
		}
		executable = found
	}
	folder, err := golden.Extract(files)
	defer os.RemoveAll(folder)
	if err != nil {
		return nil, pin, err
	}
	command := []string{executable, filepath.Join(folder, script)}
	if !pin.Specification {
		command = append(command, "--source", folder, "--pin", pin.Name())
	}
	adapter, err := process.New(process.Config{Command: command})
	if err != nil {
		return nil, pin, &StartError{err}
	}
	defer adapter.Close()
	hello, err := adapter.Hello(ctx)
	if err != nil {
		return nil, pin, &StartError{err}
	}
	if err := c.environment(&pin, hello); err != nil {
		return nil, pin, err
	}
	if pin.Specification {
		for i := range pin.Metrics {
			pin.Metrics[i].Sources = []golden.Source{{Path: "adapters/python/independent.py", Blob: golden.BlobID([]byte(python.Independent))}}
		}
	}
	records, err := Record(ctx, adapter, pin, corpus)
	if err != nil {
		return nil, pin, fmt.Errorf("%w; nothing was written. The end of the adapter's stderr:\n%s", err, adapter.Stderr())
	}
	if late, err := adapter.Close(); err != nil || len(late) > 0 {
		return nil, pin, fmt.Errorf("recording %s: the adapter did not end cleanly: %v %v; nothing was written", pin.Name(), late, err)
	}
	inputs := map[string]string{}
	for _, hazard := range corpus.Hazards {
		inputs[hazard.Name] = hazard.Inputs(coveredBy(pin))
	}
	changes, err := golden.Changes(filepath.Join(c.Root, "golden"), pin, records, inputs)
	return changes, pin, err
}

// environment notes under what a pin is recorded. Where it was another before,
// the answers may differ for that reason alone: it takes a word to change it.
func (c RegenConfig) environment(pin *golden.Pin, hello adapters.Hello) error {
	found := map[string]string{"interpreter": hello.Language, "unicode": hello.Unicode}
	for name, version := range hello.Libraries {
		found[name] = version
	}
	if len(pin.Environment) > 0 && !maps.Equal(pin.Environment, found) && !c.NewEnvironment {
		return usage("pin %s was recorded under %v, this is %v: name the interpreter with --python, or say --new-environment", pin.Name(), pin.Environment, found)
	}
	pin.Environment = found
	return nil
}
