package report

import (
	"encoding/json"
	"io"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/runner"
)

type jsonReport struct {
	Normcert    string      `json:"normcert"`
	Signature   string      `json:"signature"`
	Adapter     jsonAdapter `json:"adapter"`
	Cases       int         `json:"cases"`
	Corpus      int         `json:"corpus_cases"`
	Patterns    []string    `json:"patterns,omitempty"`
	Except      []string    `json:"except,omitempty"`
	Bits        bool        `json:"bits"`
	Interrupted bool        `json:"interrupted"`
	ExitCode    int         `json:"exit_code"`
	Claims      []jsonClaim `json:"claims"`
}

type jsonAdapter struct {
	Name      string            `json:"name"`
	Version   string            `json:"version,omitempty"`
	Language  string            `json:"language,omitempty"`
	Unicode   string            `json:"unicode,omitempty"`
	Wraps     string            `json:"wraps,omitempty"`
	Libraries map[string]string `json:"libraries,omitempty"`
	Command   []string          `json:"command,omitempty"`
}

type jsonClaim struct {
	Claim        string                 `json:"claim"`
	Verdict      runner.Verdict         `json:"verdict"`
	Sentence     string                 `json:"sentence"`
	Excepted     bool                   `json:"excepted"`
	Answers      []string               `json:"answers"`
	NotClaimed   []string               `json:"not_claimed"`
	NotExercised []string               `json:"not_exercised,omitempty"`
	Checks       jsonChecks             `json:"checks"`
	Outcomes     map[runner.Outcome]int `json:"outcomes"`
	Right        jsonRight              `json:"right"`
	Floors       []runner.FloorCount    `json:"floors"`
	Why          *jsonWhy               `json:"why,omitempty"`
	Unconfirmed  []string               `json:"unconfirmed,omitempty"`
	Results      []jsonResult           `json:"results"`
}

// jsonWhy is the smallest set of variations that reproduces the answers.
type jsonWhy struct {
	Deviating    int         `json:"deviating"`
	Unexplained  int         `json:"unexplained"`
	Contradicted int         `json:"contradicted"`
	Causes       []jsonCause `json:"causes"`
}

type jsonCause struct {
	Variation string `json:"variation"`
	About     string `json:"about"`
	Explains  int    `json:"explains"`
}

func whyOf(e *runner.Explanation) *jsonWhy {
	if e == nil {
		return nil
	}
	why := &jsonWhy{Deviating: e.Deviating, Unexplained: e.Unexplained, Contradicted: e.Contradicted, Causes: []jsonCause{}}
	for _, cause := range e.Causes {
		why.Causes = append(why.Causes, jsonCause{Variation: cause.Variation.Name, About: cause.Variation.About, Explains: cause.Explains})
	}
	return why
}

type jsonChecks struct {
	Asked      int `json:"asked"`
	Excepted   int `json:"excepted"`
	NotClaimed int `json:"not_claimed"`
}

type jsonRight struct {
	By       string            `json:"by,omitempty"`
	Decided  int               `json:"decided"`
	Adapter  runner.RightCount `json:"adapter"`
	Upstream runner.RightCount `json:"upstream"`
	Better   int               `json:"better"`
	Worse    int               `json:"worse"`
}

type jsonResult struct {
	Case       string          `json:"case"`
	Setup      string          `json:"setup"`
	Conditions []string        `json:"conditions,omitempty"`
	Excepted   []string        `json:"excepted,omitempty"`
	Outcome    runner.Outcome  `json:"outcome"`
	Decision   runner.Decision `json:"decision,omitempty"`
	Upstream   runner.Decision `json:"upstream_decision"`
	Items      []jsonItem      `json:"items,omitempty"`
	Things     []jsonThing     `json:"things,omitempty"`
}

type jsonItem struct {
	Prediction *string      `json:"prediction"`
	References []string     `json:"references"`
	Intent     cases.Intent `json:"intent"`
}

type jsonThing struct {
	Name    string         `json:"name"`
	Outcome runner.Outcome `json:"outcome"`
	Text    string         `json:"text,omitempty"`
	Want    *runner.Value  `json:"upstream,omitempty"`
	Got     *runner.Value  `json:"adapter,omitempty"`
	Cause   string         `json:"cause,omitempty"`
	Detail  string         `json:"detail,omitempty"`
}

// JSON writes the whole report as one JSON object, for programs. Scores are on
// the pin's scale; a NaN is the string "nan". Items, and what upstream and the
// adapter answered, stand where an answer is not the same.
func JSON(out io.Writer, r *runner.Report) error {
	wire := jsonReport{
		Normcert: r.Version, Signature: r.Signature, Cases: r.Cases, Corpus: r.Corpus, Patterns: r.Patterns, Except: r.Except,
		Bits: r.Bits, Interrupted: r.Interrupted, ExitCode: r.ExitCode(),
		Adapter: jsonAdapter{
			Name: r.Adapter.Name, Version: r.Adapter.Version, Language: r.Adapter.Language, Unicode: r.Adapter.Unicode,
			Wraps: r.Adapter.Wraps, Libraries: r.Adapter.Libraries, Command: r.Command,
		},
	}
	for _, claim := range r.Claims {
		wire.Claims = append(wire.Claims, jsonOf(claim, r.Except))
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(wire)
}

func jsonOf(c *runner.ClaimReport, except []string) jsonClaim {
	wire := jsonClaim{
		Claim: c.Name(), Verdict: c.Verdict, Sentence: c.Sentence(except), Excepted: c.Excepted, Answers: c.Answers(), NotClaimed: c.NotClaimed(),
		NotExercised: c.NotExercised, Outcomes: c.Outcomes, Floors: c.Floors, Why: whyOf(c.Why), Unconfirmed: c.Unconfirmed,
		Checks: jsonChecks{Asked: c.ChecksAsked, Excepted: c.ChecksExcepted, NotClaimed: c.ChecksNotClaimed},
		Right:  jsonRight{By: c.DecidesBy(), Decided: c.Decided, Adapter: c.Right, Upstream: c.Upstream, Better: c.Better, Worse: c.Worse},
	}
	if wire.NotClaimed == nil {
		wire.NotClaimed = []string{}
	}
	for _, result := range c.Results {
		wire.Results = append(wire.Results, resultOf(result, c.Why))
	}
	return wire
}

func resultOf(r *runner.Result, why *runner.Explanation) jsonResult {
	wire := jsonResult{
		Case: r.Case.ID, Setup: r.Setup.String(), Conditions: append(append([]string{}, r.Structural...), r.Strings...), Excepted: r.Excepted,
		Outcome: r.Outcome(), Decision: r.Decision, Upstream: r.Upstream,
	}
	for _, thing := range r.Things {
		one := jsonThing{Name: thing.Name, Outcome: thing.Outcome, Text: thing.Text, Detail: thing.Detail}
		if thing.Outcome != runner.Same {
			want, got := thing.Want, thing.Got
			one.Want, one.Got, one.Cause = &want, &got, why.CauseOf(r, thing)
		}
		wire.Things = append(wire.Things, one)
	}
	if wire.Outcome != runner.Same {
		for _, item := range r.Case.Items {
			wire.Items = append(wire.Items, jsonItem{Prediction: item.Prediction, References: item.References, Intent: item.Intent})
		}
	}
	return wire
}
