package report

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// Kind is what a certificate says of itself in its first member.
const Kind = "normcert certificate 1"

// Schema is the JSON Schema of a certificate.
//
//go:embed schema.json
var Schema []byte

// Certificate is the JSON report: who was certified, for what, by what, what
// came of it, and how to make it again. Scores are on the pin's scale; a NaN is
// the string "nan". Items, and what upstream and the adapter answered, stand
// where an answer is not the same.
type Certificate struct {
	Kind        string         `json:"kind"`
	Normcert    string         `json:"normcert"`
	Signature   string         `json:"signature"`
	Adapter     Adapter        `json:"adapter"`
	Digests     runner.Digests `json:"digests"`
	Reproduce   []string       `json:"reproduce"`
	Cases       int            `json:"cases"`
	Corpus      int            `json:"corpus_cases"`
	Set         *Set           `json:"set,omitempty"`
	Patterns    []string       `json:"patterns,omitempty"`
	Except      []string       `json:"except,omitempty"`
	Bits        bool           `json:"bits"`
	Flags       []string       `json:"flags,omitempty"`
	Interrupted bool           `json:"interrupted"`
	ExitCode    int            `json:"exit_code"`
	// Notes are what the adapter did that is the outcome of no check.
	Notes    []string               `json:"notes,omitempty"`
	Baseline *runner.BaselineReport `json:"baseline,omitempty"`
	Claims   []Claim                `json:"claims"`
}

// Set is the frozen set that a run was held to, with what of the corpus is
// outside of it and was not scored.
type Set struct {
	Name      string   `json:"name"`
	Digest    string   `json:"digest"`
	NotScored []string `json:"not_scored,omitempty"`
	Retired   []string `json:"retired,omitempty"`
}

// Adapter is the identity of what was certified: its own words, the command,
// and the SHA-256 of the files that the command names.
type Adapter struct {
	Name      string            `json:"name"`
	Version   string            `json:"version,omitempty"`
	Language  string            `json:"language,omitempty"`
	Unicode   string            `json:"unicode,omitempty"`
	Wraps     string            `json:"wraps,omitempty"`
	Libraries map[string]string `json:"libraries,omitempty"`
	Command   []string          `json:"command,omitempty"`
	Files     []runner.File     `json:"files,omitempty"`
}

// Claim is a claim with its verdict and everything that it rests on.
type Claim struct {
	Claim        string                 `json:"claim"`
	Verdict      runner.Verdict         `json:"verdict"`
	Sentence     string                 `json:"sentence"`
	Known        int                    `json:"known,omitempty"`
	Excepted     bool                   `json:"excepted"`
	Answers      []string               `json:"answers"`
	Handles      []string               `json:"handles"`
	Scale        float64                `json:"scale,omitempty"`
	NotClaimed   []string               `json:"not_claimed"`
	NotExercised []string               `json:"not_exercised,omitempty"`
	Checks       Checks                 `json:"checks"`
	Outcomes     map[runner.Outcome]int `json:"outcomes"`
	Right        Right                  `json:"right"`
	Floors       []runner.FloorCount    `json:"floors"`
	Why          *Why                   `json:"why,omitempty"`
	Unconfirmed  []string               `json:"unconfirmed,omitempty"`
	Texts        []runner.TextResult    `json:"texts,omitempty"`
	Results      []Result               `json:"results"`
}

// Why is the smallest set of variations that reproduces the answers.
type Why struct {
	Deviating    int     `json:"deviating"`
	Unexplained  int     `json:"unexplained"`
	Contradicted int     `json:"contradicted"`
	Causes       []Cause `json:"causes"`
}

// Cause is a variation with how many answers it explains.
type Cause struct {
	Variation string `json:"variation"`
	About     string `json:"about"`
	Explains  int    `json:"explains"`
}

// Checks counts checks.
type Checks struct {
	Asked      int `json:"asked"`
	Excepted   int `json:"excepted"`
	NotClaimed int `json:"not_claimed"`
}

// Right counts decisions against the intents.
type Right struct {
	By       string            `json:"by,omitempty"`
	Decided  int               `json:"decided"`
	Adapter  runner.RightCount `json:"adapter"`
	Upstream runner.RightCount `json:"upstream"`
	Better   int               `json:"better"`
	Worse    int               `json:"worse"`
}

// Result is a check with what became of it.
type Result struct {
	Case       string          `json:"case"`
	Setup      string          `json:"setup"`
	Conditions []string        `json:"conditions,omitempty"`
	Excepted   []string        `json:"excepted,omitempty"`
	Outcome    runner.Outcome  `json:"outcome"`
	Decision   runner.Decision `json:"decision,omitempty"`
	Upstream   runner.Decision `json:"upstream_decision"`
	Items      []Item          `json:"items,omitempty"`
	Things     []Thing         `json:"things,omitempty"`
	// Unjudged are scores where upstream refuses, of keys that it leaves out at times.
	Unjudged metric.Scores `json:"unjudged,omitempty"`
}

// Item is a prediction and its references, with the intent.
type Item struct {
	Prediction *string      `json:"prediction"`
	References []string     `json:"references"`
	Intent     cases.Intent `json:"intent"`
}

// Thing is one thing answered in a check.
type Thing struct {
	Name    string         `json:"name"`
	Outcome runner.Outcome `json:"outcome"`
	Text    string         `json:"text,omitempty"`
	Want    *runner.Value  `json:"upstream,omitempty"`
	Got     *runner.Value  `json:"adapter,omitempty"`
	Cause   string         `json:"cause,omitempty"`
	Detail  string         `json:"detail,omitempty"`
}

// Certify is the certificate of a report.
func Certify(r *runner.Report) *Certificate {
	c := &Certificate{
		Kind: Kind, Normcert: r.Version, Signature: r.Signature, Digests: r.Digests, Reproduce: r.Reproduce(), Cases: r.Cases, Corpus: r.Corpus,
		Patterns: r.Patterns, Except: r.Except, Bits: r.Bits, Flags: r.Flags, Interrupted: r.Interrupted, ExitCode: r.ExitCode(), Notes: r.Notes, Baseline: r.Baseline,
		Adapter: Adapter{
			Name: r.Adapter.Name, Version: r.Adapter.Version, Language: r.Adapter.Language, Unicode: r.Adapter.Unicode,
			Wraps: r.Adapter.Wraps, Libraries: r.Adapter.Libraries, Command: r.Command, Files: r.Files,
		},
	}
	if r.Set != nil {
		c.Set = &Set{r.Set.Name, r.Set.Digest, r.Set.Outside.NotInSet, r.Set.Outside.Retired}
	}
	for _, claim := range r.Claims {
		c.Claims = append(c.Claims, claimOf(claim, r.Except))
	}
	return c
}

// JSON writes the certificate of a report.
func JSON(out io.Writer, r *runner.Report) error { return Certify(r).Write(out) }

// Write writes the certificate as one JSON object.
func (c *Certificate) Write(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(c)
}

// Decode reads a certificate, strictly: an unknown or repeated member, or more
// than one value, is an error.
func Decode(content []byte) (*Certificate, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	if err := jsonv2.Unmarshal(content, &head); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if head.Kind != Kind {
		return nil, fmt.Errorf("it is no certificate: kind is %q, not %q", head.Kind, Kind)
	}
	c := &Certificate{}
	if err := jsonv2.Unmarshal(content, c, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	if len(c.Claims) == 0 {
		return nil, errors.New("it has no claim")
	}
	return c, nil
}

func claimOf(c *runner.ClaimReport, except []string) Claim {
	wire := Claim{
		Claim: c.Name(), Verdict: c.Verdict, Sentence: c.Sentence(except), Known: c.Known, Excepted: c.Excepted, Answers: c.Answers(),
		Handles: nonNil(c.Support.Handles), Scale: c.Support.Scale, NotClaimed: nonNil(c.NotClaimed()),
		NotExercised: c.NotExercised, Outcomes: c.Outcomes, Floors: c.Floors, Why: whyOf(c.Why), Unconfirmed: c.Unconfirmed, Texts: c.Texts,
		Checks: Checks{Asked: c.ChecksAsked, Excepted: c.ChecksExcepted, NotClaimed: c.ChecksNotClaimed},
		Right:  Right{By: c.DecidesBy(), Decided: c.Decided, Adapter: c.Right, Upstream: c.Upstream, Better: c.Better, Worse: c.Worse},
	}
	for _, result := range c.Results {
		wire.Results = append(wire.Results, resultOf(result, c.Why))
	}
	return wire
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func whyOf(e *runner.Explanation) *Why {
	if e == nil {
		return nil
	}
	why := &Why{Deviating: e.Deviating, Unexplained: e.Unexplained, Contradicted: e.Contradicted, Causes: []Cause{}}
	for _, cause := range e.Causes {
		why.Causes = append(why.Causes, Cause{Variation: cause.Variation.Name, About: cause.Variation.About, Explains: cause.Explains})
	}
	return why
}

func resultOf(r *runner.Result, why *runner.Explanation) Result {
	wire := Result{
		Case: r.Case.ID, Setup: r.Setup.String(), Conditions: append(append([]string{}, r.Structural...), r.Strings...), Excepted: r.Excepted,
		Outcome: r.Outcome(), Decision: r.Decision, Upstream: r.Upstream, Unjudged: r.Unjudged,
	}
	for _, thing := range r.Things {
		one := Thing{Name: thing.Name, Outcome: thing.Outcome, Text: thing.Text, Detail: thing.Detail}
		if thing.Outcome != runner.Same {
			want, got := thing.Want, thing.Got
			one.Want, one.Got, one.Cause = &want, &got, why.CauseOf(r, thing)
		}
		wire.Things = append(wire.Things, one)
	}
	if wire.Outcome != runner.Same {
		for _, item := range r.Case.Items {
			wire.Items = append(wire.Items, Item{Prediction: item.Prediction, References: append([]string{}, item.References...), Intent: item.Intent})
		}
	}
	return wire
}

// hello is what the adapter said, as far as a certificate holds it.
func (c *Certificate) hello() adapters.Hello {
	a := c.Adapter
	hello := adapters.Hello{
		Name: a.Name, Version: a.Version, Language: a.Language, Unicode: a.Unicode, Wraps: a.Wraps, Libraries: a.Libraries,
		Metrics: map[string]adapters.Support{},
	}
	for _, claim := range c.Claims {
		name, _, _ := cutClaim(claim.Claim)
		hello.Metrics[name] = adapters.Support{Answers: claim.Answers, Handles: claim.Handles, Scale: claim.Scale}
	}
	return hello
}

// recorded is the run that the certificate is of.
func (c *Certificate) recorded() runner.Recorded {
	recorded := runner.Recorded{
		Hello: c.hello(), Interrupted: c.Interrupted, Notes: c.Notes, Checks: map[runner.CheckName]runner.RecordedCheck{}, Texts: map[string][]runner.TextResult{},
	}
	for _, claim := range c.Claims {
		recorded.Texts[claim.Claim] = claim.Texts
		for _, result := range claim.Results {
			one := runner.RecordedCheck{Unjudged: result.Unjudged}
			for _, thing := range result.Things {
				own := runner.Thing{Name: thing.Name, Outcome: thing.Outcome, Text: thing.Text, Detail: thing.Detail}
				if thing.Got != nil {
					own.Got = *thing.Got
				}
				one.Things = append(one.Things, own)
			}
			recorded.Checks[runner.CheckName{Claim: claim.Claim, Case: result.Case, Setup: result.Setup}] = one
		}
	}
	return recorded
}
