package report

import (
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/normcert/normcert/runner"
)

type inTotoStatement struct {
	Type          string           `json:"_type"`
	Subject       []inTotoResource `json:"subject"`
	PredicateType string           `json:"predicateType"`
	Predicate     inTotoResult     `json:"predicate"`
}

type inTotoResource struct {
	Name        string            `json:"name"`
	Digest      map[string]string `json:"digest"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type inTotoResult struct {
	Result        string           `json:"result"`
	Configuration []inTotoResource `json:"configuration"`
	Passed        []string         `json:"passedTests"`
	Warned        []string         `json:"warnedTests"`
	Failed        []string         `json:"failedTests"`
}

// ErrNoSubject means that there is no file for an in-toto statement to be about.
var ErrNoSubject = errors.New("an in-toto statement is about files, and the command names none; name the program's file in it")

// InToto writes an in-toto statement (v1) with a test-result predicate (v0.1)
// about the files of the adapter's command; nobody signs it here. Checks that
// are not claimed are left out; exceptions and known deviations are warnings, and
// so is what holds to a golden file that is unconfirmed, which is annotated.
// The result is PASSED only where every claim is conformant without one. The
// error is ErrNoSubject, or of the writer.
func InToto(out io.Writer, r *runner.Report) error {
	if len(r.Files) == 0 {
		return ErrNoSubject
	}
	statement := inTotoStatement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://in-toto.io/attestation/test-result/v0.1"}
	for _, file := range r.Files {
		statement.Subject = append(statement.Subject, inTotoResource{Name: file.Path, Digest: map[string]string{"sha256": file.SHA256}})
	}
	statement.Predicate = testResult(r)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(statement)
}

func testResult(r *runner.Report) inTotoResult {
	p := inTotoResult{Result: "PASSED", Passed: []string{}, Warned: []string{}, Failed: []string{}, Configuration: []inTotoResource{{
		Name: "corpus", Digest: map[string]string{"sha256": r.Digests.Corpus},
		Annotations: map[string]string{"normcert": r.Version, "signature": r.Signature, "reproduce": commandLine(r.Reproduce())},
	}}}
	unsure := map[string]map[string]string{}
	for _, u := range unconfirmedOf(r.Claims...) {
		unsure[u.pin] = map[string]string{"unconfirmed": u.names()}
	}
	pins := map[string]bool{}
	for _, claim := range r.Claims {
		if pin := claim.Pin.Name(); !pins[pin] {
			pins[pin] = true
			p.Configuration = append(p.Configuration, inTotoResource{
				Name: "goldens of " + pin, Digest: map[string]string{"sha256": r.Digests.Goldens[pin]}, Annotations: unsure[pin],
			})
		}
		for _, result := range claim.Results {
			name := claim.Name() + " " + checkName(result)
			switch stands := standingOf(r, claim, result); {
			case stands == holds && !slices.Contains(claim.Unconfirmed, result.Case.Hazard()):
				p.Passed = append(p.Passed, name)
			case stands == notClaimed:
			case stands == holds, stands == excepted, stands == known:
				p.Warned = append(p.Warned, name)
			default:
				p.Failed = append(p.Failed, name)
			}
		}
		switch stands := claimStands(claim); {
		case stands == deviates || stands == unanswered:
			p.Result = "FAILED"
		case (stands == known || claim.Excepted || len(claim.Unconfirmed) > 0) && p.Result == "PASSED":
			p.Result = "WARNED"
		}
	}
	if r.Baseline != nil && len(r.Baseline.Problems) > 0 || r.Interrupted {
		p.Result = "FAILED"
	}
	return p
}
