package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// PinAddConfig says which pin to record, and from what.
type PinAddConfig struct {
	// Name is UPSTREAM@COMMIT, or NAME@VERSION where a program answers.
	Name string
	// Root is where golden/ lies, or will lie; its cases/ are asked, and where it
	// has none, the embedded ones.
	Root string
	// From is a git repository of upstream, or a plain tree of its files.
	From string
	// Command is the program whose answers become the goldens, in place of From.
	Command []string
	// Python is the interpreter to record under; empty looks for one.
	Python string
	// Metrics are those to record; none is all that are there.
	Metrics []string
	// About and Defaults go into pin.toml: what there is to know, and for which
	// metrics this is the default pin.
	About    string
	Defaults []string
	// Replace lets the pin take the place of one of that name.
	Replace bool
}

// PinAdded is a pin that was recorded.
type PinAdded struct {
	Pin golden.Pin
	// Folder is where it lies.
	Folder string
	// Covered counts what each metric was asked.
	Covered []PinCoverage
}

// AddPin records every golden of a new pin and then puts its folder into place
// in one step, or changes nothing. Upstream's sources are found by their paths;
// the scale is observed. The error is a *UsageError or a *StartError where the
// fault is the caller's or the program's.
func AddPin(ctx context.Context, config PinAddConfig) (*PinAdded, error) {
	corpus, err := config.corpus()
	if err != nil {
		return nil, err
	}
	speaker, err := config.speaker(ctx)
	if err != nil {
		return nil, err
	}
	defer speaker.close()
	speaker.pin.Environment = speaker.environment()
	for i := range speaker.pin.Metrics {
		if err := speaker.observeScale(ctx, &speaker.pin.Metrics[i]); err != nil {
			return nil, err
		}
	}
	records, err := speaker.all(ctx, corpus)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, usage("no case has a setup that %s answers; nothing was written", config.Name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root := filepath.Join(config.Root, "golden")
	inputs := inputsOf(speaker.pin, corpus)
	if err := golden.Install(root, speaker.pin, records, inputs, config.Replace); err != nil {
		return nil, config.exists(err)
	}
	goldens, err := golden.Load(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	added, err := goldens.Find(speaker.pin.Name())
	if err != nil {
		return nil, err
	}
	return &PinAdded{Pin: added.Pin, Folder: filepath.Join(root, added.Pin.Upstream, added.Pin.Short), Covered: coverages(added, corpus)}, nil
}

func (c PinAddConfig) exists(err error) error {
	if errors.Is(err, golden.ErrPinExists) {
		return usage("%w; --replace records it anew", err)
	}
	return err
}

func (c PinAddConfig) corpus() (cases.Corpus, error) {
	folder := filepath.Join(c.Root, "cases")
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return cases.Embedded()
	}
	corpus, err := cases.Load(os.DirFS(folder))
	if err != nil {
		return corpus, usage("cases in %s:\n%w", folder, err)
	}
	return corpus, nil
}

// notAnUpstream refuses the name of an upstream, or of a specification, for a
// program: what it answers must not pass for theirs.
func notAnUpstream(upstream string) error {
	known, err := golden.Embedded()
	if err != nil {
		return err
	}
	for _, goldens := range known.Pins() {
		if goldens.Pin.Upstream == upstream && len(goldens.Pin.Command) == 0 {
			return usage("%s is the name of an upstream that is recorded from its own source: give the program's pin a name of its own, such as acme@2.1", upstream)
		}
	}
	return nil
}

// sameCommitSameFiles refuses sources that are not those of their commit, where
// the commit is known from another recording: its files cannot have changed.
func (c PinAddConfig) sameCommitSameFiles(pin golden.Pin) error {
	embedded, err := golden.Embedded()
	if err != nil {
		return err
	}
	known := embedded.Pins()
	if set, err := golden.Load(os.DirFS(filepath.Join(c.Root, "golden"))); err == nil {
		known = append(known, set.Pins()...)
	}
	for _, goldens := range known {
		if goldens.Pin.Upstream != pin.Upstream || goldens.Pin.Commit != pin.Commit {
			continue
		}
		for _, coverage := range pin.Metrics {
			before, _ := goldens.Pin.Covers(coverage.Name)
			for _, source := range coverage.Sources {
				for _, other := range before.Sources {
					if other.Path == source.Path && other.Blob != source.Blob {
						return &golden.BlobError{Folder: c.From, Path: source.Path, Got: source.Blob, Want: other.Blob}
					}
				}
			}
		}
	}
	return nil
}

// speaker starts the program that will be asked, after everything that can be
// refused without it.
func (c PinAddConfig) speaker(ctx context.Context) (*recording, error) {
	upstream, commit, err := golden.SplitName(c.Name)
	if err != nil {
		return nil, &UsageError{err}
	}
	if len(c.Command) > 0 {
		if err := notAnUpstream(upstream); err != nil {
			return nil, err
		}
		pin := golden.Pin{Upstream: upstream, Short: commit, Commit: commit, About: c.About, Command: c.Command}
		if err := c.free(&pin); err != nil {
			return nil, err
		}
		return c.ownSpeaker(ctx, pin)
	}
	pin, files, err := golden.FindSources(ctx, upstream, commit, c.From)
	if err == nil {
		err = pin.Only(c.Metrics)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &UsageError{err}
	}
	if err := c.sameCommitSameFiles(pin); err != nil {
		return nil, &UsageError{err}
	}
	pin.About = c.About
	if err := errors.Join(c.free(&pin), c.defaults(&pin)); err != nil {
		return nil, err
	}
	speaker, err := speakFor(ctx, pin, files, c.Python)
	if err != nil {
		return nil, err
	}
	if err := speaker.lacks(); err != nil {
		speaker.close()
		return nil, err
	}
	return speaker, nil
}

// free refuses a name that is taken, before anything is recorded. A short name
// that stands for another commit is never replaced. What people wrote into the
// pin that is replaced is kept, unless it is given anew.
func (c PinAddConfig) free(pin *golden.Pin) error {
	folder := filepath.Join(c.Root, "golden", pin.Upstream, pin.Short)
	if _, err := os.Stat(folder); err != nil {
		return nil
	}
	if !c.Replace {
		return c.exists(fmt.Errorf("%s: %w", folder, golden.ErrPinExists))
	}
	content, err := os.ReadFile(filepath.Join(folder, "pin.toml"))
	if err != nil {
		return nil
	}
	before, err := golden.DecodePin(filepath.Join(folder, "pin.toml"), pin.Upstream, pin.Short, content)
	if err != nil {
		return nil
	}
	if len(pin.Command) == 0 && before.Commit != pin.Commit {
		return usage("%s is commit %s; this is %s", folder, before.Commit, pin.Commit)
	}
	if pin.About == "" {
		pin.About = before.About
	}
	for i := range pin.Metrics {
		coverage, _ := before.Covers(pin.Metrics[i].Name)
		pin.Metrics[i].Default = coverage.Default
	}
	return nil
}

// defaults marks the metrics for which this is the default pin. A metric has
// one; the goldens of another that says so are not touched here.
func (c PinAddConfig) defaults(pin *golden.Pin) error {
	for _, name := range c.Defaults {
		at := slices.IndexFunc(pin.Metrics, func(coverage golden.Coverage) bool { return coverage.Name == name })
		if at < 0 {
			return usage("--default %s: %s does not cover it", name, c.Name)
		}
		if other := c.otherDefault(*pin, name); other != "" {
			return usage("--default %s: %s is its default pin; take default = true out of its pin.toml first", name, other)
		}
		pin.Metrics[at].Default = true
	}
	return nil
}

func (c PinAddConfig) otherDefault(pin golden.Pin, name string) string {
	set, err := golden.Load(os.DirFS(filepath.Join(c.Root, "golden")))
	if err != nil {
		return ""
	}
	other, err := set.Default(name)
	if err != nil || other.Pin.Name() == pin.Name() {
		return ""
	}
	return other.Pin.Name()
}

// ownSpeaker starts somebody's own scorer; its hello says what it covers.
func (c PinAddConfig) ownSpeaker(ctx context.Context, pin golden.Pin) (*recording, error) {
	speaker, err := speak(ctx, pin, c.Command)
	if err != nil {
		return nil, err
	}
	hello := speaker.hello
	for _, name := range slices.Sorted(maps.Keys(hello.Metrics)) {
		support := hello.Metrics[name]
		speaker.pin.Metrics = append(speaker.pin.Metrics, golden.Coverage{Name: name, Answers: support.Answers, Handles: support.Handles, Scale: support.Scale})
	}
	speaker.pin.Adapter = map[string]string{}
	for name, said := range map[string]string{"name": hello.Name, "version": hello.Version, "wraps": hello.Wraps} {
		if said != "" {
			speaker.pin.Adapter[name] = said
		}
	}
	err = speaker.pin.Only(c.Metrics)
	if err != nil {
		err = &UsageError{err}
	} else {
		err = c.defaults(&speaker.pin)
	}
	if err != nil {
		speaker.close()
		return nil, err
	}
	return speaker, nil
}

// observeScale scores an obvious match: what it gets is the top of the scale.
func (r *recording) observeScale(ctx context.Context, coverage *golden.Coverage) error {
	m, err := metric.Lookup(coverage.Name)
	if err != nil {
		return err
	}
	key := m.DecisionKey()
	if !coverage.Holds(key) {
		if key = "f1"; !coverage.Holds(key) || !slices.Contains(m.KeyNames(), key) {
			// Nothing that it answers has a scale, or can be held against one.
			coverage.Scale = max(coverage.Scale, 1)
			return nil
		}
	}
	text := "normcert"
	request := adapters.Request{Op: adapters.Score, Metric: coverage.Name, Pin: r.pin.Name(), Items: []metric.Item{{ID: "0", Prediction: &text, References: []string{text}}}}
	answer, err := r.adapter.Answer(ctx, request)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("observing the scale of %s at %s: scoring %q for itself: %w; nothing was written. The end of its stderr:\n%s",
			coverage.Name, r.pin.Name(), text, err, lastLines(r.adapter.Stderr(), 6))
	}
	top := answer.Scores[key]
	switch {
	case top != 1 && top != 100:
		return fmt.Errorf("observing the scale of %s at %s: %s of %q for itself is %v, not 1 or 100; nothing was written", coverage.Name, r.pin.Name(), key, text, top)
	case coverage.Scale != 0 && coverage.Scale != top:
		return fmt.Errorf("observing the scale of %s at %s: its hello says %v, and %s of %q for itself is %v; nothing was written",
			coverage.Name, r.pin.Name(), coverage.Scale, key, text, top)
	}
	coverage.Scale = top
	return nil
}
