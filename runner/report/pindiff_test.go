package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// pinDiff has a metric of which only the scale changes, and one with a cause.
func pinDiff(t *testing.T) *runner.PinDiff {
	t.Helper()
	variations, err := reference.Named("no-lower")
	if err != nil {
		t.Fatal(err)
	}
	about := variations[0].About
	if about != "Case is not taken away." {
		t.Fatalf("no-lower is now: %s", about)
	}
	prediction := "US"
	one := cases.Case{ID: "case/us", Items: []cases.Item{{Item: metric.Item{ID: "0", Prediction: &prediction, References: []string{"u`s"}}, Intent: cases.NoMatch}}}
	setup := metric.Setup{Metric: "squad"}
	number := func(value float64) runner.Value { n := metric.Double(value); return runner.Value{Number: &n} }
	text := func(value string) runner.Value { return runner.Value{Text: &value} }
	return &runner.PinDiff{
		NameA: "up@1", NameB: "up@2",
		Environment: []runner.EnvironmentChange{{Name: "numpy", A: "1.24.2"}, {Name: "unicode", A: "14.0.0", B: "15.0.0"}},
		OnlyB:       []string{"squad_v2"},
		Metrics: []*runner.MetricDiff{
			{Metric: "exact_match", ScaleA: 100, ScaleB: 1, Checks: 3, Answers: 3},
			{
				Metric: "squad", ScaleA: 100, ScaleB: 100, Checks: 2, Answers: 6, MissingB: 1,
				Causes: []runner.Cause{{Variation: variations[0], Explains: 2}}, Unexplained: 1,
				Changes: []runner.AnswerChange{
					{Case: one, Setup: setup, Name: "normalize", Text: "US", A: text("us"), B: text("US"), Cause: "no-lower"},
					{Case: one, Setup: setup, Name: "exact_match", A: number(100), B: number(0), Cause: "no-lower"},
					{Case: one, Setup: setup, Name: "f1", A: number(100), B: runner.Value{Error: "refused"}},
				},
				Decisions: []runner.DecisionChange{{Case: one, Setup: setup, A: "accepted", B: "rejected", AgreesA: runner.WrongAccept, AgreesB: runner.Agrees}},
			},
		},
	}
}

const pinDiffText = `up@1 → up@2
  not compared: squad_v2, which only up@2 covers
  environment: numpy 1.24.2 → none
  environment: unicode 14.0.0 → 15.0.0

exact_match: the scale changes from 0–100 to 0–1, and that explains everything (3 answers of 3 checks compared)

squad: 3 of 6 answers of 2 checks differ; the scale is the same
  not compared: 1 check without a golden in the second
  no-lower explains 2: Case is not taken away.
      case/us, normalize "US": "us" → "US"
  unexplained: 1 answer
      case/us, squad, f1: 100 → refused ("US" for "u` + "`" + `s")
  decisions that change: 1 better, 0 worse, 0 neither
      case/us, squad: accepted → rejected; intent no-match: better ("US" for "u` + "`" + `s")
`

const pinDiffMarkdown = "# up@1 → up@2\n\n" +
	"- not compared: squad_v2, which only up@2 covers\n" +
	"- environment: numpy 1.24.2 → none\n" +
	"- environment: unicode 14.0.0 → 15.0.0\n\n" +
	"## exact_match\n\n" +
	"The scale changes from 0–100 to 0–1, and that explains everything (3 answers of 3 checks compared).\n\n" +
	"## squad\n\n" +
	"3 of 6 answers of 2 checks differ; the scale is the same.\n\n" +
	"- not compared: 1 check without a golden in the second\n" +
	"- `no-lower` explains 2: Case is not taken away.\n" +
	"  - `case/us`, normalize `\"US\"`: `\"us\"` → `\"US\"`\n" +
	"- unexplained: 1 answer\n" +
	"  - `case/us`, `squad`, f1: 100 → refused (`` \"US\" for \"u`s\" ``)\n\n" +
	"Decisions that change: 1 better, 0 worse, 0 neither\n\n" +
	"- `case/us`, `squad`: accepted → rejected; intent no-match: better (`` \"US\" for \"u`s\" ``)\n"

func TestPinDiff(t *testing.T) {
	for name, test := range map[string]struct {
		write func(io.Writer, *runner.PinDiff, bool) error
		want  string
	}{"text": {report.PinDiffText, pinDiffText}, "markdown": {report.PinDiffMarkdown, pinDiffMarkdown}} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := test.write(&out, pinDiff(t), false); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			short := out.Len()
			if err := test.write(&out, pinDiff(t), true); err != nil || out.Len() <= 2*short {
				t.Errorf("%v; details are not longer", err)
			}
		})
	}
	t.Run("json", func(t *testing.T) {
		var out bytes.Buffer
		if err := report.PinDiffJSON(&out, pinDiff(t)); err != nil {
			t.Fatal(err)
		}
		var read struct {
			A       string
			OnlyA   []string `json:"only_a"`
			Metrics []struct {
				ScaleOnly bool `json:"scale_explains_everything"`
				Differ    int
				Causes    []struct {
					Variation string
					Explains  int
				}
				Decisions []struct{ Verdict string }
			}
		}
		if err := json.Unmarshal(out.Bytes(), &read); err != nil {
			t.Fatal(err)
		}
		squad := read.Metrics[1]
		if read.A != "up@1" || read.OnlyA == nil || !read.Metrics[0].ScaleOnly || squad.ScaleOnly || squad.Differ != 3 || squad.Causes[0].Variation != "no-lower" || squad.Decisions[0].Verdict != "better" {
			t.Errorf("%s", out.String())
		}
	})
}

func TestPinVerified(t *testing.T) {
	before := golden.Record{Case: "case/us", Setup: "squad", Scores: metric.Scores{"exact_match": 100}}
	after := golden.Record{Case: "case/us", Setup: "squad", Error: metric.EmptyInput}
	p := &runner.PinVerified{
		Pin: golden.Pin{Upstream: "up", Short: "1"}, Checks: 2, Environment: []string{"unicode 14.0.0, here 15.0.0"},
		Lines: []runner.LineChange{{Pin: "up@1", Before: &before, After: &after}, {Pin: "up@1", After: &after}, {Pin: "up@1", Before: &before}}, Unconfirmed: []string{"case"},
	}
	want := `up@1  different, and so is the environment: 3 lines
  environment: unicode 14.0.0, here 15.0.0
  nothing is said of the goldens: name the interpreter they were recorded under with --python
  case/us, squad: committed {"scores":{"exact_match":100}}, upstream {"error":{"kind":"empty_input"}}
  case/us, squad: not committed
  case/us, squad: committed, and no case asks for it
  unconfirmed: case
`
	var out bytes.Buffer
	if err := report.PinVerified(&out, p, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out.Reset()
	if err := report.PinVerified(&out, &runner.PinVerified{Pin: p.Pin, Checks: 1}, false); err != nil || out.String() != "up@1  equal: 1 line\n" {
		t.Errorf("%v: %s", err, out.String())
	}
}
