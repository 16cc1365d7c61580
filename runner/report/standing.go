package report

import (
	"fmt"
	"strings"

	"github.com/normcert/normcert/runner"
)

// standing is how a check stands towards its claim, for formats that know only
// passed, failed, skipped and error.
type standing int

const (
	holds standing = iota
	notClaimed
	excepted // and not the same; it does not count
	known    // deviates as the baseline says
	deviates
	faulty     // timeout, crash or protocol
	unanswered // unsupported, or not reached
)

func standingOf(r *runner.Report, c *runner.ClaimReport, result *runner.Result) standing {
	if len(result.Things) == 0 {
		return notClaimed
	}
	deviating, fault, missing := false, false, false
	for _, thing := range result.Things {
		deviating = deviating || c.Deviates(thing)
		switch thing.Outcome {
		case runner.Timeout, runner.Crash, runner.Protocol:
			fault = true
		case runner.Unsupported, runner.NotReached:
			missing = true
		}
	}
	_, isKnown := r.Baseline.Of(c, result)
	switch {
	case !deviating && !fault && !missing:
		return holds
	case len(result.Excepted) > 0:
		return excepted
	case isKnown && !fault && !missing:
		return known
	case deviating:
		return deviates
	case fault:
		return faulty
	}
	return unanswered
}

// reasonOf says why a check was not counted, or what is wrong with it, on one line each.
func reasonOf(r *runner.Report, c *runner.ClaimReport, result *runner.Result) []string {
	switch standingOf(r, c, result) {
	case holds:
		return nil
	case notClaimed:
		return []string{"not claimed"}
	}
	var lines []string
	if entry, is := r.Baseline.Of(c, result); is {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("known %s: %s", entry.Class, plain(entry.Reason)), ": "))
	}
	if len(result.Excepted) > 0 {
		lines = append(lines, "excepted: "+strings.Join(result.Excepted, ", "))
	}
	for _, thing := range result.Things {
		if !c.Deviates(thing) && !thing.Outcome.Incomplete() {
			continue
		}
		line := explained(result, thing)
		if cause := c.Why.CauseOf(result, thing); cause != "" {
			line += "; cause: " + cause
		}
		lines = append(lines, line)
	}
	return lines
}

// checkName names a check within a claim.
func checkName(r *runner.Result) string { return r.Case.ID + " " + r.Setup.String() }

// claimStands is how a whole claim stands: holds, known, deviates, or
// unanswered where it is incomplete.
func claimStands(c *runner.ClaimReport) standing {
	switch {
	case c.Verdict == runner.NotConformant && c.Known < c.DeviatingChecks():
		return deviates
	case c.Verdict == runner.NotConformant && c.Outcomes[runner.Timeout]+c.Outcomes[runner.Crash]+c.Outcomes[runner.Protocol]+c.Outcomes[runner.Unsupported]+c.Outcomes[runner.NotReached] > 0:
		return unanswered
	case c.Verdict == runner.NotConformant:
		return known
	case c.Verdict == runner.Unfinished:
		return unanswered
	}
	return holds
}
