package runner

import (
	"slices"

	"github.com/normcert/normcert/adapters"
)

// Report is the result of a run: for each claim, whether it is the same as its
// pin and whether it is right.
type Report struct {
	// Version is normcert's.
	Version string
	// Signature is one line derived from the whole configuration.
	Signature string
	// Adapter is what the adapter says of itself; Command how it was started,
	// empty for the built-in reference.
	Adapter adapters.Hello
	Command []string
	// Files are those that Command names; Flags are further flags of the
	// command line that the answers may depend on.
	Files []File
	Flags []string
	// Digests are of what it was judged by.
	Digests Digests
	// About says, by hazard, what its cases show.
	About map[string]string
	// Cases are those selected, of Corpus in all.
	Cases, Corpus int
	// Set is the frozen set that the run was held to; nil for all cases.
	Set *FrozenSet
	// Patterns, Except and Bits are as they were asked for.
	Patterns []string
	Except   []string
	Bits     bool
	Claims   []*ClaimReport
	// Interrupted says that the run ended early; what was reached is judged.
	Interrupted bool
	// Notes say what the adapter did that is the outcome of no check, such as a
	// process that it left behind; sorted. They change no verdict.
	Notes []string
	// Baseline is what became of the known deviations; nil without a baseline.
	Baseline *BaselineReport
}

// ClaimReport is the report of one claim.
type ClaimReport struct {
	*Claim
	Verdict Verdict
	// Excepted says that checks were taken out of the claim by an exception.
	Excepted bool
	Results  []*Result
	// Outcomes counts things answered, without those of excepted checks.
	Outcomes map[Outcome]int
	// ChecksAsked, ChecksExcepted and ChecksNotClaimed add up to Results.
	ChecksAsked, ChecksExcepted, ChecksNotClaimed int
	// NotExercised are keys and conditions that it claims and that no selected
	// check asked for.
	NotExercised []string
	// Decided counts checks with a decision of the adapter and of the pin.
	Decided         int
	Right, Upstream RightCount
	Better, Worse   int
	Floors          []FloorCount
	// Why is the smallest set of variations that reproduces the adapter's
	// answers; nil where nothing differs, and in an interrupted run.
	Why         *Explanation
	Unconfirmed []string // hazards whose golden upstream has not confirmed
	// Texts are those whose normalized form is not the pin's, or is missing.
	Texts []TextResult
	// Known counts the checks that deviate as a baseline says.
	Known int
	bits  bool
}

// RightCount counts decisions against the intents.
type RightCount struct {
	WrongAccepts int `json:"wrong_accepts"`
	WrongRejects int `json:"wrong_rejects"`
}

func (c *RightCount) add(d Decision) {
	switch d {
	case WrongAccept:
		c.WrongAccepts++
	case WrongReject:
		c.WrongRejects++
	}
}

// Answered is the number of things the adapter was asked for.
func (c *ClaimReport) Answered() int {
	total := 0
	for _, count := range c.Outcomes {
		total += count
	}
	return total
}

// Everything reports whether every key and every condition of the metric was
// claimed, and nothing excepted.
func (c *ClaimReport) Everything() bool {
	return len(c.NotClaimed()) == 0 && !c.Excepted
}

// Deviations are the results with a thing that is neither same nor, unless
// bits are claimed, rounding; excepted checks among them.
func (c *ClaimReport) Deviations() []*Result {
	return slices.DeleteFunc(slices.Clone(c.Results), func(r *Result) bool {
		return !slices.ContainsFunc(r.Things, func(t Thing) bool { return t.Outcome.Deviates(c.bits) || t.Outcome.Incomplete() })
	})
}

// Deviates reports whether a thing of the claim contradicts it.
func (c *ClaimReport) Deviates(t Thing) bool { return t.Outcome.Deviates(c.bits) }

func newClaimReport(claim *Claim, results []*Result, bits bool) *ClaimReport {
	c := &ClaimReport{Claim: claim, Results: results, Outcomes: map[Outcome]int{}, bits: bits}
	exercised := map[string]bool{}
	for _, r := range results {
		switch {
		case len(r.Things) == 0:
			c.ChecksNotClaimed++
			continue
		case len(r.Excepted) > 0:
			c.ChecksExcepted++
			c.Excepted = true
			// They were asked for; that they do not count is said elsewhere.
			for _, condition := range r.Excepted {
				exercised[condition] = true
			}
			continue
		}
		c.ChecksAsked++
		for _, thing := range r.Things {
			c.Outcomes[thing.Outcome]++
			exercised[thing.Name] = true
		}
		for _, condition := range r.Structural {
			exercised[condition] = true
		}
		c.right(r)
	}
	for _, name := range slices.Concat(c.Answers(), claimable(claim)) {
		if !exercised[name] {
			c.NotExercised = append(c.NotExercised, name)
		}
	}
	c.Verdict = c.verdict()
	return c
}

// right counts decisions where both the adapter and the pin made one.
func (c *ClaimReport) right(r *Result) {
	if !r.Decides() {
		return
	}
	c.Decided++
	c.Right.add(r.Decision)
	c.Upstream.add(r.Upstream)
	switch {
	case r.Decision == Agrees && r.Upstream != Agrees:
		c.Better++
	case r.Decision != Agrees && r.Upstream == Agrees:
		c.Worse++
	}
}

// DecidesBy names what the adapter's decisions rest on: its exact-match score,
// or its normalizer in the reference's scorer; "" where it answers neither.
func (c *ClaimReport) DecidesBy() string {
	switch {
	case slices.Contains(c.Support.Answers, c.Metric.DecisionKey()):
		return c.Metric.DecisionKey()
	case len(c.Keys()) == 0 && c.Normalizes():
		return adapters.NormalizeAnswer
	}
	return ""
}

// ScaleFactor is 100 or 0.01 where nearly every score of the adapter is so
// many times upstream's, as when its hello names another scale than its own;
// else 0.
func (c *ClaimReport) ScaleFactor() float64 {
	compared, larger, smaller := 0, 0, 0
	for _, result := range c.Results {
		for _, thing := range result.Things {
			key, scored := c.Metric.Key(thing.Name)
			if !scored || !key.Scaled() || thing.Outcome != Different || thing.Want.Number == nil || thing.Got.Number == nil || *thing.Want.Number == 0 {
				continue
			}
			compared++
			switch want, got := float64(*thing.Want.Number), float64(*thing.Got.Number); {
			case near(got, 100*want):
				larger++
			case near(100*got, want):
				smaller++
			}
		}
	}
	switch {
	case compared == 0:
		return 0
	case 10*larger >= 9*compared:
		return 100
	case 10*smaller >= 9*compared:
		return 0.01
	}
	return 0
}
