package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// PinVerifyConfig says which pins to hold against what.
type PinVerifyConfig struct {
	// Root is a checkout with golden/, and cases/ unless the embedded are meant.
	Root string
	// Pins are those to verify; none is every one that a source is given for.
	Pins []string
	// From are git repositories of upstream, or plain trees of its files.
	From []string
	// Command is the program that a pin of one's own was recorded from.
	Command []string
	// Python is the interpreter to run under; empty looks for one.
	Python string
	// Confirm lists the digests of what was found to be equal.
	Confirm bool
}

// PinVerified is what became of a pin.
type PinVerified struct {
	Pin golden.Pin
	// Skipped says why it was not verified; empty where it was.
	Skipped string
	// Environment names each difference between what it was recorded under and
	// what ran here, as in "unicode 14.0.0, here 15.0.0".
	Environment []string
	// Here is what ran here.
	Here map[string]string
	// Lines are those that differ: Before is what is committed, After what was
	// answered now.
	Lines []LineChange
	// Checks is how many lines were compared.
	Checks int
	// Unconfirmed are the hazards whose digest is not listed, Confirmed those of
	// them that were confirmed now.
	Unconfirmed, Confirmed []string
}

// Equal reports whether everything committed is what was answered.
func (p *PinVerified) Equal() bool { return len(p.Lines) == 0 }

// VerifyPins asks upstream again and compares with what is committed. Nothing
// runs where a source of a pin is not the one that was recorded from: the error
// then is a *UsageError around a *golden.BlobError. Nothing is written unless
// Confirm says so and everything of the pin is equal.
func VerifyPins(ctx context.Context, config PinVerifyConfig) ([]*PinVerified, error) {
	corpus, err := (PinAddConfig{Root: config.Root}).corpus()
	if err != nil {
		return nil, err
	}
	root := filepath.Join(config.Root, "golden")
	set, err := golden.Load(os.DirFS(root))
	if err != nil {
		return nil, usage("goldens in %s: %w", root, err)
	}
	chosen, given, err := config.choose(ctx, set)
	if err != nil {
		return nil, err
	}
	var list []*PinVerified
	verified := 0
	for _, goldens := range chosen {
		sources, there := given[goldens.Pin.Name()]
		if !there {
			list = append(list, &PinVerified{Pin: goldens.Pin, Skipped: config.whySkipped(goldens.Pin)})
			continue
		}
		one, err := config.verify(ctx, goldens, sources, corpus)
		if err != nil {
			return nil, err
		}
		verified++
		list = append(list, one)
	}
	if verified == 0 {
		return nil, usage("no pin was verified: no --from has the sources of one")
	}
	return list, nil
}

func (c PinVerifyConfig) whySkipped(pin golden.Pin) string {
	if len(pin.Command) > 0 {
		return fmt.Sprintf("it was recorded from a program; name the pin, and the program after --: it was %q", pin.Command)
	}
	return "no --from has its sources"
}

// choose returns the pins in question and, of each that can be verified, its
// sources: nil for one that is spoken for by a program of ours or its owner's.
func (c PinVerifyConfig) choose(ctx context.Context, set *golden.Set) ([]*golden.Goldens, map[string]map[string][]byte, error) {
	given := map[string]map[string][]byte{}
	chosen := set.Pins()
	if len(c.Pins) > 0 {
		chosen = nil
		for _, name := range c.Pins {
			goldens, err := set.Find(name)
			if err != nil {
				return nil, nil, &UsageError{err}
			}
			chosen = append(chosen, goldens)
		}
	}
	var err error
	if len(c.Pins) == 0 {
		if given, err = (RegenConfig{From: c.From}).given(ctx, set); err != nil {
			return nil, nil, err
		}
	}
	for _, goldens := range chosen {
		pin := goldens.Pin
		switch {
		case len(c.Command) > 0 && len(pin.Command) == 0:
			err = usage("pin %s was not recorded from a program: leave out the command after --", pin.Name())
		case pin.Specification:
			err = c.sameIndependent(pin)
			given[pin.Name()] = nil
		case len(pin.Command) > 0:
			if len(c.Command) > 0 && len(c.Pins) > 0 {
				given[pin.Name()] = nil
			} else if len(c.Pins) > 0 {
				err = usage("pin %s: %s", pin.Name(), c.whySkipped(pin))
			}
		case len(c.Pins) > 0:
			given[pin.Name()], err = c.sources(ctx, pin)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return chosen, given, nil
}

// sources are those of a pin that was named: the first folder that has its files.
func (c PinVerifyConfig) sources(ctx context.Context, pin golden.Pin) (map[string][]byte, error) {
	var problem error
	for _, folder := range c.From {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, usage("--from %s is not a folder", folder)
		}
		files, err := pin.Sources(ctx, folder)
		if err == nil {
			return files, nil
		}
		var other *golden.BlobError
		if problem == nil || errors.As(err, &other) {
			problem = err
		}
	}
	if problem == nil {
		problem = fmt.Errorf("it takes --from, a folder with its sources (commit %s)", pin.Commit)
	}
	return nil, usage("pin %s: %w; nothing was run", pin.Name(), problem)
}

// sameIndependent checks that a specification was recorded from the program
// that this normcert has.
func (c PinVerifyConfig) sameIndependent(pin golden.Pin) error {
	now := independentSource()
	for _, coverage := range pin.Metrics {
		for _, source := range coverage.Sources {
			if source != now {
				return usage("pin %s: %s in this normcert has blob id %s, the pin lists %s; nothing was run: normcert regen records it anew", pin.Name(), now.Path, now.Blob, source.Blob)
			}
		}
	}
	return nil
}

// verify runs what speaks for a pin and compares, the environment first.
func (c PinVerifyConfig) verify(ctx context.Context, goldens *golden.Goldens, sources map[string][]byte, corpus cases.Corpus) (*PinVerified, error) {
	pin := goldens.Pin
	var speaker *recording
	var err error
	if len(pin.Command) > 0 {
		speaker, err = speak(ctx, pin, c.Command)
	} else {
		speaker, err = speakFor(ctx, pin, sources, c.Python)
	}
	if err != nil {
		return nil, err
	}
	defer speaker.close()
	found := &PinVerified{Pin: pin, Here: speaker.environment()}
	found.Environment = environmentDifferences(pin.Environment, found.Here)
	if err := speaker.lacks(); err != nil {
		if len(found.Environment) > 0 {
			err = usage("pin %s was recorded under another environment: %s: %w", pin.Name(), strings.Join(found.Environment, "; "), err)
		}
		return nil, err
	}
	records, err := speaker.all(ctx, corpus)
	if err != nil {
		return nil, err
	}
	for _, list := range records {
		found.Checks += len(list)
	}
	found.Lines = lineChanges(goldens, records)
	found.Unconfirmed = staleHazards(goldens, corpus)
	if c.Confirm && found.Equal() && len(found.Unconfirmed) > 0 {
		return found, c.confirm(found, records, corpus)
	}
	return found, nil
}

// confirm lists the digests of all golden files of a pin. It was equal under
// the environment that it says it was recorded under, or nothing is confirmed.
func (c PinVerifyConfig) confirm(found *PinVerified, records map[string][]golden.Record, corpus cases.Corpus) error {
	if len(found.Environment) > 0 {
		return usage("pin %s: --confirm takes the environment that it was recorded under: %v; nothing was confirmed. Name the interpreter with --python", found.Pin.Name(), found.Environment)
	}
	changes, err := golden.Changes(filepath.Join(c.Root, "golden"), found.Pin, records, inputsOf(found.Pin, corpus))
	if err == nil {
		err = golden.Commit(changes)
	}
	if err == nil {
		found.Confirmed, found.Unconfirmed = found.Unconfirmed, nil
	}
	return err
}
