package runner_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/pytest"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// A small squad that can be changed: it drops signs and articles token by token,
// which is what the reference does on the cases below.
const smallSquad = `
import datasets
import evaluate

from .compute_score import score


class Squad(evaluate.Metric):
    def _compute(self, predictions, references):
        return score(predictions, references)
`

const smallScore = `
import string

TOP = 100.0


def normalize_answer(text):
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(word for word in text.split() if word not in ("a", "an", "the"))


def shared_f1(one, other):
    left, right = one.split(), other.split()
    same = sum(min(left.count(word), right.count(word)) for word in set(left))
    if not same:
        return 0.0
    precision, recall = same / len(left), same / len(right)
    return 2 * precision * recall / (precision + recall)


def score(predictions, references):
    given = {item["id"]: item["prediction_text"] for item in predictions}
    exact = f1 = 0
    for item in references:
        answer = normalize_answer(given[item["id"]])
        texts = [normalize_answer(text) for text in item["answers"]["text"]]
        exact += max(answer == text for text in texts)
        f1 += max(shared_f1(answer, text) for text in texts)
    return {"exact_match": TOP * exact / len(references), "f1": TOP * f1 / len(references)}
`

const smallCases = `about  = "A trap."
setups = [{ metric = "squad" }]

[[case]]
id         = "capital"
prediction = "Red car"
references = ["red car"]
intent     = "match"
why        = "w"

[[case]]
id         = "article"
prediction = "the red car"
references = ["red car"]
intent     = "match"
why        = "w"

[[case]]
id         = "name"
prediction = "US"
references = ["us"]
intent     = "no-match"
why        = "w"

[[case]]
id         = "half"
prediction = "red car"
references = ["blue car"]
intent     = "no-match"
why        = "w"
`

// movingUpstream is an upstream in a git repository: at each commit its scorer is another.
type movingUpstream struct {
	folder  string
	commits []string
}

func newUpstream(t *testing.T, scorers ...string) *movingUpstream {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	s := &movingUpstream{folder: t.TempDir()}
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", s.folder, "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	for _, scorer := range scorers {
		writeFiles(t, s.folder, map[string]string{"metrics/squad/squad.py": smallSquad, "metrics/squad/compute_score.py": scorer})
		git("add", ".")
		git("commit", "--quiet", "--message", "a scorer")
		s.commits = append(s.commits, git("rev-parse", "HEAD"))
	}
	return s
}

// add records a commit as a pin below root.
func (s *movingUpstream) add(t *testing.T, root string, at int) *runner.PinAdded {
	t.Helper()
	added, err := runner.AddPin(t.Context(), runner.PinAddConfig{Name: "up@" + s.commits[at][:7], Root: root, From: s.folder, Python: pytest.Interpreter(t)})
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func smallRoot(t *testing.T) string {
	t.Helper()
	return writeFiles(t, t.TempDir(), map[string]string{"cases/trap.toml": smallCases})
}

func edited(t *testing.T, text, before, after string) string {
	t.Helper()
	if !strings.Contains(text, before) {
		t.Fatalf("no %q to edit", before)
	}
	return strings.Replace(text, before, after, 1)
}

func TestAddPin(t *testing.T) {
	upstream, root := newUpstream(t, smallScore), smallRoot(t)
	added := upstream.add(t, root, 0)
	coverage, covered := added.Pin.Covers("squad")
	if !covered || len(added.Pin.Metrics) != 1 || coverage.Scale != 100 || coverage.EntryPoint == "" || coverage.Default {
		t.Errorf("coverage %+v", added.Pin.Metrics)
	}
	if added.Pin.Commit != upstream.commits[0] || len(added.Pin.Date) != len("2020-01-01") || added.Pin.Environment["interpreter"] == "" || added.Pin.Environment["unicode"] == "" {
		t.Errorf("pin %+v", added.Pin)
	}
	if blob := golden.BlobID([]byte(smallScore)); coverage.Sources[0] != (golden.Source{Path: "metrics/squad/compute_score.py", Blob: blob}) {
		t.Errorf("sources %+v", coverage.Sources)
	}
	if one := added.Covered[0]; one.Cases != 4 || one.Checks != 4 || one.Missing != 0 || len(one.Unconfirmed) != 0 {
		t.Errorf("covered %+v", one)
	}
	want := `{"case":"trap/article","setup":"squad","normalized":[{"prediction":"red car","references":["red car"]}],"scores":{"exact_match":100,"f1":100}}
{"case":"trap/capital","setup":"squad","normalized":[{"prediction":"red car","references":["red car"]}],"scores":{"exact_match":100,"f1":100}}
{"case":"trap/half","setup":"squad","normalized":[{"prediction":"red car","references":["blue car"]}],"scores":{"exact_match":0,"f1":50}}
{"case":"trap/name","setup":"squad","normalized":[{"prediction":"us","references":["us"]}],"scores":{"exact_match":100,"f1":100}}
`
	after := snapshot(t, root)
	if diff := cmp.Diff(want, after["golden/up/"+upstream.commits[0][:7]+"/trap.golden"]); diff != "" || len(after) != 3 {
		t.Errorf("%d files; golden (-want +got):\n%s", len(after), diff)
	}
}

// Whatever goes wrong, everything is as it was.
func TestAddPinIsAllOrNothing(t *testing.T) {
	python := pytest.Interpreter(t)
	upstream := newUpstream(t, smallScore,
		edited(t, smallScore, "answer = normalize", `int("x") if given[item["id"]] == "US" else 0; answer = normalize`),
		edited(t, smallScore, "import string", "import os, string")+"\n\nold = score\ndef score(predictions, references):\n    return old(predictions, references) if predictions[0]['prediction_text'] != 'US' else os._exit(7)\n",
		edited(t, smallScore, "TOP = 100.0", "TOP = 7.0"),
		edited(t, smallScore, "import string", "import string, no_such_module"))
	tree := writeFiles(t, t.TempDir(), map[string]string{"metrics/squad/squad.py": smallSquad, "metrics/squad/compute_score.py": smallScore})
	tests := []struct {
		shows  string
		at     int
		change func(*runner.PinAddConfig)
		says   []string
	}{
		{"an error that upstream is not known to raise", 1, nil, []string{"trap/name", "no known kind", "nothing was written"}},
		{"a crash", 2, nil, []string{"trap/name", "crash", "nothing was written"}},
		{"no scale", 3, nil, []string{"is 7, not 1 or 100", "nothing was written"}},
		{"a source that cannot be loaded", 4, nil, []string{"no_such_module"}},
		{"a pin that is there", 0, nil, []string{"there is such a pin already", "--replace"}},
		{"a commit that is not there", 0, func(c *runner.PinAddConfig) { c.Name = "up@" + someCommit }, []string{"has no commit " + someCommit}},
		{"a plain tree without a full commit", 0, func(c *runner.PinAddConfig) { c.From, c.Name = tree, "up@abcdef1" }, []string{"40 hex digits"}},
		{"a name that is none", 0, func(c *runner.PinAddConfig) { c.Name = "up" }, []string{"UPSTREAM@COMMIT"}},
		{"a metric that is not there", 1, func(c *runner.PinAddConfig) { c.Metrics = []string{"squad_v2"} }, []string{"no squad_v2", "squad"}},
		{"the default of a metric that is not covered", 1, func(c *runner.PinAddConfig) { c.Defaults = []string{"squad_v2"} }, []string{"does not cover it"}},
		{"a folder that is not there", 1, func(c *runner.PinAddConfig) { c.From += "/missing" }, []string{"is not a folder"}},
		{"an interpreter that is not there", 1, func(c *runner.PinAddConfig) { c.Python = "no-such-python" }, []string{"no-such-python"}},
		{"cases that are wrong", 1, func(c *runner.PinAddConfig) {
			writeFiles(t, c.Root, map[string]string{"cases/trap.toml": smallCases + "colour = 1\n"})
		}, []string{"colour"}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			t.Parallel()
			root := smallRoot(t)
			upstream.add(t, root, 0)
			config := runner.PinAddConfig{Name: "up@" + upstream.commits[test.at][:7], Root: root, From: upstream.folder, Python: python}
			if test.change != nil {
				test.change(&config)
			}
			before := snapshot(t, root)
			if _, err := runner.AddPin(t.Context(), config); err == nil {
				t.Error("no error")
			} else {
				for _, part := range test.says {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("error %q lacks %q", err, part)
					}
				}
			}
			if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
				t.Errorf("something was written (-before +after):\n%s", diff)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		root := smallRoot(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		before := snapshot(t, root)
		_, err := runner.AddPin(ctx, runner.PinAddConfig{Name: "up@" + upstream.commits[0][:7], Root: root, From: upstream.folder, Python: python})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
}

func TestAddPinReplaces(t *testing.T) {
	upstream, root := newUpstream(t, smallScore), smallRoot(t)
	config := runner.PinAddConfig{Name: "up@" + upstream.commits[0][:7], Root: root, From: upstream.folder, Python: pytest.Interpreter(t), About: "what people say", Defaults: []string{"squad"}}
	if _, err := runner.AddPin(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, root)
	config.Replace, config.About, config.Defaults = true, "", nil
	if _, err := runner.AddPin(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
		t.Errorf("recorded again, the pin is another (-before +after):\n%s", diff)
	}
}

// The files of a commit cannot have changed: a plain tree that says so is not
// recorded under it, not even in place of what is there.
func TestAddPinKnowsTheCommit(t *testing.T) {
	upstream, root := newUpstream(t, smallScore), smallRoot(t)
	upstream.add(t, root, 0)
	before := snapshot(t, root)
	tree := writeFiles(t, t.TempDir(), map[string]string{
		"metrics/squad/squad.py": smallSquad, "metrics/squad/compute_score.py": smallScore + "\n# changed\n",
	})
	_, err := runner.AddPin(t.Context(), runner.PinAddConfig{
		Name: "up@" + upstream.commits[0], Root: root, From: tree, Python: pytest.Interpreter(t), Replace: true,
	})
	var usage *runner.UsageError
	var blob *golden.BlobError
	if !errors.As(err, &usage) || !errors.As(err, &blob) || blob.Want != golden.BlobID([]byte(smallScore)) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
}

func TestVerifyPins(t *testing.T) {
	python := pytest.Interpreter(t)
	upstream, root := newUpstream(t, smallScore), smallRoot(t)
	name := "up@" + upstream.commits[0][:7]
	upstream.add(t, root, 0)
	folder := "golden/up/" + upstream.commits[0][:7] + "/"
	recorded := snapshot(t, root)
	config := runner.PinVerifyConfig{Root: root, From: []string{upstream.folder}, Python: python}
	verify := func(t *testing.T, config runner.PinVerifyConfig) *runner.PinVerified {
		t.Helper()
		list, err := runner.VerifyPins(t.Context(), config)
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %d pins", err, len(list))
		}
		return list[0]
	}
	restore := func(t *testing.T) { writeFiles(t, root, recorded) }

	t.Run("what was recorded is equal, by name and without", func(t *testing.T) {
		named := config
		named.Pins = []string{name}
		for _, one := range []runner.PinVerifyConfig{config, named} {
			if got := verify(t, one); !got.Equal() || got.Checks != 4 || len(got.Environment) != 0 || len(got.Unconfirmed) != 0 {
				t.Errorf("%+v", got)
			}
		}
		if diff := cmp.Diff(recorded, snapshot(t, root)); diff != "" {
			t.Errorf("something was written:\n%s", diff)
		}
	})
	t.Run("a golden that was tampered with", func(t *testing.T) {
		defer restore(t)
		writeFiles(t, root, map[string]string{folder + "trap.golden": edited(t, recorded[folder+"trap.golden"], `"f1":50`, `"f1":51`)})
		got := verify(t, config)
		if got.Equal() || len(got.Lines) != 1 || got.Lines[0].Name() != "trap/half, squad" || len(got.Environment) != 0 || !cmp.Equal(got.Unconfirmed, []string{"trap"}) {
			t.Errorf("%+v", got)
		}
		confirming := config
		confirming.Confirm = true
		if got := verify(t, confirming); got.Equal() || len(got.Confirmed) != 0 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("another environment is named, and nothing is confirmed under it", func(t *testing.T) {
		defer restore(t)
		pin := recorded[folder+"pin.toml"]
		at := strings.Index(pin, "interpreter = ")
		line, _, _ := strings.Cut(pin[at:], "\n")
		writeFiles(t, root, map[string]string{folder + "pin.toml": strings.Replace(edited(t, pin, line, `interpreter = "CPython 2.7.18"`), `files."trap.golden"`, `files."elsewhere.golden"`, 1)})
		got := verify(t, config)
		if !got.Equal() || len(got.Environment) != 1 || !strings.HasPrefix(got.Environment[0], "interpreter CPython 2.7.18, here ") {
			t.Errorf("%+v", got)
		}
		confirming := config
		confirming.Confirm = true
		if _, err := runner.VerifyPins(t.Context(), confirming); err == nil || !strings.Contains(err.Error(), "--confirm takes the environment") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("what is equal and unconfirmed is confirmed on request", func(t *testing.T) {
		defer restore(t)
		writeFiles(t, root, map[string]string{folder + "pin.toml": edited(t, recorded[folder+"pin.toml"], `files."trap.golden"`, `files."elsewhere.golden"`)})
		if got := verify(t, config); !got.Equal() || !cmp.Equal(got.Unconfirmed, []string{"trap"}) {
			t.Errorf("%+v", got)
		}
		confirming := config
		confirming.Confirm = true
		if got := verify(t, confirming); !got.Equal() || !cmp.Equal(got.Confirmed, []string{"trap"}) || len(got.Unconfirmed) != 0 {
			t.Errorf("%+v", got)
		}
		if diff := cmp.Diff(recorded, snapshot(t, root)); diff != "" {
			t.Errorf("(-recorded +confirmed):\n%s", diff)
		}
	})
	t.Run("a source that was tampered with is refused before anything runs", func(t *testing.T) {
		ran := filepath.Join(t.TempDir(), "ran")
		tampered := "open(" + strings.ReplaceAll(`"`+ran+`"`, `\`, `\\`) + `, "w")` + "\n" + smallScore
		tree := writeFiles(t, t.TempDir(), map[string]string{"metrics/squad/squad.py": smallSquad, "metrics/squad/compute_score.py": tampered})
		for _, pins := range [][]string{nil, {name}} {
			_, err := runner.VerifyPins(t.Context(), runner.PinVerifyConfig{Root: root, Pins: pins, From: []string{tree}, Python: python})
			var blob *golden.BlobError
			if !errors.As(err, &blob) || blob.Got != golden.BlobID([]byte(tampered)) || blob.Want != golden.BlobID([]byte(smallScore)) || !usageError(err) {
				t.Errorf("error %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), blob.Got) || !strings.Contains(err.Error(), blob.Want)) {
				t.Errorf("error %v does not name both ids", err)
			}
		}
		if _, err := os.Stat(ran); err == nil {
			t.Error("it ran")
		}
	})
	t.Run("without a source nothing is verified", func(t *testing.T) {
		for _, pins := range [][]string{nil, {name}, {"up@1234567"}} {
			if _, err := runner.VerifyPins(t.Context(), runner.PinVerifyConfig{Root: root, Pins: pins, Python: python}); !usageError(err) {
				t.Errorf("error %v", err)
			}
		}
	})
}

func TestDiffPins(t *testing.T) {
	upstream := newUpstream(t, smallScore,
		edited(t, smallScore, "TOP = 100.0", "TOP = 1.0"),
		edited(t, smallScore, "text.lower()", "text"),
		edited(t, smallScore, `("a", "an", "the")`, `("a", "an", "the", "red")`))
	root := smallRoot(t)
	for at := range upstream.commits {
		upstream.add(t, root, at)
	}
	corpus, set := loadCheckout(t, root)
	diff := func(t *testing.T, a, b int) (*runner.PinDiff, string) {
		t.Helper()
		var sides [2]*golden.Goldens
		for i, at := range []int{a, b} {
			var err error
			if sides[i], err = set.Find("up@" + upstream.commits[at][:7]); err != nil {
				t.Fatal(err)
			}
		}
		d, err := runner.DiffPins(sides[0], sides[1], corpus)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := report.PinDiffText(&text, d, true); err != nil {
			t.Fatal(err)
		}
		return d, text.String()
	}
	t.Run("nothing", func(t *testing.T) {
		d, text := diff(t, 0, 0)
		if m := d.Metrics[0]; len(m.Changes) != 0 || m.Rescaled() || m.Checks != 4 || !strings.Contains(text, "squad: no difference") {
			t.Errorf("%s", text)
		}
	})
	t.Run("the scale, which explains everything", func(t *testing.T) {
		for _, pair := range [][2]int{{0, 1}, {1, 0}} {
			d, text := diff(t, pair[0], pair[1])
			if m := d.Metrics[0]; !m.Rescaled() || len(m.Changes) != 0 || len(m.Decisions) != 0 || !strings.Contains(text, "and that explains everything") {
				t.Errorf("%s", text)
			}
		}
	})
	t.Run("a cause, with what it decides", func(t *testing.T) {
		d, text := diff(t, 0, 2)
		m := d.Metrics[0]
		if m.Unexplained != 0 || len(m.Causes) != 1 || m.Causes[0].Variation.Name != "no-lower" || m.Causes[0].Explains != len(m.Changes) {
			t.Fatalf("%s", text)
		}
		// Of normalize, Red car and US; of scores, capital and name have two each.
		if len(m.Changes) != 6 {
			t.Errorf("%d changes:\n%s", len(m.Changes), text)
		}
		verdicts := map[string]string{}
		for _, change := range m.Decisions {
			verdicts[change.Case.ID] = change.A + " " + change.B + " " + change.Verdict()
		}
		if want := map[string]string{"trap/capital": "accepted rejected worse", "trap/name": "accepted rejected better"}; !maps.Equal(want, verdicts) {
			t.Errorf("decisions %v", verdicts)
		}
	})
	t.Run("across a scale too", func(t *testing.T) {
		d, text := diff(t, 1, 2)
		if m := d.Metrics[0]; !m.Rescaled() || m.Unexplained != 0 || len(m.Causes) != 1 || m.Causes[0].Variation.Name != "no-lower" || !strings.Contains(text, "apart from that 6 of") {
			t.Errorf("%s", text)
		}
	})
	t.Run("what no variation does is unexplained", func(t *testing.T) {
		d, text := diff(t, 0, 3)
		if m := d.Metrics[0]; m.Unexplained == 0 || len(m.Changes) == 0 || !strings.Contains(text, "unexplained: ") {
			t.Errorf("%s", text)
		}
	})
	t.Run("what the reference does not give has no causes", func(t *testing.T) {
		d, text := diff(t, 3, 2)
		if m := d.Metrics[0]; !m.NoBase || len(m.Causes) != 0 || m.Unexplained != len(m.Changes) || !strings.Contains(text, "no cause can be named") {
			t.Errorf("%s", text)
		}
	})
}
