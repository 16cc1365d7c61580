package runner

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/metric"
)

// Config says what to certify and against what.
type Config struct {
	Corpus  cases.Corpus
	Goldens *golden.Set
	// Claims are METRIC@UPSTREAM@COMMIT; none stands for what the hello says.
	Claims []string
	// Except are conditions taken out of every claim: they run and are shown.
	Except []string
	// Bits makes rounding a deviation.
	Bits bool
	// Set is the frozen set that the run is held to; nil is the whole corpus.
	Set *FrozenSet
	// Patterns select cases of it (cases.Corpus.Select); none selects all.
	Patterns []string
	// Command is how the adapter was started, for the report; empty for a
	// built-in one.
	Command []string
	// Files are those that Command names (FilesOf); Flags are further flags of
	// the command line. Both are only for the report.
	Files []File
	Flags []string
	// NoWhy leaves out the search for what explains the deviations.
	NoWhy bool
	// Window is how many requests are in flight; 0 is DefaultWindow.
	Window int
	// Shuffle seeds the order in which requests are sent; nil is the order of
	// the cases. The report is the same, unless the adapter's answers depend on it.
	Shuffle *uint64
	// Progress is told how many requests are answered; it may be nil.
	Progress func(done, of int)
}

// Validate checks what can be checked before an adapter is started: patterns,
// claims, conditions. The error is a *UsageError.
func (c Config) Validate() error {
	if _, err := c.selected(); err != nil {
		return &UsageError{err}
	}
	for _, text := range c.Claims {
		name, pin, err := splitClaim(text)
		if err == nil {
			_, _, _, err = covered(name, pin, c.Goldens)
		}
		if err != nil {
			return usage("claim %s: %w", text, err)
		}
	}
	return knownConditions(c.Except)
}

// canonical puts what selects and excepts in order, each once.
func (c Config) canonical() Config {
	c.Patterns = slices.Compact(slices.Sorted(slices.Values(c.Patterns)))
	c.Except = slices.Compact(slices.Sorted(slices.Values(c.Except)))
	return c
}

// DefaultWindow is how many requests are in flight at once.
const DefaultWindow = 512

// StartError means that no verdict is possible: the adapter did not start, or
// gave no hello.
type StartError struct{ Err error }

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// asked is what an adapter was asked, with what came back.
type asked struct {
	corpus      cases.Corpus // the selected cases
	hello       adapters.Hello
	claims      []*Claim
	checks      [][]*Check // by claim
	questions   *questions
	interrupted bool
	notes       []string
}

// put puts the checks of every claim to an adapter, and closes it.
func put(ctx context.Context, adapter adapters.Adapter, config Config) (result *asked, err error) {
	closed := false
	var late []adapters.LateFault
	closing := func() {
		if closer, open := adapter.(adapters.Closer); open && !closed {
			closed = true
			faults, closeErr := closer.Close()
			late, err = faults, errors.Join(err, closeErr)
		}
	}
	defer closing()
	if err := config.Validate(); err != nil {
		return nil, err
	}
	a := &asked{}
	if a.hello, err = adapter.Hello(ctx); err != nil {
		return nil, &StartError{err}
	}
	if err := a.hello.Validate(); err != nil {
		return nil, &StartError{err}
	}
	if err := a.prepare(config); err != nil {
		return nil, err
	}
	window := config.Window
	if window == 0 {
		window = DefaultWindow
	}
	support := func(r adapters.Request) adapters.Support { return a.hello.Metrics[r.Metric] }
	o := order{window: window, shuffle: config.Shuffle, progress: config.Progress}
	a.questions.run(ctx, adapter, support, o)
	a.interrupted = ctx.Err() != nil
	if !a.interrupted {
		a.questions.again(ctx, adapter, support, o)
	}
	closing()
	if noted, has := adapter.(adapters.Noted); has {
		a.notes = noted.Notes()
	}
	a.questions.late(late)
	a.questions.settle()
	return a, err
}

// prepare resolves claims and checks, and plans what is asked.
func (a *asked) prepare(config Config) (err error) {
	if a.corpus, err = config.selected(); err != nil {
		return &UsageError{err}
	}
	if a.claims, err = claims(config.Claims, a.hello, config.Goldens); err != nil {
		return err
	}
	if a.checks, err = allChecks(a.claims, a.corpus, config.Except); err != nil {
		return err
	}
	a.questions = plan(slices.Concat(a.checks...))
	return nil
}

// Certify puts the checks of every claim to an adapter and judges what comes
// back. Where ctx ends early, the report holds what was reached. The error is
// a *UsageError where the configuration selects nothing or names something
// unknown, and a *StartError where no verdict is possible. An adapter that is
// an adapters.Closer is closed.
func Certify(ctx context.Context, adapter adapters.Adapter, config Config) (*Report, error) {
	config = config.canonical()
	a, err := put(ctx, adapter, config)
	if err != nil {
		return nil, err
	}
	return a.judged(config), nil
}

// judged is the report of what came back.
func (a *asked) judged(config Config) *Report {
	report := &Report{
		Version: version.Version, Adapter: a.hello, Command: config.Command, Files: config.Files, Flags: config.Flags,
		Cases: a.corpus.Count(), Corpus: config.Corpus.Count(),
		Set: config.Set, Patterns: config.Patterns, Except: config.Except, Bits: config.Bits, Interrupted: a.interrupted,
		Notes: a.notes,
	}
	report.About = map[string]string{}
	for _, hazard := range a.corpus.Hazards {
		report.About[hazard.Name] = hazard.About
	}
	report.Claims = make([]*ClaimReport, len(a.claims))
	jobs := make([]func(), len(a.claims))
	for i, claim := range a.claims {
		jobs[i] = func() { report.Claims[i] = a.questions.report(claim, a.checks[i], config, a.corpus) }
	}
	inParallel(jobs)
	if !config.NoWhy {
		report.explain(a)
	}
	report.Signature = report.signature(a.corpus)
	report.Digests = report.digests(a.corpus.Digest())
	return report
}

func (q *questions) report(claim *Claim, checks []*Check, config Config, corpus cases.Corpus) *ClaimReport {
	results := make([]*Result, len(checks))
	for i, check := range checks {
		results[i] = q.judge(check)
	}
	c := newClaimReport(claim, results, config.Bits)
	c.Texts = q.textResults(claim, checks)
	// The floors are ours: an interrupted run still has them.
	c.Floors = floors(context.Background(), checks, results)
	for _, hazard := range config.Corpus.Hazards {
		selected := slices.ContainsFunc(corpus.Hazards, func(h cases.Hazard) bool { return h.Name == hazard.Name })
		recorded := slices.Contains(claim.goldens.Hazards(), hazard.Name)
		covers := func(name string) bool { _, covered := claim.Pin.Covers(name); return covered }
		if selected && recorded && !claim.goldens.Confirmed(hazard.Name, hazard.Inputs(covers)) {
			c.Unconfirmed = append(c.Unconfirmed, hazard.Name)
		}
	}
	return c
}

// allChecks returns the checks of each claim. A claim without a check, and an
// exception that no check has, select nothing and are errors.
func allChecks(list []*Claim, corpus cases.Corpus, except []string) ([][]*Check, error) {
	perClaim := make([][]*Check, len(list))
	used := map[string]bool{}
	for i, claim := range list {
		found, err := checks(claim, corpus, except)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, usage("claim %s: no selected case has a setup of %s", claim.Name(), claim.Metric.Name)
		}
		for _, check := range found {
			for _, condition := range check.Excepted {
				used[condition] = true
			}
		}
		perClaim[i] = found
	}
	for _, condition := range except {
		if !used[condition] {
			return nil, usage("--except %s: no selected check has this condition", condition)
		}
	}
	return perClaim, nil
}

func knownConditions(except []string) error {
	known := append(adapters.StructuralConditions(), adapters.StringConditions()...)
	for _, m := range metric.All() {
		for _, option := range m.Options {
			known = append(known, option.Name)
		}
	}
	slices.Sort(known)
	for _, condition := range except {
		if !slices.Contains(known, condition) {
			return usage("unknown condition %q; known: %s", condition, strings.Join(known, ", "))
		}
	}
	return nil
}

// deviating returns the number of claims with a deviation that no baseline knows.
func (r *Report) deviating() int {
	count := 0
	for _, claim := range r.Claims {
		if claim.Verdict == NotConformant && claim.Known < claim.DeviatingChecks() {
			count++
		}
	}
	return count
}

// DeviatingChecks counts the checks with a thing that contradicts the claim.
func (c *ClaimReport) DeviatingChecks() int {
	count := 0
	for _, r := range c.Results {
		if c.contradicts(r) {
			count++
		}
	}
	return count
}

// contradicts reports whether a check counts against the claim.
func (c *ClaimReport) contradicts(r *Result) bool {
	return len(r.Excepted) == 0 && slices.ContainsFunc(r.Things, c.Deviates)
}

// incomplete returns the number of claims of which something is missing, those
// that are not conformant among them.
func (r *Report) incomplete() int {
	count := 0
	for _, claim := range r.Claims {
		missing := claim.Verdict == Unfinished
		for outcome, n := range claim.Outcomes {
			missing = missing || n > 0 && outcome.Incomplete()
		}
		if missing {
			count++
		}
	}
	return count
}

// ExitCode is that of a run with this report: 4 interrupted, 1 a claim does
// not hold, 4 a claim is incomplete, 0 all hold. Deviations that a baseline
// knows do not count; an entry of it that no longer holds is 1.
func (r *Report) ExitCode() int {
	switch {
	case r.Interrupted:
		return 4
	case r.Baseline != nil && len(r.Baseline.Problems) > 0:
		return 1
	case r.deviating() > 0:
		return 1
	case r.incomplete() > 0 || len(r.Claims) == 0:
		return 4
	}
	return 0
}
