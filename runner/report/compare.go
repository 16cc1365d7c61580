package report

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// Comparison says whether the numbers of two certificates may stand side by
// side, and what changed from the first to the second.
type Comparison struct {
	// Incomparable are the reasons why no number of them may.
	Incomparable []string
	// Claims are those of both, in the order of the first.
	Claims []ClaimComparison
	// Only are claims of one certificate.
	OnlyA, OnlyB []string
}

// ClaimComparison is that of one claim.
type ClaimComparison struct {
	Claim string
	// Incomparable are the reasons why the claim's numbers may not.
	Incomparable []string
	// Changes are of counts and the verdict, Checks of single checks.
	Changes []string
	Checks  []CheckChange
}

// CheckChange is a check of which something is not as in the first certificate.
type CheckChange struct {
	Case, Setup string
	Changes     []string
}

// Comparable reports whether there is a claim of both, and every number of
// these may stand beside the other.
func (c Comparison) Comparable() bool {
	return len(c.Incomparable) == 0 && len(c.Claims) > 0 && !slices.ContainsFunc(c.Claims, func(one ClaimComparison) bool { return len(one.Incomparable) > 0 })
}

// Compare compares two certificates: the same pin, corpus, goldens, claims,
// conditions and mode make them comparable; the adapter may be another.
func Compare(a, b *Certificate) Comparison {
	var c Comparison
	c.Incomparable = unlike("normcert", a.Normcert, b.Normcert)
	c.Incomparable = append(c.Incomparable, unlike("cases", strings.Join(a.Patterns, ","), strings.Join(b.Patterns, ","))...)
	c.Incomparable = append(c.Incomparable, unlike("set", a.Set.String(), b.Set.String())...)
	c.Incomparable = append(c.Incomparable, unlike("corpus", a.Digests.Corpus, b.Digests.Corpus)...)
	c.Incomparable = append(c.Incomparable, unlike("except", strings.Join(sorted(a.Except), ","), strings.Join(sorted(b.Except), ","))...)
	c.Incomparable = append(c.Incomparable, unlike("mode", mode(a), mode(b))...)
	for _, one := range []struct {
		name string
		of   *Certificate
	}{{"the first", a}, {"the second", b}} {
		if one.of.Interrupted {
			c.Incomparable = append(c.Incomparable, one.name+" was interrupted")
		}
	}
	for _, claim := range a.Claims {
		other, there := b.claim(claim.Claim)
		if !there {
			c.OnlyA = append(c.OnlyA, claim.Claim)
			continue
		}
		c.Claims = append(c.Claims, compareClaims(a, b, claim, other))
	}
	for _, claim := range b.Claims {
		if _, there := a.claim(claim.Claim); !there {
			c.OnlyB = append(c.OnlyB, claim.Claim)
		}
	}
	return c
}

// String is the set's name and digest.
func (s *Set) String() string {
	if s == nil {
		return "all"
	}
	return s.Name + ":" + s.Digest
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func mode(c *Certificate) string {
	if c.Bits {
		return "bits"
	}
	return "rounding allowed"
}

func (c *Certificate) claim(name string) (Claim, bool) {
	at := slices.IndexFunc(c.Claims, func(claim Claim) bool { return claim.Claim == name })
	if at < 0 {
		return Claim{}, false
	}
	return c.Claims[at], true
}

// unlike is the reason why two values make numbers incomparable, if they do.
func unlike(what, a, b string) []string {
	if a == b {
		return nil
	}
	name := func(text string) string {
		if text == "" {
			return "none"
		}
		return short(plain(text), 60)
	}
	return []string{fmt.Sprintf("%s: %s and %s", what, name(a), name(b))}
}

func compareClaims(a, b *Certificate, was, is Claim) ClaimComparison {
	_, pin, _ := cutClaim(was.Claim)
	c := ClaimComparison{Claim: was.Claim}
	c.Incomparable = unlike("goldens", a.Digests.Goldens[pin], b.Digests.Goldens[pin])
	c.Incomparable = append(c.Incomparable, unlike("answers", strings.Join(was.Answers, ","), strings.Join(is.Answers, ","))...)
	c.Incomparable = append(c.Incomparable, unlike("conditions", strings.Join(sorted(was.Handles), ","), strings.Join(sorted(is.Handles), ","))...)
	change := func(what string, a, b any) {
		if !reflect.DeepEqual(a, b) {
			c.Changes = append(c.Changes, fmt.Sprintf("%s: %v, then %v", what, a, b))
		}
	}
	change("verdict", was.Verdict, is.Verdict)
	for _, outcome := range runner.Outcomes() {
		change(string(outcome), was.Outcomes[outcome], is.Outcomes[outcome])
	}
	change("decisions", was.Right.Decided, is.Right.Decided)
	change("wrong accepts", was.Right.Adapter.WrongAccepts, is.Right.Adapter.WrongAccepts)
	change("wrong rejects", was.Right.Adapter.WrongRejects, is.Right.Adapter.WrongRejects)
	change("causes", causesOf(was), causesOf(is))
	c.Checks = compareChecks(was, is)
	return c
}

func causesOf(c Claim) string {
	if c.Why == nil {
		return "none"
	}
	names := make([]string, len(c.Why.Causes))
	for i, cause := range c.Why.Causes {
		names[i] = cause.Variation
	}
	if c.Why.Unexplained > 0 {
		names = append(names, fmt.Sprintf("%d unexplained", c.Why.Unexplained))
	}
	return strings.Join(names, "+")
}

func compareChecks(was, is Claim) []CheckChange {
	type key struct{ id, setup string }
	later := map[key]Result{}
	for _, result := range is.Results {
		later[key{result.Case, result.Setup}] = result
	}
	var list []CheckChange
	for _, result := range was.Results {
		change := CheckChange{Case: result.Case, Setup: result.Setup}
		other, there := later[key{result.Case, result.Setup}]
		if !there {
			change.Changes = []string{"only in the first"}
		} else {
			change.Changes = compareThings(result, other)
		}
		delete(later, key{result.Case, result.Setup})
		if len(change.Changes) > 0 {
			list = append(list, change)
		}
	}
	for _, result := range is.Results {
		if _, only := later[key{result.Case, result.Setup}]; only {
			list = append(list, CheckChange{result.Case, result.Setup, []string{"only in the second"}})
		}
	}
	return list
}

func compareThings(was, is Result) []string {
	before, after := shownThings(was), shownThings(is)
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	var changes []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != after[name] {
			changes = append(changes, fmt.Sprintf("%s: %s, then %s", name, orNothing(before[name]), orNothing(after[name])))
		}
	}
	if was.Decision != is.Decision {
		changes = append(changes, fmt.Sprintf("decision: %s, then %s", orNothing(string(was.Decision)), orNothing(string(is.Decision))))
	}
	return changes
}

func orNothing(text string) string {
	if text == "" {
		return "not asked"
	}
	return text
}

// shownThings is each thing's outcome, with the answer where it is not the same.
func shownThings(r Result) map[string]string {
	shown := map[string]string{}
	for _, thing := range r.Things {
		text := string(thing.Outcome)
		if thing.Got != nil && *thing.Got != (runner.Value{}) {
			text += " " + drawValue(*thing.Got)
		}
		shown[thing.Name] = text
	}
	return shown
}

// Text writes the comparison for people; without details as much as fits on a screen.
func (c Comparison) Text(out io.Writer, details bool) error {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	verdict := "comparable"
	if !c.Comparable() {
		verdict = "not comparable"
	}
	line("%s", verdict)
	for _, reason := range c.Incomparable {
		line("  %s", reason)
	}
	if len(c.Claims) == 0 {
		line("  no claim is in both")
	}
	for _, only := range c.OnlyA {
		line("only in the first: %s", only)
	}
	for _, only := range c.OnlyB {
		line("only in the second: %s", only)
	}
	for _, claim := range c.Claims {
		claim.text(line, details)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func (c ClaimComparison) text(line func(string, ...any), details bool) {
	line("")
	line("%s", c.Claim)
	for _, reason := range c.Incomparable {
		line("  not comparable: %s", reason)
	}
	if len(c.Changes) == 0 && len(c.Checks) == 0 {
		line("  nothing changed")
	}
	for _, change := range c.Changes {
		line("  %s", change)
	}
	shown := c.Checks
	if !details {
		shown = shown[:min(len(shown), 10)]
	}
	if len(c.Checks) > 0 {
		rest := ""
		if len(shown) < len(c.Checks) {
			rest = fmt.Sprintf("; %d of them here, all with --details", len(shown))
		}
		line("  %s changed%s", plural(len(c.Checks), "check"), rest)
	}
	for _, check := range shown {
		line("    %s, %s: %s", check.Case, check.Setup, strings.Join(check.Changes, "; "))
	}
}
