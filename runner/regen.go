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

	"github.com/normcert/normcert/adapters/python"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
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
	// Change lets a line that is there become another, AllowErrors also scores
	// become an error.
	Change, AllowErrors bool
	// NewEnvironment lets an interpreter, Unicode or numpy version take the
	// place of the one that a pin was recorded under before.
	NewEnvironment bool
}

// RegenReport says what a regeneration did.
type RegenReport struct {
	// Pins are all pins of the checkout, in order.
	Pins []RegenPin
	// Changes are the files that were written or removed.
	Changes []golden.Change
}

// RegenPin is what became of a pin's goldens.
type RegenPin struct {
	Pin golden.Pin
	// Source says who answered.
	Source RegenSource
	// Lines are those that were added, changed or removed, in order.
	Lines []LineChange
	// Unconfirmed are the hazards whose lines nobody but the reference gave.
	Unconfirmed []string
}

// RegenSource is who answers for a pin.
type RegenSource string

// The sources of a pin's goldens.
const (
	// FromUpstream is the pin's own source, or the independent implementation
	// of a specification.
	FromUpstream RegenSource = "upstream"
	// FromReference is the reference, where no upstream was given: what it
	// answers stays unconfirmed until the upstream is asked.
	FromReference RegenSource = "the reference"
	// FromNobody is a pin that is as it should be, and was left alone.
	FromNobody RegenSource = ""
)

// Regenerate brings the goldens of a checkout up to date with its cases: from
// upstream's own source where a folder has it, of a specification from the
// independent implementation, and else, where they are not of these cases, from
// the reference. Lines are added, and removed where their case is gone. A line
// that would change, and scores that would become an error, end it, unless the
// configuration allows them. It is all or nothing: where one pin cannot be
// recorded, no file is changed.
func Regenerate(ctx context.Context, config RegenConfig) (*RegenReport, error) {
	corpus, set, err := loadRoot(config.Root)
	if err != nil {
		return nil, err
	}
	report := &RegenReport{}
	given, err := config.given(ctx, set)
	if err != nil {
		return nil, err
	}
	for _, goldens := range set.Pins() {
		pin, err := config.regenerate(ctx, goldens, given[goldens.Pin.Name()], corpus, report)
		if err != nil {
			return nil, err
		}
		report.Pins = append(report.Pins, *pin)
	}
	if err := config.allowed(report); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return report, golden.Commit(report.Changes)
}

// loadRoot reads the cases and goldens of a checkout.
func loadRoot(root string) (cases.Corpus, *golden.Set, error) {
	corpus, err := cases.Load(os.DirFS(filepath.Join(root, "cases")))
	if err != nil {
		return corpus, nil, usage("cases in %s:\n%w", filepath.Join(root, "cases"), err)
	}
	set, err := golden.Load(os.DirFS(filepath.Join(root, "golden")))
	if err != nil {
		return corpus, nil, usage("goldens in %s: %w", filepath.Join(root, "golden"), err)
	}
	return corpus, set, nil
}

// regenerate records one pin from whoever answers for it, and adds the changes
// of its files to the report.
func (c RegenConfig) regenerate(ctx context.Context, goldens *golden.Goldens, sources map[string][]byte, corpus cases.Corpus, report *RegenReport) (*RegenPin, error) {
	pin := goldens.Pin
	stale := staleHazards(goldens, corpus)
	var records map[string][]golden.Record
	var inputs map[string]string
	var err error
	done := &RegenPin{Source: FromUpstream}
	switch {
	case sources != nil || pin.Specification:
		records, inputs, err = c.fromUpstream(ctx, &pin, sources, corpus)
	case len(stale) == 0 || len(pin.Command) > 0:
		return &RegenPin{Pin: pin}, nil
	default:
		done.Source = FromReference
		records, inputs, err = fromReference(ctx, goldens, corpus, stale)
	}
	if err != nil {
		return nil, err
	}
	done.Pin = pin
	done.Lines = lineChanges(goldens, records)
	for _, hazard := range slices.Sorted(maps.Keys(records)) {
		if _, confirmed := inputs[hazard]; !confirmed {
			done.Unconfirmed = append(done.Unconfirmed, hazard)
		}
	}
	changes, err := golden.Changes(filepath.Join(c.Root, "golden"), pin, records, inputs)
	report.Changes = append(report.Changes, changes...)
	return done, err
}

// fromUpstream starts the program that speaks for a pin and records everything.
func (c RegenConfig) fromUpstream(ctx context.Context, pin *golden.Pin, sources map[string][]byte, corpus cases.Corpus) (map[string][]golden.Record, map[string]string, error) {
	speaker, err := speakFor(ctx, *pin, sources, c.Python)
	if err != nil {
		return nil, nil, err
	}
	defer speaker.close()
	if err := speaker.lacks(); err != nil {
		return nil, nil, err
	}
	if err := c.environment(pin, speaker.environment()); err != nil {
		return nil, nil, err
	}
	if pin.Specification {
		for i := range pin.Metrics {
			pin.Metrics[i].Sources = []golden.Source{independentSource()}
		}
	}
	records, err := speaker.all(ctx, corpus)
	return records, inputsOf(*pin, corpus), err
}

// fromReference has the reference answer for the stale hazards; what is
// confirmed of the others stays as it is.
func fromReference(ctx context.Context, goldens *golden.Goldens, corpus cases.Corpus, stale []string) (map[string][]golden.Record, map[string]string, error) {
	pin := goldens.Pin
	for _, coverage := range pin.Metrics {
		if !slices.Contains(reference.Pins(coverage.Name), pin.Name()) {
			return nil, nil, usage("pin %s: its goldens of %s are not of these cases, no --from has its sources (commit %s), and the reference does not have %s at it",
				pin.Name(), strings.Join(stale, ", "), pin.Commit, coverage.Name)
		}
	}
	records, err := Record(ctx, reference.New(), pin, corpus)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; nothing was written: give --from a folder with the sources of %s (commit %s)", err, pin.Name(), pin.Commit)
	}
	inputs := inputsOf(pin, corpus)
	for hazard := range records {
		if slices.Contains(stale, hazard) {
			delete(inputs, hazard)
		} else {
			records[hazard] = goldens.Records(hazard)
		}
	}
	return records, inputs, nil
}

func independentSource() golden.Source {
	return golden.Source{Path: "adapters/python/independent.py", Blob: golden.BlobID([]byte(python.Independent))}
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
			if pin.Specification || len(pin.Command) > 0 {
				continue
			}
			files, err := pin.Sources(ctx, folder)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
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
			return slices.ContainsFunc(one.Setups, func(s metric.Setup) bool { return records(goldens.Pin, one, s) })
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

// environment notes under what a pin is recorded. Where it was another before,
// the answers may differ for that reason alone: it takes a word to change it.
func (c RegenConfig) environment(pin *golden.Pin, found map[string]string) error {
	if len(pin.Environment) > 0 && !maps.Equal(pin.Environment, found) && !c.NewEnvironment {
		return usage("pin %s was recorded under %v, this is %v: name the interpreter with --python, or say --new-environment", pin.Name(), pin.Environment, found)
	}
	pin.Environment = found
	return nil
}
