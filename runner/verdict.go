package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/adapters"
)

// Verdict is what is said of a claim.
type Verdict string

// The verdicts.
const (
	// Conformant: everything claimed was checked and is same or rounding.
	Conformant Verdict = "conformant"
	// NotConformant: something claimed is different, refused or answered.
	NotConformant Verdict = "not conformant"
	// Unfinished: nothing deviates, but something was not reached or is
	// unsupported, timeout, crash or protocol, or nothing was compared at all.
	Unfinished Verdict = "incomplete"
)

// claimable are the conditions of the metric that the adapter handles.
func claimable(claim *Claim) []string {
	return slices.DeleteFunc(adapters.Structural(claim.Metric), func(condition string) bool {
		return !slices.Contains(claim.Support.Handles, condition)
	})
}

func (c *ClaimReport) verdict() Verdict {
	incomplete := c.Answered() == 0
	for outcome, count := range c.Outcomes {
		if count == 0 {
			continue
		}
		if outcome.Deviates(c.bits) {
			return NotConformant
		}
		incomplete = incomplete || outcome.Incomplete()
	}
	if incomplete {
		return Unfinished
	}
	return Conformant
}

// exceptedBy returns those of the exceptions that took a check out of this claim.
func (c *ClaimReport) exceptedBy(except []string) []string {
	return slices.DeleteFunc(slices.Clone(except), func(condition string) bool {
		return !slices.ContainsFunc(c.Results, func(r *Result) bool { return len(r.Things) > 0 && slices.Contains(r.Excepted, condition) })
	})
}

// Sentence is the verdict as it is written: with what was answered, which
// conditions were handled, what was excepted and what was not claimed. except
// are the exceptions of the run; those that concern the claim are named.
func (c *ClaimReport) Sentence(except []string) string {
	var out strings.Builder
	out.WriteString(string(c.Verdict))
	if c.Known > 0 {
		fmt.Fprintf(&out, ", %d known", c.Known)
	}
	if c.Excepted {
		fmt.Fprintf(&out, " except %s", strings.Join(c.exceptedBy(except), ", "))
	}
	out.WriteString(": ")
	if c.Everything() {
		out.WriteString("everything")
	} else {
		out.WriteString(strings.Join(c.Answers(), ", "))
		excepted := c.exceptedBy(except)
		handled := slices.DeleteFunc(claimable(c.Claim), func(condition string) bool { return slices.Contains(excepted, condition) })
		if len(handled) > 0 {
			fmt.Fprintf(&out, "; with %s", strings.Join(handled, ", "))
		}
	}
	if missing := c.NotClaimed(); len(missing) > 0 {
		fmt.Fprintf(&out, "; not claimed: %s", strings.Join(missing, ", "))
	}
	if len(c.NotExercised) > 0 {
		fmt.Fprintf(&out, "; never asked for: %s", strings.Join(c.NotExercised, ", "))
	}
	return out.String()
}
