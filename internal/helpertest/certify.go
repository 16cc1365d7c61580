package helpertest

import (
	"context"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/runner"
)

// Certify puts the whole corpus to a program and requires that it is conformant
// for squad, to the last bit and with every answer and condition.
func Certify(t *testing.T, command []string) {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	goldens, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	program, err := process.New(process.Config{Command: command})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	start := time.Now()
	report, err := runner.Certify(ctx, program, runner.Config{Corpus: corpus, Goldens: goldens, Claims: []string{"squad@hf-evaluate@a7dd338"}, Bits: true})
	if err != nil {
		t.Fatal(err)
	}
	claim := report.Claims[0]
	if sentence := claim.Sentence(nil); sentence != "conformant: everything" {
		t.Errorf("the verdict is %q; stderr: %s", sentence, program.Stderr())
	}
	for _, result := range claim.Deviations() {
		t.Errorf("%s %s: %+v", result.Case.ID, result.Setup, result.Things)
	}
	t.Logf("%s: %d checks in %v", claim.Sentence(nil), len(claim.Results), time.Since(start).Round(time.Millisecond))
}
