package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// Addition is a case that is ready to be written into a checkout.
type Addition struct {
	Case cases.Case
	// Same are the cases with the same strings, Alike those of which a
	// metric sees the same; see Twins.
	Same, Alike []string
	// Problems are what the linter finds that it did not find before.
	Problems []*cases.Error
	// Goldens are those of the checkout with the case.
	Goldens *golden.Set
	// Unconfirmed are the pins of which only the reference answered.
	Unconfirmed []string
	// Changes are the files that differ, with their lines.
	Changes []golden.Change
	// Added are the lines that each of the files gains, by path.
	Added map[string][]string
}

// outcomesFile is the table of all decisions, which the tests hold.
const outcomesFile = "conformance/testdata/outcomes.golden"

// AddCase prepares a new case for a checkout: its file, its goldens, recorded as
// Regenerate does, and the table of outcomes where the checkout has one. Nothing
// is written; golden.Commit writes the changes.
func AddCase(ctx context.Context, config RegenConfig, draft cases.Draft) (*Addition, error) {
	stage, err := os.MkdirTemp("", "normcert-case-")
	if err != nil {
		return nil, fmt.Errorf("preparing a case: %w", err)
	}
	defer os.RemoveAll(stage)
	if err := copyTree(config.Root, stage); err != nil {
		return nil, usage("reading the checkout: %w", err)
	}
	before, err := cases.Lint(os.DirFS(filepath.Join(stage, "cases")))
	if err != nil {
		return nil, usage("cases in %s:\n%w", filepath.Join(config.Root, "cases"), err)
	}
	content, added, err := draft.AddTo(os.DirFS(filepath.Join(stage, "cases")))
	if err != nil {
		return nil, usage("the case is not right: %w", err)
	}
	if err := os.WriteFile(filepath.Join(stage, "cases", draft.Hazard+".toml"), content, 0o644); err != nil {
		return nil, err
	}
	addition := &Addition{Case: added}
	if addition.Problems, err = newProblems(before, os.DirFS(filepath.Join(stage, "cases"))); err != nil {
		return nil, usage("the case is not right: %w", err)
	}
	root := config.Root
	config.Root = stage
	if addition.Unconfirmed, err = recordAddition(ctx, config, draft.Hazard); err != nil {
		return nil, err
	}
	return addition, addition.finish(ctx, root, stage)
}

// recordAddition records the goldens of a checkout and returns the pins of
// which only the reference answered for a hazard. Where the interpreter that a
// specification was recorded under is not at hand, the reference answers for
// that one too: it takes no Python to add a case.
func recordAddition(ctx context.Context, config RegenConfig, hazard string) (unconfirmed []string, err error) {
	report, err := Regenerate(ctx, config)
	var wrong *UsageError
	if errors.As(err, &wrong) && len(config.From) == 0 {
		return recordByReference(ctx, config.Root)
	}
	if err != nil {
		return nil, err
	}
	for _, pin := range report.Pins {
		if slices.Contains(pin.Unconfirmed, hazard) {
			unconfirmed = append(unconfirmed, pin.Pin.Name())
		}
	}
	return unconfirmed, nil
}

func recordByReference(ctx context.Context, root string) (unconfirmed []string, err error) {
	corpus, set, err := loadRoot(root)
	if err != nil {
		return nil, err
	}
	var changes []golden.Change
	for _, goldens := range set.Pins() {
		stale := staleHazards(goldens, corpus)
		if len(stale) == 0 || len(goldens.Pin.Command) > 0 {
			continue
		}
		records, inputs, err := fromReference(ctx, goldens, corpus, stale)
		if err != nil {
			return nil, err
		}
		changed, err := golden.Changes(filepath.Join(root, "golden"), goldens.Pin, records, inputs)
		if err != nil {
			return nil, err
		}
		changes = append(changes, changed...)
		unconfirmed = append(unconfirmed, goldens.Pin.Name())
	}
	return unconfirmed, golden.Commit(changes)
}

// newProblems are those of the files that were not found before.
func newProblems(before []*cases.Error, files fs.FS) ([]*cases.Error, error) {
	after, err := cases.Lint(files)
	known := map[string]bool{}
	for _, problem := range before {
		known[problem.Error()] = true
	}
	return slices.DeleteFunc(after, func(e *cases.Error) bool { return known[e.Error()] }), err
}

func (a *Addition) finish(ctx context.Context, root, stage string) error {
	corpus, err := cases.Load(os.DirFS(filepath.Join(stage, "cases")))
	if err != nil {
		return err
	}
	if a.Goldens, err = golden.Load(os.DirFS(filepath.Join(stage, "golden"))); err != nil {
		return err
	}
	if a.Same, a.Alike, err = Twins(ctx, corpus, a.Goldens, a.Case); err != nil {
		return err
	}
	table := filepath.Join(stage, filepath.FromSlash(outcomesFile))
	if _, err := os.Stat(table); err == nil {
		var lines bytes.Buffer
		if err := OutcomesTable(&lines, corpus, a.Goldens); err != nil {
			return err
		}
		if err := os.WriteFile(table, lines.Bytes(), 0o644); err != nil {
			return err
		}
	}
	a.Added = map[string][]string{}
	return filepath.WalkDir(stage, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(stage, path)
		if err != nil {
			return err
		}
		return a.compare(filepath.Join(root, name), path)
	})
}

// compare notes how a file differs from the one in the checkout.
func (a *Addition) compare(stands, staged string) error {
	after, err := os.ReadFile(staged)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(stands)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && bytes.Equal(before, after) {
		return nil
	}
	a.Changes = append(a.Changes, golden.Change{Path: stands, Content: after})
	known := map[string]int{}
	for line := range strings.Lines(string(before)) {
		known[line]++
	}
	for line := range strings.Lines(string(after)) {
		if known[line]--; known[line] < 0 {
			a.Added[stands] = append(a.Added[stands], strings.TrimSuffix(line, "\n"))
		}
	}
	return nil
}

// copyTree copies what a case touches.
func copyTree(root, stage string) error {
	for _, name := range []string{"cases", "golden"} {
		if err := os.CopyFS(filepath.Join(stage, name), os.DirFS(filepath.Join(root, name))); err != nil {
			return err
		}
	}
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(outcomesFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	path := filepath.Join(stage, filepath.FromSlash(outcomesFile))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
