package runner

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/normcert/normcert/adapters"
)

// Known is an entry of a baseline: a check that deviates, and how. The check
// still runs, and has to deviate in this very way.
type Known struct {
	Case  string `json:"case"`
	Setup string `json:"setup"`
	Pin   string `json:"pin"`
	// Class is bug or wontfix.
	Class string `json:"class"`
	// Observed is what deviates, by thing answered, in the words of Observed.
	Observed map[string]string `json:"observed"`
	Reason   string            `json:"reason,omitempty"`
	URL      string            `json:"url,omitempty"`
	// Until is the last day, YYYY-MM-DD, on which the entry holds; empty is no end.
	Until string `json:"until,omitempty"`
	// Line is where the entry begins in its file.
	Line int `json:"line"`
}

// The classes of a known deviation.
const (
	Bug     = "bug"
	Wontfix = "wontfix"
)

// Baseline are the known deviations of a file.
type Baseline struct {
	File    string
	Entries []Known
}

// BaselineReport is what became of a baseline in a run.
type BaselineReport struct {
	File string `json:"file"`
	// Date is the day on which the entries were judged, YYYY-MM-DD.
	Date    string  `json:"date"`
	Entries []Known `json:"entries"`
	// Known counts the checks that deviate as recorded.
	Known    int               `json:"known"`
	Problems []BaselineProblem `json:"problems"`
}

// BaselineProblem is an entry that no longer holds.
type BaselineProblem struct {
	Line    int    `json:"line"`
	Case    string `json:"case"`
	Setup   string `json:"setup"`
	Pin     string `json:"pin"`
	Problem string `json:"problem"`
}

// At names the line of a problem.
func (b *BaselineReport) At(p BaselineProblem) string {
	return fmt.Sprintf("%s:%d: %s, %s at %s: %s", b.File, p.Line, p.Case, p.Setup, p.Pin, p.Problem)
}

// Of returns the entry that a check deviates as, if it does.
func (b *BaselineReport) Of(c *ClaimReport, r *Result) (Known, bool) {
	if b == nil || !c.contradicts(r) {
		return Known{}, false
	}
	at := slices.IndexFunc(b.Entries, func(k Known) bool { return k.is(c, r) })
	if at < 0 || b.Entries[at].expired(b.Date) || !maps.Equal(b.Entries[at].Observed, c.Observed(r)) {
		return Known{}, false
	}
	return b.Entries[at], true
}

func (k Known) is(c *ClaimReport, r *Result) bool {
	return k.Case == r.Case.ID && k.Setup == r.Setup.String() && k.Pin == c.Pin.Name()
}

func (k Known) expired(date string) bool { return k.Until != "" && k.Until < date }

// Observed says how a check contradicts the claim, by thing: the outcome and
// the adapter's answer; of normalize, every text that deviates and what it became.
func (c *ClaimReport) Observed(r *Result) map[string]string {
	observed := map[string]string{}
	for _, thing := range r.Things {
		if !c.Deviates(thing) {
			continue
		}
		if thing.Name == adapters.NormalizeAnswer {
			observed[thing.Name] = c.observedTexts(r)
			continue
		}
		observed[thing.Name] = string(thing.Outcome) + " " + thing.Got.String()
	}
	return observed
}

func (c *ClaimReport) observedTexts(r *Result) string {
	var parts []string
	for _, text := range c.TextsOf(r) {
		if !text.Outcome.Deviates(c.bits) {
			continue
		}
		became := text.Adapter.String()
		if text.Adapter.Text != nil {
			became = strconv.QuoteToASCII(*text.Adapter.Text)
		}
		parts = append(parts, fmt.Sprintf("%s to %s", strconv.QuoteToASCII(text.Text), became))
	}
	return string(Different) + " " + strings.Join(parts, "; ")
}

// Apply holds the report against a baseline on a day, YYYY-MM-DD: it changes the
// exit code and what is known, never a verdict. Entries of cases that were not
// selected, and of claims that were not made, are left alone.
func (r *Report) Apply(b *Baseline, all Selection, date string) {
	r.Baseline = &BaselineReport{File: b.File, Date: date, Entries: b.Entries, Problems: []BaselineProblem{}}
	for _, claim := range r.Claims {
		claim.Known = 0
		for _, result := range claim.Results {
			if _, known := r.Baseline.Of(claim, result); known {
				claim.Known++
				r.Baseline.Known++
			}
		}
	}
	for _, entry := range b.Entries {
		if problem := r.problem(entry, all, date); problem != "" {
			r.Baseline.Problems = append(r.Baseline.Problems, BaselineProblem{entry.Line, entry.Case, entry.Setup, entry.Pin, problem})
		}
	}
}

// Selection tells a check that was not selected from one that does not exist.
type Selection interface {
	// Exists reports whether there is such a check, selected or not.
	Exists(caseID, setup, pin string) bool
}

// problem says why an entry no longer holds; "" where it does, or was not asked for.
func (r *Report) problem(k Known, all Selection, date string) string {
	if !all.Exists(k.Case, k.Setup, k.Pin) {
		return "there is no such check; remove the entry"
	}
	for _, claim := range r.Claims {
		for _, result := range claim.Results {
			if k.is(claim, result) {
				return k.against(claim, result, date)
			}
		}
	}
	return ""
}

func (k Known) against(c *ClaimReport, r *Result, date string) string {
	observed := c.Observed(r)
	reached := !slices.ContainsFunc(r.Things, func(t Thing) bool { return t.Outcome == NotReached })
	switch {
	case len(r.Things) == 0:
		return "the check is not claimed any more; remove the entry"
	case len(r.Excepted) > 0:
		return "the check is excepted (" + strings.Join(r.Excepted, ", ") + "); remove the entry"
	case k.expired(date):
		return "expired after " + k.Until + "; mend it, or choose another day"
	case len(observed) == 0 && r.Outcome().Incomplete():
		if !reached {
			return ""
		}
		return "it ends in " + string(r.Outcome()) + " now, which no baseline excuses"
	case len(observed) == 0:
		return "it passes now; remove the entry"
	case !maps.Equal(observed, k.Observed) && reached:
		return "it deviates otherwise now: " + k.changes(observed)
	}
	return ""
}

// changes names what is observed and was not recorded so.
func (k Known) changes(observed map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(observed)) {
		if was, there := k.Observed[name]; !there {
			parts = append(parts, fmt.Sprintf("%s %s, which was not recorded", name, observed[name]))
		} else if was != observed[name] {
			parts = append(parts, fmt.Sprintf("%s %s, recorded %s", name, observed[name], was))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.Observed)) {
		if _, there := observed[name]; !there {
			parts = append(parts, name+" is as upstream's now")
		}
	}
	return strings.Join(parts, "; ")
}

// Day is a day as baselines write it.
func Day(t time.Time) string { return t.Format(time.DateOnly) }

// Observations are the entries that a baseline of the report would have, in the
// order of the report, without class and reason.
func (r *Report) Observations() []Known {
	var list []Known
	for _, claim := range r.Claims {
		for _, result := range claim.Results {
			if claim.contradicts(result) {
				list = append(list, Known{Case: result.Case.ID, Setup: result.Setup.String(), Pin: claim.Pin.Name(), Observed: claim.Observed(result)})
			}
		}
	}
	return list
}

// Exists reports whether the corpus and goldens of a configuration have a check.
func (c Config) Exists(caseID, setup, pin string) bool {
	one, there := c.Corpus.Case(caseID)
	if !there {
		return false
	}
	goldens, err := c.Goldens.Find(pin)
	if err != nil {
		return false
	}
	for _, s := range one.Setups {
		if _, covered := goldens.Pin.Covers(s.Metric); covered && s.String() == setup {
			return true
		}
	}
	return false
}
