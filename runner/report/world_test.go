package report_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// A corpus of its own, so that the reports below change only with the writers.
var corpusFiles = fstest.MapFS{
	"article-glue.toml": {Data: []byte(`about  = "A sign that is deleted glues an article to its neighbour."
setups = [{ metric = "squad" }, { metric = "squad_v2" }]

[[case]]
id         = "hyphen"
prediction = "the-car"
references = ["car"]
intent     = "match"
why        = "The hyphen is spelling; the article is none of the answer."

[[case]]
id         = "full-stop"
prediction = "end.the"
references = ["end the", "end"]
intent     = "no-match"
why        = "A sentence that breaks off is not the answer."
`)},
	"empty-collapse.toml": {Data: []byte(`about  = "A reference that normalizes to nothing matches any prediction that does too."
setups = [{ metric = "squad" }]

[[case]]
id         = "bare-article"
prediction = "a"
references = ["the"]
intent     = "no-match"
why        = "Two different articles; neither answers the other."

[[case]]
id         = "nothing-to-match"
prediction = "a"
references = []
intent     = "ambiguous"
why        = "Nobody said what the answer is."
`)},
	"whitespace.toml": {Data: []byte(`about  = "What looks like a space."
setups = [{ metric = "squad" }, { metric = "exact_match" }]

[[case]]
id         = "no-break-space"
prediction = "5\u00a0km"
references = ["5 km"]
intent     = "match"
why        = "The two look the same."

[[case]]
id     = "batch"
why    = "One of two is right."
items  = [
  { prediction = "x ", references = ["x"], intent = "match" },
  { prediction = "y", references = ["z"], intent = "no-match" },
]
`)},
}

func config(t *testing.T) runner.Config {
	t.Helper()
	corpus, err := cases.Load(corpusFiles)
	if err != nil {
		t.Fatal(err)
	}
	pin := golden.Pin{Upstream: "hf-evaluate", Short: "a7dd338", Commit: "a7dd338386a4fae9a1767e05eb9ef9479513d9e8", Metrics: []golden.Coverage{
		{Name: "exact_match", Scale: 1, Default: true}, {Name: "squad", Scale: 100, Default: true}, {Name: "squad_v2", Scale: 100, Default: true},
	}, Files: map[string]golden.Digests{}}
	records, err := runner.Record(t.Context(), reference.New(), pin, corpus)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, hazard := range corpus.Hazards {
		content := golden.Encode(records[hazard.Name])
		tree["hf-evaluate/a7dd338/"+hazard.Name+".golden"] = &fstest.MapFile{Data: content}
		pin.Files[hazard.Name+".golden"] = golden.Digests{SHA256: golden.SHA256(content), Inputs: hazard.Inputs(func(string) bool { return true })}
	}
	content, err := golden.EncodePin(pin)
	if err != nil {
		t.Fatal(err)
	}
	tree["hf-evaluate/a7dd338/pin.toml"] = &fstest.MapFile{Data: content}
	set, err := golden.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return runner.Config{Corpus: corpus, Goldens: set}
}

func embedded(t *testing.T) runner.Config {
	t.Helper()
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	set, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return runner.Config{Corpus: corpus, Goldens: set}
}

// acme is a scorer that answers as change makes of the reference's answers.
type acme struct {
	metrics map[string]adapters.Support
	truth   adapters.Adapter
	change  func(adapters.Request, adapters.Answer, error) (adapters.Answer, error)
}

func (a acme) Hello(context.Context) (adapters.Hello, error) {
	return adapters.Hello{
		Name: "acme-norm", Version: "2.1.0", Metrics: a.metrics, Language: "CPython 3.11.2", Unicode: "14.0.0", Wraps: "acme.normalize 2.1",
		Libraries: map[string]string{"numpy": "1.24.2"},
	}, nil
}

func (a acme) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	answer, err := a.truth.Answer(ctx, request)
	for key := range answer.Scores {
		if !strings.Contains(" "+strings.Join(a.metrics[request.Metric].Answers, " ")+" ", " "+key+" ") {
			delete(answer.Scores, key)
		}
	}
	if a.change != nil {
		return a.change(request, answer, err)
	}
	return answer, err
}

func full(name string) adapters.Support {
	m, err := metric.Lookup(name)
	if err != nil {
		panic(err)
	}
	support := adapters.Support{Answers: m.KeyNames(), Handles: adapters.Structural(m)}
	if m.Normalizes {
		support.Answers = append(support.Answers, adapters.NormalizeAnswer)
	}
	return support
}

func varied(t *testing.T, names ...string) adapters.Adapter {
	t.Helper()
	variations, err := reference.Named(names...)
	if err != nil {
		t.Fatal(err)
	}
	return reference.New(variations...)
}

func certify(t *testing.T, adapter adapters.Adapter, config runner.Config) *runner.Report {
	t.Helper()
	r, err := runner.Certify(t.Context(), adapter, config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
