package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func text(t *testing.T, r *runner.Report, details bool) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Text(&out, r, details); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A report fits on a screen: forty lines for one claim and four more for each
// further one, whatever the adapter does and says.
func TestTextFitsOnAScreen(t *testing.T) {
	metrics := map[string]adapters.Support{}
	for _, m := range metric.All() {
		support := full(m.Name)
		support.Pins = reference.Pins(m.Name)
		metrics[m.Name] = support
	}
	always := func(err error) adapters.Adapter {
		return acme{metrics: metrics, truth: reference.New(), change: func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) {
			return adapters.Answer{}, err
		}}
	}
	many := "Traceback\n" + strings.Repeat("  a line\n", 100)
	list := map[string]adapters.Adapter{
		"the reference":      reference.New(),
		"always unsupported": always(&adapters.Unsupported{Why: many}),
		"always refuses":     always(&metric.Refusal{Message: many}),
		"always crashes":     always(errors.New(many)),
	}
	whole := map[string]bool{"articles-first": true}
	for name := range list {
		whole[name] = true
	}
	for _, variation := range reference.Catalogue() {
		list[variation.Name] = reference.New(variation)
		whole[variation.Name] = whole[variation.Name] || variation.Floor
	}
	all := embedded(t)
	all.Command = []string{"python3", "-c", "import sys\n\nprint(1)\n"}
	// Every hazard, and so as many lines, in a part of the time.
	part := all
	part.Corpus.Hazards = slices.Clone(all.Corpus.Hazards)
	for i, hazard := range part.Corpus.Hazards {
		part.Corpus.Hazards[i].Cases = hazard.Cases[:1]
	}
	for name, adapter := range list {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			configuration := part
			if whole[name] {
				configuration = all
			}
			r := certify(t, adapter, configuration)
			if len(r.Claims) != 8 {
				t.Fatalf("%d claims", len(r.Claims))
			}
			r.Interrupted = true // one line more
			for _, claim := range r.Claims {
				claim.Unconfirmed = []string{"accents", "empty-collapse", strings.Repeat("long-", 30)}
			}
			fits(t, r, 40+4*7)
			claims := r.Claims
			for i := range claims {
				r.Claims = claims[i : i+1]
				fits(t, r, 40)
			}
			r.Claims = claims[:3]
			fits(t, r, 40+4*2)
		})
	}
}

func fits(t *testing.T, r *runner.Report, most int) {
	t.Helper()
	written := text(t, r, false)
	if lines := strings.Count(written, "\n"); lines > most {
		t.Errorf("%d lines for %d claims, want at most %d:\n%s", lines, len(r.Claims), most, written)
	}
	for _, claim := range r.Claims {
		if !strings.Contains(written, claim.Name()+"  "+string(claim.Verdict)) {
			t.Errorf("the verdict of %s is not there", claim.Name())
		}
	}
	if !strings.HasSuffix(written, r.Signature+"\n") {
		t.Error("the signature is not the last line")
	}
}

// What stands on the lines of a claim and what its traps add up to is the same.
func TestTrapsAddUp(t *testing.T) {
	configuration := embedded(t)
	configuration.Claims = []string{"squad@hf-evaluate@a7dd338"}
	configuration.Except = []string{"non-ascii"}
	r := certify(t, varied(t, "articles-first"), configuration)
	claim := r.Claims[0]
	var accepts, rejects, decided int
	lines := strings.Split(text(t, r, true), "\n")
	for _, line := range lines {
		var hazard string
		var a, b, c int
		if n, _ := fmt.Sscanf(line, "  %s %d + %d of %d", &hazard, &a, &b, &c); n == 4 && strings.HasPrefix(line, "  ") && line[2] != ' ' {
			accepts, rejects, decided = accepts+a, rejects+b, decided+c
		}
	}
	if accepts != claim.Right.WrongAccepts || rejects != claim.Right.WrongRejects || decided > claim.Decided || accepts == 0 || rejects == 0 {
		t.Errorf("traps add up to %d + %d of %d; the claim has %+v of %d", accepts, rejects, decided, claim.Right, claim.Decided)
	}
}

// With details, every deviation and every wrong decision is listed.
func TestDetailsListEverything(t *testing.T) {
	r := reports(t)["deviating"]
	written := text(t, r, true)
	for _, result := range r.Claims[0].Deviations() {
		for _, thing := range result.Things {
			if line := fmt.Sprintf("      %s, %s, %s of ", result.Case.ID, result.Setup, thing.Name); strings.Count(written, line) != 1 {
				t.Errorf("%q is there %d times", line, strings.Count(written, line))
			}
		}
	}
	for _, result := range r.Claims[0].Results {
		wrong := result.Decides() && result.Decision != runner.Agrees
		if there := strings.Contains(written, "\n    "+result.Case.ID+", "); there != wrong {
			t.Errorf("%s is wrong: %v; among the traps: %v", result.Case.ID, wrong, there)
		}
	}
}

// What a program says of itself cannot move the cursor, or add a line.
func TestTextObeysNoAdapter(t *testing.T) {
	r := reports(t)["deviating"]
	before := strings.Count(text(t, r, false), "\n")
	evil := "x\x1b[2J\r\nconformant: everything\u202e"
	r.Adapter.Name, r.Adapter.Version, r.Command = evil, evil, []string{evil}
	r.Signature += evil
	for _, result := range r.Claims[0].Results {
		for i := range result.Things {
			result.Things[i].Detail = evil
		}
	}
	for _, details := range []bool{false, true} {
		written := text(t, r, details)
		if strings.ContainsAny(written, "\x1b\r\u202e") {
			t.Errorf("details %v: a control came through:\n%q", details, written)
		}
		if !details && strings.Count(written, "\n") != before {
			t.Errorf("%d lines, before %d", strings.Count(written, "\n"), before)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWritersPassOnErrors(t *testing.T) {
	r := reports(t)["conformant"]
	if err := report.Text(broken{}, r, false); err == nil {
		t.Error("Text: no error")
	}
	if err := report.JSON(broken{}, r); err == nil {
		t.Error("JSON: no error")
	}
	configuration := config(t)
	if err := report.Cases(broken{}, configuration.Corpus, configuration.Goldens); err == nil {
		t.Error("Cases: no error")
	}
}
