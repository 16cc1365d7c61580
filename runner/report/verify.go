package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// Difference is a member of a certificate that is not what it should be.
type Difference struct {
	// Path is where it is: claims.0.verdict.
	Path string
	// Got is what the certificate says, Want what it should; "" is nothing.
	Got, Want string
}

func (d Difference) String() string {
	name := func(text string) string {
		if text == "" {
			return "nothing"
		}
		return text
	}
	return fmt.Sprintf("%s: %s, should be %s", d.Path, name(d.Got), name(d.Want))
}

// cutClaim cuts a claim's name into metric and pin.
func cutClaim(claim string) (name, pin string, ok bool) { return strings.Cut(claim, "@") }

// ConfigOf is the configuration of the run that a certificate is of, with the
// corpus, goldens and frozen set of config.
func (c *Certificate) ConfigOf(config runner.Config) runner.Config {
	config.Claims = nil
	for _, claim := range c.Claims {
		config.Claims = append(config.Claims, claim.Claim)
	}
	config.Patterns, config.Except, config.Bits, config.Flags = c.Patterns, c.Except, c.Bits, c.Flags
	config.Command, config.Files = c.Adapter.Command, c.Adapter.Files
	return config
}

// Origin compares what a certificate was judged by with config, whose normcert
// has a version: other cases or goldens cannot say whether it is right. The
// error is of a claim or case that config does not have.
func (c *Certificate) Origin(config runner.Config, version string) ([]Difference, error) {
	var list []Difference
	differ := func(path, got, want string) {
		if got != want {
			list = append(list, Difference{path, got, want})
		}
	}
	differ("normcert", c.Normcert, version)
	corpus := config.Corpus
	if config.Set != nil {
		differ("set.digest", c.Set.Digest, config.Set.Digest)
		corpus = config.Set.Corpus
	}
	selected, err := corpus.Select(c.Patterns)
	if err != nil {
		return list, err
	}
	differ("digests.corpus", c.Digests.Corpus, selected.Digest())
	pins := map[string]string{}
	for _, claim := range c.Claims {
		_, pin, _ := cutClaim(claim.Claim)
		goldens, err := config.Goldens.Find(pin)
		if err != nil {
			return list, fmt.Errorf("claim %s: %w", claim.Claim, err)
		}
		pins[pin] = goldens.Digest()
	}
	for _, pin := range slices.Sorted(maps.Keys(pins)) {
		differ("digests.goldens."+pin, c.Digests.Goldens[pin], pins[pin])
	}
	return list, nil
}

// Recompute judges what the certificate says the adapter answered again, and
// returns where it says otherwise than that: a count, a verdict, a decision, a
// cause, the signature. The error is of a certificate that cannot be judged at all.
func (c *Certificate) Recompute(config runner.Config) ([]Difference, error) {
	own := c.ConfigOf(config)
	report, err := runner.Replay(own, c.recorded())
	if err != nil {
		return nil, err
	}
	if c.Baseline != nil {
		report.Apply(&runner.Baseline{File: c.Baseline.File, Entries: c.Baseline.Entries}, own, c.Baseline.Date)
	}
	return c.Differs(Certify(report))
}

// Remarks are what somebody who relies on a certificate has to know besides its
// verdicts, in a line each: checks that were not reached, what the adapter did
// besides, and golden files that are unconfirmed.
func (c *Certificate) Remarks() []string {
	var lines []string
	if c.Interrupted {
		lines = append(lines, fmt.Sprintf("interrupted: %s not reached", plural(c.notReached(), "check")))
	}
	for _, note := range c.Notes {
		lines = append(lines, "note: "+plain(note))
	}
	var list []unconfirmed
	for _, claim := range c.Claims {
		if _, pin, _ := cutClaim(claim.Claim); len(claim.Unconfirmed) > 0 {
			list = appendUnconfirmed(list, pin, claim.Unconfirmed)
		}
	}
	for _, u := range sortedUnconfirmed(list) {
		lines = append(lines, "unconfirmed: "+plain(u.String()))
	}
	return lines
}

// notReached counts the checks with something that was not reached.
func (c *Certificate) notReached() int {
	count := 0
	for _, claim := range c.Claims {
		for _, result := range claim.Results {
			if slices.ContainsFunc(result.Things, func(t Thing) bool { return t.Outcome == runner.NotReached }) {
				count++
			}
		}
	}
	return count
}

// Differs returns where a certificate is not another, which is what it should be.
func (c *Certificate) Differs(want *Certificate) ([]Difference, error) {
	mine, err := tree(c)
	if err != nil {
		return nil, err
	}
	other, err := tree(want)
	if err != nil {
		return nil, err
	}
	var list []Difference
	differences("", mine, other, &list)
	return list, nil
}

func tree(c *Certificate) (value any, err error) {
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(&out)
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}

// differences gathers the leaves that differ; lists of another length and
// members of one side only are one difference each.
func differences(path string, got, want any, list *[]Difference) {
	at := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	switch got := got.(type) {
	case map[string]any:
		if other, is := want.(map[string]any); is {
			keys := map[string]bool{}
			for key := range got {
				keys[key] = true
			}
			for key := range other {
				keys[key] = true
			}
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				differences(at(key), got[key], other[key], list)
			}
			return
		}
	case []any:
		if other, is := want.([]any); is {
			for i := range min(len(got), len(other)) {
				differences(at(named(i, got[i])), got[i], other[i], list)
			}
			if len(got) != len(other) {
				*list = append(*list, Difference{at("length"), fmt.Sprint(len(got)), fmt.Sprint(len(other))})
			}
			return
		}
	}
	if a, b := leaf(got), leaf(want); a != b {
		a, b = around(a, b)
		*list = append(*list, Difference{path, a, b})
	}
}

// named is the index of a list's member, with what it is called.
func named(i int, value any) string {
	table, _ := value.(map[string]any)
	for _, key := range []string{"claim", "case", "name", "text"} {
		if name, is := table[key].(string); is {
			return fmt.Sprintf("%d(%s)", i, short(plain(name), 40))
		}
	}
	return fmt.Sprint(i)
}

func leaf(value any) string {
	if value == nil {
		return ""
	}
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(content)
}

// around shows two texts where they begin to differ, in a line each.
func around(a, b string) (string, string) {
	before, after := []rune(a), []rune(b)
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	const lead, most = 30, 100
	if same <= lead || max(len(before), len(after)) <= most {
		return short(plainExactly(a), most), short(plainExactly(b), most)
	}
	cut := func(text []rune) string { return "…" + short(plainExactly(string(text[same-lead:])), most) }
	return cut(before), cut(after)
}
