package python_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

// write puts a person's adapter next to a copy of the helper, as its first
// line says to do.
func write(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	helper, err := os.ReadFile("adapter.py")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"adapter.py": string(helper), "mine.py": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "mine.py")
}

func TestHelperServesAScorer(t *testing.T) {
	mine := write(t, `
from adapter import Refused, Unsupported, serve


def score(metric, options, items):
    print("a print of the scorer's own")
    what = items[0]["prediction"]
    if what == "refuse":
        raise Refused("no_references", "because")
    if what == "refuse without a kind":
        raise Refused()
    if what == "no":
        raise Unsupported("not that one")
    return {"exact_match": {"true": True, "nan": float("nan")}.get(what, 0.1)}


serve(
    name="mine",
    version="3",
    metrics={"squad": {"answers": ["exact_match"], "scale": 1, "handles": ["batch"]}},
    score=score,
    wraps="mine.score 3",
)
raise SystemExit(5)  # comes back when stdin is closed
`)
	lines := number(t, []object{
		{"op": "hello", "protocol": 1},
		score("squad", nil, answered("anything", "x")),
		score("squad", nil, answered("true", "x")),
		score("squad", nil, answered("nan", "x")),
		score("squad", nil, answered("refuse", "x")),
		score("squad", nil, answered("refuse without a kind", "x")),
		score("squad", nil, answered("no", "x")),
		score("squad_v2", nil, answered("x", "x")),
		{"op": "normalize", "metric": "squad", "text": "x"},
	})
	got := run(t, lines, pytest.Interpreter(t), mine)
	if got.exit != 5 {
		t.Errorf("exit %d, stderr %q; want serve to return when stdin is closed", got.exit, tail(got.stderr))
	}
	if hello := got.replies[0]; hello.Name != "mine" || hello.Version != "3" || hello.Metrics["squad"].Handles[0] != "batch" || hello.Unicode == "" {
		t.Errorf("hello is %+v", hello)
	}
	for i, want := range map[int]any{1: 0.1, 2: 1.0, 3: "nan"} {
		if got := got.replies[i].Scores["exact_match"]; got != want {
			t.Errorf("request %d: exact_match is %v, want %v", i, got, want)
		}
	}
	for i, want := range map[int]string{4: "no_references", 5: "", 6: "unsupported", 7: "unsupported", 8: "unsupported"} {
		if r := got.replies[i]; r.kind() != want {
			t.Errorf("request %d: reply %s, want %q", i, show(r), want)
		}
	}
	if r := got.replies[5]; r.Error == nil {
		t.Errorf("a refusal without a kind: reply %s, want an error", show(r))
	}
	if !strings.Contains(got.stderr, "a print of the scorer's own") {
		t.Errorf("the scorer's print is not on stderr: %q", tail(got.stderr))
	}
}

func TestHelperLetsABugShow(t *testing.T) {
	mine := write(t, `
from adapter import serve

serve(name="mine", metrics={"squad": {"answers": ["normalize"]}}, normalize=lambda metric, options, text: text[5])
`)
	lines := number(t, []object{
		{"op": "normalize", "metric": "squad", "text": "abcdef"},
		{"op": "normalize", "metric": "squad", "text": "abc"},
		{"op": "normalize", "metric": "squad", "text": "abcdef"},
	})
	got := run(t, lines, pytest.Interpreter(t), mine)
	if got.exit != 1 || len(got.replies) != 1 || !strings.Contains(got.stderr, "IndexError") {
		t.Errorf("exit %d, %d replies, stderr %q; want the first answered, then a crash with its traceback", got.exit, len(got.replies), tail(got.stderr))
	}
}

func TestExampleAdapter(t *testing.T) {
	lines := number(t, []object{
		{"op": "hello", "protocol": 1},
		score("squad", nil, answered(" PARIS", "London", "paris")),
		score("squad", nil, answered("the car", "car")),
	})
	got := run(t, lines, pytest.Interpreter(t), "-B", "example_adapter.py")
	if got.replies[0].Name != "acme" || got.replies[1].Scores["exact_match"] != 1.0 || got.replies[2].Scores["exact_match"] != 0.0 {
		t.Errorf("replies: %+v; stderr %q", got.replies, tail(got.stderr))
	}
}
