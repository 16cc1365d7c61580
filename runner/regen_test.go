package runner_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/pytest"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// A small upstream that has squad only. What it does is its own: it upper-cases.
var upstreamFiles = map[string]string{
	"metrics/squad/squad.py": `
import datasets
import evaluate

from .compute_score import score


class Squad(evaluate.Metric):
    def _compute(self, predictions, references):
        return score(predictions, references)
`,
	"metrics/squad/compute_score.py": `
import os


def normalize_answer(text):
    return text.upper()


def best(texts):
    return max(texts)


def score(predictions, references):
    given = {p["id"]: p["prediction_text"] for p in predictions}
    for text in given.values():
        if text == "unclassified":
            int("x")
        if text == "crash":
            os._exit(7)
    hits = [normalize_answer(given.get(r["id"], "")) == normalize_answer(best(r["answers"]["text"])) for r in references]
    return {"exact_match": 100.0 * sum(hits) / len(hits), "f1": 25.0}
`,
}

const upstreamCases = `about  = "A trap."
setups = [{ metric = "squad" }, { metric = "exact_match" }]

[[case]]
id         = "capital"
prediction = "a"
references = ["A"]
intent     = "match"
why        = "w"

[[case]]
id         = "nothing"
setups     = [{ metric = "squad" }]
prediction = "a"
references = []
intent     = "ambiguous"
why        = "w"
`

func writeFiles(t *testing.T, root string, files map[string]string) string {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// checkout has the cases and one pin of squad, without goldens yet.
func checkout(t *testing.T, commit string) string {
	t.Helper()
	return writeFiles(t, t.TempDir(), map[string]string{"cases/trap.toml": upstreamCases, "golden/up/" + commit[:7] + "/pin.toml": pinFile(t, commit)})
}

func pinFile(t *testing.T, commit string) string {
	t.Helper()
	pin := golden.Pin{Upstream: "up", Short: commit[:7], Commit: commit, Metrics: []golden.Coverage{{Name: "squad", EntryPoint: "Squad._compute", Scale: 100, Default: true}}}
	for _, path := range []string{"metrics/squad/compute_score.py", "metrics/squad/squad.py"} {
		pin.Metrics[0].Sources = append(pin.Metrics[0].Sources, golden.Source{Path: path, Blob: golden.BlobID([]byte(upstreamFiles[path]))})
	}
	content, err := golden.EncodePin(pin)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

const someCommit = "0123456789abcdef0123456789abcdef01234567"

// unchanged runs a regeneration that must fail and leave everything as it was.
func unchanged(t *testing.T, config runner.RegenConfig, says ...string) error {
	t.Helper()
	before := snapshot(t, config.Root)
	report, err := runner.Regenerate(t.Context(), config)
	if err == nil {
		t.Fatalf("no error; %+v", report)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "%!") {
		t.Errorf("error %q is formatted wrongly", err)
	}
	if diff := cmp.Diff(before, snapshot(t, config.Root)); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
	return err
}

func TestRegenerate(t *testing.T) {
	python := pytest.Interpreter(t)
	plain := writeFiles(t, t.TempDir(), upstreamFiles)
	root := checkout(t, someCommit)
	writeFiles(t, root, map[string]string{"golden/up/0123456/orphan.golden": `{"case":"orphan/a","setup":"squad","normalized":[],"scores":{"f1":0}}` + "\n"})
	// The orphan's line is not canonical: normalized would be left out.
	unchanged(t, runner.RegenConfig{Root: root, From: []string{plain}, Python: python}, "orphan.golden:1")
	writeFiles(t, root, map[string]string{"golden/up/0123456/orphan.golden": `{"case":"orphan/a","setup":"squad","scores":{"f1":0}}` + "\n"})

	config := runner.RegenConfig{Root: root, From: []string{plain}, Python: python}
	report, err := runner.Regenerate(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	after := snapshot(t, root)
	want := `{"case":"trap/capital","setup":"squad","normalized":[{"prediction":"A","references":["A"]}],"scores":{"exact_match":100,"f1":25}}
{"case":"trap/nothing","setup":"squad","normalized":[{"prediction":"A","references":[]}],"error":{"kind":"no_references"}}
`
	if diff := cmp.Diff(want, after["golden/up/0123456/trap.golden"]); diff != "" {
		t.Errorf("golden (-want +got):\n%s", diff)
	}
	if _, there := after["golden/up/0123456/orphan.golden"]; there || len(after) != 3 {
		t.Errorf("files after: %q", after)
	}
	if len(report.Changes) != 3 || len(report.Pins) != 1 || report.Pins[0].Source != runner.FromUpstream || report.Pins[0].Pin.Environment["interpreter"] == "" || report.Pins[0].Pin.Environment["unicode"] == "" {
		t.Errorf("report %+v", report)
	}
	corpus, set := loadCheckout(t, root)
	if !set.Pins()[0].Confirmed("trap", corpus.Hazards[0].Inputs(func(name string) bool { return name == "squad" })) {
		t.Error("what was recorded is not confirmed")
	}
	if snapshot(t, plain)["metrics/squad/squad.py"] != upstreamFiles["metrics/squad/squad.py"] || len(snapshot(t, plain)) != 2 {
		t.Error("the source tree was changed")
	}

	t.Run("a second run changes nothing", func(t *testing.T) {
		report, err := runner.Regenerate(t.Context(), config)
		if err != nil || len(report.Changes) != 0 {
			t.Errorf("%v, changes %+v", err, report)
		}
		if diff := cmp.Diff(after, snapshot(t, root)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("a pin that is up to date needs no source", func(t *testing.T) {
		report, err := runner.Regenerate(t.Context(), runner.RegenConfig{Root: root, Python: python})
		if err != nil || report.Pins[0].Source != runner.FromNobody || len(report.Changes) != 0 {
			t.Errorf("%v, %+v", err, report)
		}
	})
	t.Run("another environment takes a word", func(t *testing.T) {
		path := filepath.Join(root, "golden/up/0123456/pin.toml")
		changed := strings.Replace(after["golden/up/0123456/pin.toml"], report.Pins[0].Pin.Environment["interpreter"], "CPython 2.7.18", 1)
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := unchanged(t, config, "CPython 2.7.18", report.Pins[0].Pin.Environment["interpreter"], "--new-environment"); !usageError(err) {
			t.Errorf("%T is not a usage error", err)
		}
		saying := config
		saying.NewEnvironment = true
		if report, err := runner.Regenerate(t.Context(), saying); err != nil || len(report.Changes) != 1 {
			t.Errorf("%v, %+v", err, report)
		}
		if diff := cmp.Diff(after, snapshot(t, root)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("a line that is there takes a word", func(t *testing.T) {
		writeFiles(t, root, map[string]string{"cases/trap.toml": strings.Replace(upstreamCases, `prediction = "a"`, `prediction = "b"`, 1)})
		err := unchanged(t, config, "1 of the lines that are there would change", "--change", "up@0123456: changed trap/capital, squad", `"prediction":"B"`)
		if !usageError(err) {
			t.Errorf("%T is not a usage error", err)
		}
	})
	t.Run("scores that become an error take two", func(t *testing.T) {
		writeFiles(t, root, map[string]string{"cases/trap.toml": strings.Replace(upstreamCases, `references = ["A"]`, "references = []\nsetups = [{ metric = \"squad\" }]", 1)})
		changing := config
		changing.Change = true
		unchanged(t, config, "--allow-errors", "trap/capital")
		unchanged(t, changing, "--allow-errors", "trap/capital", "no_references")
	})
	t.Run("a stale pin that the reference does not have needs its source", func(t *testing.T) {
		writeFiles(t, root, map[string]string{"cases/trap.toml": strings.Replace(upstreamCases, `prediction = "a"`, `prediction = "b"`, 1)})
		if err := unchanged(t, runner.RegenConfig{Root: root, Python: python}, "up@0123456", "trap", "--from", someCommit); !usageError(err) {
			t.Errorf("%T is not a usage error", err)
		}
	})
}

func loadCheckout(t *testing.T, root string) (cases.Corpus, *golden.Set) {
	t.Helper()
	corpus, err := cases.Load(os.DirFS(filepath.Join(root, "cases")))
	if err != nil {
		t.Fatal(err)
	}
	set, err := golden.Load(os.DirFS(filepath.Join(root, "golden")))
	if err != nil {
		t.Fatal(err)
	}
	return corpus, set
}

// From a repository, the commit is recorded, whatever is checked out.
func TestRegenerateFromARepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	python := pytest.Interpreter(t)
	repository := writeFiles(t, t.TempDir(), upstreamFiles)
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", repository, "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message", "one")
	commit := git("rev-parse", "HEAD")
	writeFiles(t, repository, map[string]string{"metrics/squad/compute_score.py": "raise SystemExit\n"})
	git("commit", "--quiet", "--all", "--message", "two")

	root := checkout(t, commit)
	other := writeFiles(t, t.TempDir(), map[string]string{"README": "x\n"})
	// Which of several folders it is, is found out; one of no use is refused.
	unchanged(t, runner.RegenConfig{Root: root, From: []string{repository, other}, Python: python}, other, "the sources of no pin")
	report, err := runner.Regenerate(t.Context(), runner.RegenConfig{Root: root, From: []string{repository}, Python: python})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Changes) != 2 || !strings.Contains(snapshot(t, root)["golden/up/"+commit[:7]+"/trap.golden"], `"exact_match":100`) {
		t.Errorf("changes %+v", report.Changes)
	}
}

func TestRegenerateIsAllOrNothing(t *testing.T) {
	python := pytest.Interpreter(t)
	plain := writeFiles(t, t.TempDir(), upstreamFiles)
	adding := func(prediction string) string {
		return upstreamCases + "\n[[case]]\nid = \"last\"\nprediction = \"" + prediction + "\"\nreferences = [\"x\"]\nintent = \"match\"\nwhy = \"w\"\nsetups = [{ metric = \"squad\" }]\n"
	}
	tests := []struct {
		shows  string
		change func(root string, config *runner.RegenConfig)
		says   []string
	}{
		{"an error that upstream is not known to raise", func(root string, _ *runner.RegenConfig) {
			writeFiles(t, root, map[string]string{"cases/trap.toml": adding("unclassified")})
		}, []string{"trap/last", "squad at up@0123456", "no known kind", "invalid literal for int()", "nothing was written"}},
		{"a crash", func(root string, _ *runner.RegenConfig) {
			writeFiles(t, root, map[string]string{"cases/trap.toml": adding("crash")})
		}, []string{"trap/last", "crash", "nothing was written"}},
		{"another version of a source", func(root string, config *runner.RegenConfig) {
			config.From = []string{writeFiles(t, t.TempDir(), map[string]string{"metrics/squad/squad.py": upstreamFiles["metrics/squad/squad.py"], "metrics/squad/compute_score.py": "# other\n"})}
		}, []string{"metrics/squad/compute_score.py", golden.BlobID([]byte("# other\n")), golden.BlobID([]byte(upstreamFiles["metrics/squad/compute_score.py"]))}},
		{"a folder with nothing of upstream", func(_ string, config *runner.RegenConfig) { config.From = []string{t.TempDir()} }, []string{"has the sources of no pin: it is a git repository of upstream or a plain tree"}},
		{"a folder that is not there", func(root string, config *runner.RegenConfig) { config.From = []string{filepath.Join(root, "missing")} }, []string{"missing is not a folder"}},
		{"no source at all", func(_ string, config *runner.RegenConfig) { config.From = nil }, []string{"no --from has its sources", someCommit}},
		{"cases that are wrong", func(root string, _ *runner.RegenConfig) {
			writeFiles(t, root, map[string]string{"cases/trap.toml": upstreamCases + "colour = 1\n"})
		}, []string{"trap.toml:", "colour"}},
		{"an interpreter that is not there", func(root string, config *runner.RegenConfig) { config.Python = filepath.Join(root, "no-python") }, []string{"no-python"}},
		{"one pin of two", func(root string, _ *runner.RegenConfig) {
			// The second, in order, has other sources and no goldens.
			second := strings.ReplaceAll(pinFile(t, "1"+someCommit[1:]), golden.BlobID([]byte(upstreamFiles["metrics/squad/squad.py"])), golden.BlobID(nil))
			writeFiles(t, root, map[string]string{"golden/up/1123456/pin.toml": second})
		}, []string{"up@1123456", "no --from has its sources"}},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			root := checkout(t, someCommit)
			config := runner.RegenConfig{Root: root, From: []string{plain}, Python: python}
			test.change(root, &config)
			unchanged(t, config, test.says...)
		})
	}
}

func TestRegenerateEndsWithItsContext(t *testing.T) {
	python := pytest.Interpreter(t)
	root := checkout(t, someCommit)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := snapshot(t, root)
	if _, err := runner.Regenerate(ctx, runner.RegenConfig{Root: root, From: []string{writeFiles(t, t.TempDir(), upstreamFiles)}, Python: python}); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestRecord(t *testing.T) {
	corpus := load(t, smallCorpus)
	pin := pins()[1]
	t.Run("what the pin does not cover is left out", func(t *testing.T) {
		only := pin
		only.Metrics = []golden.Coverage{{Name: "squad", Scale: 100}}
		records, err := runner.Record(t.Context(), reference.New(), only, corpus)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != 1 || len(records["trap"]) != 7 {
			t.Errorf("records of %d hazards", len(records))
		}
	})
	refusal := func(kind metric.ErrorKind) error { return &metric.Refusal{Kind: kind, Message: "the message"} }
	normalizing := func(failure error) hook {
		return func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			if request.Op == adapters.Normalize && request.Text == "blue car" {
				return adapters.Answer{}, failure
			}
			return answer, err
		}
	}
	tests := []struct {
		shows  string
		change hook
		says   string
	}{
		{"a refusal of no kind", scoring("red car", failing(refusal(""))), "no known kind"},
		{"a refusal of an unknown kind", scoring("red car", failing(refusal("unclassified"))), "no known kind"},
		{"an honest no", scoring("red car", failing(&adapters.Unsupported{Why: "not here"})), "not here"},
		{"a crash", scoring("red car", failing(&adapters.Fault{Kind: adapters.Crash, What: "gone"})), "gone"},
		{"a key too few", scoring("red car", func(_ adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
			delete(answer.Scores, "f1")
			return answer, err
		}), `"f1"`},
		{"a key too many", scoring("red car", setting("recall", 1)), `"recall"`},
		{"a normalizer that refuses, whatever the kind", normalizing(refusal(metric.InvalidRegex)), `normalizing "blue car"`},
		{"a normalizer that crashes", normalizing(errors.New("oops")), "oops"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			adapter := newFake(map[string]adapters.Support{"squad": full("squad"), "squad_v2": full("squad_v2"), "exact_match": full("exact_match")})
			adapter.change = test.change
			records, err := runner.Record(t.Context(), adapter, pin, corpus)
			if err == nil || records != nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "trap/half, squad at hf-evaluate@a7dd338") {
				t.Errorf("%d records, error %v", len(records), err)
			}
		})
	}
}
