package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// reports are those that the goldens show, by name.
func reports(t *testing.T) map[string]*runner.Report {
	t.Helper()
	of := func(names ...string) map[string]adapters.Support {
		metrics := map[string]adapters.Support{}
		for _, name := range names {
			metrics[name] = full(name)
		}
		return metrics
	}
	all := config(t)
	all.Command = []string{"python3", "acme_norm.py"}
	list := map[string]*runner.Report{
		"conformant": certify(t, acme{metrics: of("squad"), truth: varied(t)}, all),
		"deviating":  certify(t, acme{metrics: of("squad"), truth: varied(t, "articles-first")}, all),
	}

	// Faults of every kind, an honest no.
	list["faulty"] = certify(t, acme{metrics: of("squad"), truth: varied(t), change: faults}, all)

	// Several claims, one of them of another scale and with an exception, on part of the corpus.
	several := all
	several.Except, several.Bits, several.Patterns = []string{"non-ascii"}, true, []string{"whitespace", "article-glue"}
	metrics := of("exact_match", "squad_v2")
	metrics["squad"] = adapters.Support{Answers: []string{"normalize"}}
	list["several"] = certify(t, acme{metrics: metrics, truth: varied(t), change: ascii}, several)

	// An end after the first check and a part of the second.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := all
	ended.Window = 1
	asked := 0
	interrupted, err := runner.Certify(ctx, acme{metrics: of("squad"), truth: varied(t), change: func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		if asked++; asked > 4 {
			cancel()
			return adapters.Answer{}, ctx.Err()
		}
		return answer, err
	}}, ended)
	if err != nil {
		t.Fatal(err)
	}
	list["interrupted"] = interrupted
	return list
}

func faults(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
	if request.Op == adapters.Normalize {
		if request.Text == "5\u00a0km" {
			return adapters.Answer{}, &adapters.Unsupported{Why: "only ASCII here"}
		}
		return answer, err
	}
	switch *request.Items[0].Prediction {
	case "the-car":
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Timeout, What: "no answer within 5s"}
	case "end.the":
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Crash, What: "exit status 1"}
	case "5\u00a0km":
		return adapters.Answer{}, &adapters.Fault{Kind: adapters.Protocol, What: "not JSON", Line: "Loading\x1b[0m model…"}
	case "x ":
		return adapters.Answer{}, &metric.Refusal{Message: "batches are\nnot for me"}
	}
	return answer, err
}

// ascii cannot tell a no-break space from a space, and computes F1 otherwise.
func ascii(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
	if request.Op == adapters.Score && strings.Contains(*request.Items[0].Prediction, "\u00a0") {
		answer.Scores["exact_match"] = 1
	}
	if f1, there := answer.Scores["f1"]; there && f1 > 0 && f1 < 100 {
		answer.Scores["f1"] = f1 * (1 + 1e-15)
	}
	return answer, err
}

// The reports as people and programs get them. After a change that is meant:
//
//	go test ./runner/report -update
func TestReports(t *testing.T) {
	for name, r := range reports(t) {
		for format, write := range map[string]func(out *bytes.Buffer) error{
			"text":    func(out *bytes.Buffer) error { return report.Text(out, r, false) },
			"details": func(out *bytes.Buffer) error { return report.Text(out, r, true) },
			"json":    func(out *bytes.Buffer) error { return report.JSON(out, r) },
		} {
			t.Run(name+"."+format, func(t *testing.T) {
				var out bytes.Buffer
				if err := write(&out); err != nil {
					t.Fatal(err)
				}
				if format == "json" && !json.Valid(out.Bytes()) {
					t.Error("not JSON")
				}
				text := strings.ReplaceAll(out.String(), "normcert:"+version.Version, "normcert:VERSION")
				text = strings.Replace(text, `"normcert": "`+version.Version+`"`, `"normcert": "VERSION"`, 1)
				goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, name+"."+format, []byte(text))
			})
		}
	}
}

// What normcert show writes of a case.
func TestCases(t *testing.T) {
	configuration := config(t)
	var out bytes.Buffer
	if err := report.Cases(&out, configuration.Corpus, configuration.Goldens); err != nil {
		t.Fatal(err)
	}
	goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, "cases.text", out.Bytes())
}
