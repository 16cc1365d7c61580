package python_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

// NORMCERT_UPSTREAM names a folder with one source tree for each pin.
func TestUpstreamAgreesWithItsOwnTruth(t *testing.T) {
	root := os.Getenv("NORMCERT_UPSTREAM")
	if root == "" {
		t.Skip("set NORMCERT_UPSTREAM to a folder that holds 86baf12/metrics, a7dd338/metrics and 10ee266/metrics of " +
			"https://github.com/huggingface/evaluate, for example: git archive 86baf12 metrics | tar -x -C FOLDER/86baf12")
	}
	interpreter := pytest.Interpreter(t, "numpy")
	for _, pin := range truthPins {
		t.Run(pin, func(t *testing.T) {
			source := filepath.Join(root, pin)
			if _, err := os.Stat(source); err != nil {
				t.Skipf("no source tree for this pin: %v", err)
			}
			holdToTruth(t, truth(t, pin), interpreter, "upstream.py", "--source", source, "--pin", "hf-evaluate@"+pin)
		})
	}
}

// The sources of a small upstream that does as its prediction says. They are
// shaped like upstream's: what they import, and that a metric is made by a
// constructor that cannot run here.
var fakeUpstream = map[string]string{
	"squad/squad.py": `
import datasets
import evaluate

from .compute_score import act


@evaluate.utils.file_utils.add_start_docstrings("about", "arguments")
class Squad(evaluate.Metric):
    def __init__(self):
        raise AssertionError("only a bare instance is wanted")

    def _compute(self, predictions, references):
        return act(predictions, references)
`,
	"squad/compute_score.py": `
import os
import re
import sys


def normalize_answer(text):
    if text == "raise":
        raise ValueError("max() arg is an empty sequence")
    print("{\"id\": 0, \"text\": \"a banner\"}")
    os.write(1, b"\xff raw bytes\n")
    os.system("echo a child")
    return text.upper()


def act(predictions, references):
    print("caf\u00e9", [reference["answers"] for reference in references])
    what = predictions[0]["prediction_text"] if predictions else ""
    if what == "max":
        return max([])
    if what == "divide":
        return 100.0 / 0
    if what == "int":
        return int("x")
    if what == "key":
        return {}["0"]
    if what == "regex":
        return re.compile("(")
    if what == "exit":
        sys.exit(7)
    if what == "interrupt":
        raise KeyboardInterrupt
    if what == "stdin":
        return {"exact_match": len(sys.stdin.read()), "f1": 0}
    return {"exact_match": {"nan": float("nan"), "inf": float("inf"), "bool": True, "text": "1"}.get(what, 0.1), "f1": 1}
`,
	"squad_v2/squad_v2.py": `
import datasets
import evaluate

from .compute_score import act


class SquadV2(evaluate.Metric):
    def _compute(self, predictions, references):  # takes no threshold, unlike the real one
        return act(predictions, references)
`,
	"squad_v2/compute_score.py": `
import numpy as np


def normalize_answer(text):
    return text


def act(predictions, references):
    answers = {p["id"]: p["no_answer_probability"] for p in predictions}
    print([answers[r["id"]] for r in references])
    return {"exact": 100.0 * sum(answers.values()) / len(answers), "total": len(answers)}
`,
	"exact_match/exact_match.py": `
import re

import datasets
import numpy as np

import evaluate


class ExactMatch(evaluate.Metric):
    def _compute(self, predictions, references, regexes_to_ignore=None, ignore_case=False):
        for pattern in regexes_to_ignore or []:
            re.compile(pattern)
        if ignore_case:
            np.char.lower(np.asarray(predictions))
        if predictions == ["type"]:
            raise TypeError("string operation on non-string array")
        return {"exact_match": np.mean([p == r for p, r in zip(predictions, references)])}
`,
}

// plant writes the fake upstream to a folder and returns it. replace maps
// files to other contents.
func plant(t *testing.T, replace map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range fakeUpstream {
		if other, there := replace[name]; there {
			text = other
		}
		file := filepath.Join(root, "metrics", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func score(metric string, options object, items ...object) object {
	if items == nil {
		items = []object{}
	}
	if options == nil {
		options = object{}
	}
	return object{"op": "score", "metric": metric, "pin": "hf-evaluate@a7dd338", "options": options, "items": items}
}

func answered(prediction string, references ...string) object {
	return object{"id": "0", "prediction": prediction, "references": append([]string{}, references...)}
}

var unanswered = object{"id": "0", "references": []string{"x"}}

func TestUpstreamClassifiesErrors(t *testing.T) {
	tests := []struct {
		name    string
		request object
		want    string // the kind of the reply
	}{
		{"max of nothing", score("squad", nil, answered("max")), "no_references"},
		{"division by zero", score("squad", nil, answered("divide")), "empty_input"},
		{"another ValueError", score("squad", nil, answered("int")), "unclassified"},
		{"a KeyError in squad", score("squad", nil, answered("key")), "unclassified"},
		{"re.error in squad", score("squad", nil, answered("regex")), "unclassified"},
		{"an error in normalize_answer", object{"op": "normalize", "metric": "squad", "text": "raise"}, "unclassified"},
		{"infinity", score("squad", nil, answered("inf")), "unclassified"},
		{"true for 1", score("squad", nil, answered("bool")), "unclassified"},
		{"a string for a number", score("squad", nil, answered("text")), "unclassified"},
		{"NaN is a score", score("squad", nil, answered("nan")), "scores"},
		{"an unanswered id", score("squad_v2", nil, answered("x"), object{"id": "1", "references": []string{}}), "missing_prediction"},
		{"nothing answered", score("squad_v2", nil), "empty_input"},
		{"null is the default", score("squad_v2", object{"no_answer_threshold": nil}, answered("x")), "scores"},
		{"raised before upstream's code ran", score("squad_v2", object{"no_answer_threshold": 0.5}, answered("x")), "unclassified"},
		{"a bad pattern", score("exact_match", object{"regexes_to_ignore": []string{"*"}}, answered("x", "x")), "invalid_regex"},
		{"a string is its characters", score("exact_match", object{"regexes_to_ignore": "a*"}, answered("x", "x")), "invalid_regex"},
		{"numpy's TypeError", score("exact_match", object{"ignore_case": true}), "empty_input"},
		{"that TypeError without its reason", score("exact_match", nil, answered("type", "x")), "unclassified"},
		{"a numpy number", score("exact_match", nil, answered("x", "x")), "scores"},
		{"a mean of nothing", score("exact_match", nil), "scores"},
		{"exact_match normalizes nothing", object{"op": "normalize", "metric": "exact_match", "text": "x"}, "unsupported"},
		{"a metric of another name", score("bleu", nil), "unsupported"},
	}
	requests := make([]object, len(tests))
	for i, test := range tests {
		requests[i] = test.request
	}
	got := run(t, number(t, requests), pytest.Interpreter(t, "numpy"), "upstream.py", "--source", plant(t, nil), "--pin", "hf-evaluate@a7dd338")
	for i, test := range tests {
		if r := got.replies[i]; r.kind() != test.want {
			t.Errorf("%s: reply %s, want %s", test.name, show(r), test.want)
		}
	}
	if !strings.Contains(got.stderr, "invalid literal for int()") || !strings.Contains(got.stderr, "Traceback") {
		t.Errorf("stderr lacks the traceback of an unclassified error: %q", tail(got.stderr))
	}
}

// The same exception is upstream's or the harness's, by where it was raised.
func TestUpstreamAsksWhereAnErrorComesFrom(t *testing.T) {
	source := plant(t, map[string]string{"squad/squad.py": `
import evaluate

from . import compute_score

exec(compile("def elsewhere(self, predictions, references): return max([])", "elsewhere.py", "exec"))


class Squad(evaluate.Metric):
    _compute = elsewhere
`})
	lines := number(t, []object{score("squad", nil, answered("x"))})
	got := run(t, lines, pytest.Interpreter(t), "upstream.py", "--source", source, "--metrics", "squad")
	if r := got.replies[0]; r.kind() != "unclassified" {
		t.Errorf("reply %s, want unclassified: no line of upstream's own was running", show(r))
	}
}

func TestUpstreamNeverTakesAMalformedRequestForARefusal(t *testing.T) {
	items := []object{answered("max", "x")}
	tests := []struct {
		name    string
		request object
	}{
		{"no op", object{"metric": "squad"}},
		{"unknown op", object{"op": "explain"}},
		{"no metric", object{"op": "score", "items": items}},
		{"no items", object{"op": "score", "metric": "squad"}},
		{"items null", object{"op": "score", "metric": "squad", "items": nil}},
		{"items an object", object{"op": "score", "metric": "squad", "items": object{}}},
		{"an item is a string", object{"op": "score", "metric": "squad", "items": []string{"max"}}},
		{"no references", score("squad", nil, object{"prediction": "max"})},
		{"references a string", score("squad", nil, object{"prediction": "max", "references": "x"})},
		{"a reference is null", score("squad", nil, object{"prediction": "max", "references": []any{nil}})},
		{"prediction null", score("squad", nil, object{"prediction": nil, "references": []string{}})},
		{"prediction a number", score("squad", nil, object{"prediction": 1, "references": []string{}})},
		{"id a number", score("squad", nil, object{"id": 1, "prediction": "max", "references": []string{}})},
		{"unknown option", score("squad", object{"strip": true}, answered("max"))},
		{"options a list", object{"op": "score", "metric": "squad", "options": []string{}, "items": items}},
		{"threshold a string", score("squad_v2", object{"no_answer_threshold": "1"}, answered("x"))},
		{"threshold too large", score("squad_v2", object{"no_answer_threshold": json.Number("1" + strings.Repeat("0", 400))}, answered("x"))},
		{"probability true", score("squad_v2", nil, object{"prediction": "x", "references": []string{}, "no_answer_probability": true})},
		{"patterns a number", score("exact_match", object{"regexes_to_ignore": 1}, answered("x", "x"))},
		{"a pattern is null", score("exact_match", object{"regexes_to_ignore": []any{nil}}, answered("x", "x"))},
		{"flag a number", score("exact_match", object{"ignore_case": 1}, answered("x", "x"))},
		{"exact_match with two references", score("exact_match", nil, answered("x", "x", "y"))},
		{"exact_match with none", score("exact_match", nil, answered("x"))},
		{"exact_match unanswered", score("exact_match", nil, unanswered)},
		{"text missing", object{"op": "normalize", "metric": "squad"}},
		{"another commit", object{"op": "normalize", "metric": "squad", "text": "x", "pin": "hf-evaluate@86baf12"}},
		{"another upstream", object{"op": "normalize", "metric": "squad", "text": "x", "pin": "article@a7dd338"}},
	}
	requests := make([]object, len(tests))
	for i, test := range tests {
		requests[i] = test.request
	}
	lines := number(t, requests)
	surrogate := len(lines)
	lines = append(lines, `{"id":`+strconv.Itoa(surrogate)+`,"op":"normalize","metric":"squad","text":"\ud800"}`)
	got := run(t, lines, pytest.Interpreter(t, "numpy"), "upstream.py", "--source", plant(t, nil), "--pin", "hf-evaluate@a7dd338")
	for i := range lines {
		name := "a lone surrogate"
		if i < surrogate {
			name = tests[i].name
		}
		r := got.replies[i]
		if r.kind() != "unclassified" || !strings.HasPrefix(r.Error.Message, "MalformedRequest: ") {
			t.Errorf("%s: reply %s, want unclassified with MalformedRequest", name, show(r))
		}
	}
}

func TestUpstreamEndsWhereNobodyCanBeAnswered(t *testing.T) {
	interpreter, source := pytest.Interpreter(t), plant(t, nil)
	tests := []struct {
		name, line string
		stderr     string
		exit       int
	}{
		{"not JSON", "hello", "malformed request", 1},
		{"not ASCII", `{"id":0,"op":"normalize","metric":"squad","text":"é"}`, "malformed request", 1},
		{"no id", `{"op":"hello","protocol":1}`, "malformed request", 1},
		{"id true", `{"id":true,"op":"hello","protocol":1}`, "malformed request", 1},
		{"a key twice", `{"id":0,"id":0,"op":"hello","protocol":1}`, "malformed request", 1},
		{"bare NaN", `{"id":0,"op":NaN}`, "malformed request", 1},
		{"SystemExit is not swallowed", `{"id":0,"op":"score","metric":"squad","items":[{"prediction":"exit","references":[]}]}`, "", 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := run(t, []string{test.line}, interpreter, "upstream.py", "--source", source, "--metrics", "squad")
			if got.exit != test.exit || !strings.Contains(got.stderr, test.stderr) || len(got.replies) != 0 {
				t.Errorf("exit %d, %d replies, stderr %q; want exit %d, no reply, %q", got.exit, len(got.replies), tail(got.stderr), test.exit, test.stderr)
			}
		})
	}
}

func TestUpstreamPrintsNeverReachTheProtocol(t *testing.T) {
	lines := number(t, []object{
		{"op": "hello", "protocol": 1},
		{"op": "normalize", "metric": "squad", "text": "caf\u00e9 \U0001F680"},
		score("squad", nil, answered("anything", "caf\u00e9")),
		// Upstream can read nothing of the requests to come.
		score("squad", nil, answered("stdin")),
		{"op": "normalize", "metric": "squad", "text": "last"},
	})
	// An encoding in which upstream's own print would raise.
	t.Setenv("PYTHONIOENCODING", "ascii")
	got := run(t, lines, pytest.Interpreter(t), "upstream.py", "--source", plant(t, nil), "--metrics", "squad")
	if got.exit != 0 || len(got.replies) != len(lines) {
		t.Fatalf("exit %d, %d replies to %d requests; stderr %q", got.exit, len(got.replies), len(lines), tail(got.stderr))
	}
	if text := got.replies[1].Text; text == nil || *text != "CAF\u00c9 \U0001F680" {
		t.Errorf("normalize: reply %s", show(got.replies[1]))
	}
	if scores := got.replies[2].Scores; scores["exact_match"] != 0.1 || scores["f1"] != 1.0 {
		t.Errorf("score: reply %s", show(got.replies[2]))
	}
	if scores := got.replies[3].Scores; scores["exact_match"] != 0.0 {
		t.Errorf("upstream could read stdin: reply %s", show(got.replies[3]))
	}
	for _, printed := range []string{"a banner", "raw bytes", "a child", `caf\xe9`} {
		if !strings.Contains(got.stderr, printed) {
			t.Errorf("stderr lacks %q", printed)
		}
	}
}

func TestUpstreamWithoutNumpy(t *testing.T) {
	// -S leaves out site-packages, and numpy with them.
	interpreter, source := pytest.Interpreter(t), plant(t, nil)
	lines := number(t, []object{
		{"op": "hello", "protocol": 1},
		score("squad_v2", nil, object{"prediction": "x", "references": []string{}, "no_answer_probability": 0.25}),
		score("exact_match", nil, answered("x", "x")),
	})
	got := run(t, lines, interpreter, "-S", "upstream.py", "--source", source, "--pin", "hf-evaluate@a7dd338")
	hello := got.replies[0]
	if _, there := hello.Metrics["exact_match"]; there || len(hello.Metrics) != 2 || len(hello.Libraries) != 0 {
		t.Errorf("hello offers %v with libraries %v; want squad and squad_v2, and no numpy", hello.Metrics, hello.Libraries)
	}
	if scores := got.replies[1].Scores; scores["exact"] != 25.0 || scores["total"] != 1.0 {
		t.Errorf("squad_v2: reply %s", show(got.replies[1]))
	}
	if r := got.replies[2]; r.kind() != "unsupported" || !strings.Contains(*r.Unsupported, "numpy") {
		t.Errorf("exact_match: reply %s, want unsupported for want of numpy", show(r))
	}
	// Asked for by name, it has to be there.
	got = run(t, nil, interpreter, "-S", "upstream.py", "--source", source, "--metrics", "exact_match")
	if got.exit != 1 || !strings.Contains(got.stderr, "numpy is not installed") {
		t.Errorf("--metrics exact_match: exit %d, stderr %q", got.exit, tail(got.stderr))
	}
}

func TestUpstreamSaysHello(t *testing.T) {
	source := plant(t, nil)
	lines := number(t, []object{{"op": "hello", "protocol": 1}, {"op": "hello", "protocol": 2}})
	got := run(t, lines, pytest.Interpreter(t, "numpy"), "upstream.py", "--source", source, "--pin", "hf-evaluate@a7dd338")
	hello := got.replies[0]
	if hello.Name != "upstream" || hello.Version != "hf-evaluate@a7dd338" || !strings.HasPrefix(hello.Language, "CPython 3.") ||
		hello.Unicode == "" || hello.Libraries["numpy"] == "" {
		t.Errorf("hello is %+v", hello)
	}
	v2 := hello.Metrics["squad_v2"]
	if !slices.Equal(v2.Pins, []string{"hf-evaluate@a7dd338"}) || len(v2.Answers) != 14 ||
		!slices.Equal(v2.Handles, []string{"batch", "unanswered", "repeated-id", "no-references", "no_answer_threshold"}) {
		t.Errorf("hello says of squad_v2 %+v", v2)
	}
	if r := got.replies[1]; r.kind() != "unsupported" {
		t.Errorf("protocol 2: reply %s, want unsupported", show(r))
	}
	if left, _ := filepath.Glob(filepath.Join(source, "metrics", "*", "__pycache__")); len(left) > 0 {
		t.Errorf("files were left in the source tree: %q", left)
	}
}

func TestUpstreamRefusesAFolderThatIsNotASource(t *testing.T) {
	got := run(t, nil, pytest.Interpreter(t), "upstream.py", "--source", t.TempDir())
	if got.exit != 2 || !strings.Contains(got.stderr, "no folder metrics") {
		t.Errorf("exit %d, stderr %q", got.exit, tail(got.stderr))
	}
}
