package runner_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// The corpus of these tests: small enough to count by hand.
var smallCorpus = map[string]string{
	// Seven checks of squad: 21 things answered, three a check.
	"trap.toml": `about  = "Everything squad has."
setups = [{ metric = "squad" }]

[[case]]
id         = "article"
prediction = "The car"
references = ["car"]
intent     = "match"
why        = "w"

[[case]]
id         = "half"
prediction = "red car"
references = ["blue car"]
intent     = "no-match"
why        = "w"

[[case]]
id         = "two-articles"
prediction = "a"
references = ["the"]
intent     = "no-match"
why        = "w"

[[case]]
id         = "no-reference"
prediction = "b"
references = []
intent     = "ambiguous"
why        = "w"

[[case]]
id     = "thirds"
why    = "w"
items  = [
  { prediction = "x", references = ["x"], intent = "match" },
  { prediction = "y", references = ["z"], intent = "no-match" },
  { prediction = "b c", references = ["b d"], intent = "no-match" },
]

[[case]]
id         = "nobody-answered"
references = ["x"]
intent     = "no-match"
why        = "w"

[[case]]
id         = "accent"
prediction = "Caf\u00e9"
references = ["cafe"]
intent     = "match"
why        = "w"
`,
	"v2.toml": `about  = "What squad_v2 has of its own."
setups = [{ metric = "squad_v2" }]

[[case]]
id         = "answered"
prediction = "red car"
references = ["car"]
intent     = "no-match"
why        = "w"

[[case]]
id         = "no-answer"
prediction = ""
references = []
intent     = "match"
why        = "w"
no_answer_probability = 0.25
`,
	"exact.toml": `about  = "What exact_match has of its own."
setups = [{ metric = "exact_match" }, { metric = "exact_match", options = { ignore_case = true } }]

[[case]]
id         = "capital"
prediction = "A"
references = ["a"]
intent     = "match"
why        = "w"

[[case]]
id     = "empty-batch"
why    = "w"
items  = []

[[case]]
id     = "half"
why    = "w"
items  = [
  { prediction = "x", references = ["x"], intent = "match" },
  { prediction = "y", references = ["z"], intent = "match" },
]
`,
}

func load(t *testing.T, files map[string]string) cases.Corpus {
	t.Helper()
	tree := fstest.MapFS{}
	for name, content := range files {
		tree[name] = &fstest.MapFile{Data: []byte(content)}
	}
	corpus, err := cases.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

const (
	fullCommit  = "a7dd338386a4fae9a1767e05eb9ef9479513d9e8"
	olderCommit = "86baf122193975dc4a910a6f1fabf0cbaeaf8cd7"
)

func pins() []golden.Pin {
	covers := func(exactMatch float64, isDefault bool) []golden.Coverage {
		return []golden.Coverage{
			{Name: "exact_match", Scale: exactMatch, Default: isDefault}, {Name: "squad", Scale: 100, Default: isDefault}, {Name: "squad_v2", Scale: 100, Default: isDefault},
		}
	}
	return []golden.Pin{
		{Upstream: "hf-evaluate", Short: olderCommit[:7], Commit: olderCommit, Metrics: covers(100, false)},
		{Upstream: "hf-evaluate", Short: fullCommit[:7], Commit: fullCommit, Metrics: covers(1, true)},
	}
}

// goldens returns the golden files of the pins for a corpus, as the reference
// gives them; TestSmallGoldens holds them to values that are evident by hand.
func goldens(t *testing.T, corpus cases.Corpus) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for _, pin := range pins() {
		records, err := runner.Record(t.Context(), reference.New(), pin, corpus)
		if err != nil {
			t.Fatal(err)
		}
		folder := pin.Upstream + "/" + pin.Short + "/"
		pin.Files = map[string]golden.Digests{}
		for _, hazard := range corpus.Hazards {
			content := golden.Encode(records[hazard.Name])
			tree[folder+hazard.Name+".golden"] = &fstest.MapFile{Data: content}
			covers := func(name string) bool { _, covered := pin.Covers(name); return covered }
			pin.Files[hazard.Name+".golden"] = golden.Digests{SHA256: golden.SHA256(content), Inputs: hazard.Inputs(covers)}
		}
		content, err := golden.EncodePin(pin)
		if err != nil {
			t.Fatal(err)
		}
		tree[folder+"pin.toml"] = &fstest.MapFile{Data: content}
	}
	return tree
}

func loadGoldens(t *testing.T, tree fstest.MapFS) *golden.Set {
	t.Helper()
	set, err := golden.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// small is the configuration over the small corpus.
func small(t *testing.T) runner.Config {
	t.Helper()
	corpus := load(t, smallCorpus)
	return runner.Config{Corpus: corpus, Goldens: loadGoldens(t, goldens(t, corpus))}
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

// fake answers as the reference does, for the metrics of its hello, changed by
// change; it notes what it was asked.
type fake struct {
	hello  adapters.Hello
	change func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error)
	mu     sync.Mutex
	seen   []adapters.Request
	truth  *reference.Adapter
}

func newFake(metrics map[string]adapters.Support) *fake {
	return &fake{hello: adapters.Hello{Name: "fake", Version: "1", Metrics: metrics}, truth: reference.New()}
}

// only is a fake of one metric, with every answer and condition.
func only(name string) *fake {
	return newFake(map[string]adapters.Support{name: full(name)})
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

func (f *fake) Hello(context.Context) (adapters.Hello, error) { return f.hello, nil }

func (f *fake) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	f.mu.Lock()
	f.seen = append(f.seen, request)
	f.mu.Unlock()
	answer, err := f.truth.Answer(ctx, request)
	if answer.Scores != nil {
		scores := metric.Scores{}
		support := f.hello.Metrics[request.Metric]
		for key, score := range answer.Scores {
			if slices.Contains(support.Answers, key) {
				scores[key] = score
			}
		}
		answer.Scores = scores
	}
	if f.change != nil {
		return f.change(request, answer, err)
	}
	return answer, err
}

// first is the first prediction of a request; "" where there is none.
func first(request adapters.Request) string {
	if len(request.Items) == 0 || request.Items[0].Prediction == nil {
		return ""
	}
	return *request.Items[0].Prediction
}

func certify(t *testing.T, adapter adapters.Adapter, config runner.Config) *runner.Report {
	t.Helper()
	report, err := runner.Certify(t.Context(), adapter, config)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func claim(t *testing.T, report *runner.Report) *runner.ClaimReport {
	t.Helper()
	if len(report.Claims) != 1 {
		t.Fatalf("%d claims, want one", len(report.Claims))
	}
	return report.Claims[0]
}

// thing finds what became of a thing of a case.
func thing(t *testing.T, c *runner.ClaimReport, id, name string) runner.Thing {
	t.Helper()
	for _, result := range c.Results {
		for _, thing := range result.Things {
			if result.Case.ID == id && thing.Name == name {
				return thing
			}
		}
	}
	t.Fatalf("nothing of %s in %s", name, id)
	return runner.Thing{}
}

func result(t *testing.T, c *runner.ClaimReport, id string) *runner.Result {
	t.Helper()
	for _, result := range c.Results {
		if result.Case.ID == id {
			return result
		}
	}
	t.Fatalf("no result of %s", id)
	return nil
}

func usageError(err error) bool {
	var wrong *runner.UsageError
	return errors.As(err, &wrong)
}
