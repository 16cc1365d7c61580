package golden_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/normcert/normcert/golden"
)

// A tree of upstream's shape, with a squad and an exact_match.
var shaped = map[string]string{
	"metrics/squad/squad.py":             "# squad\n",
	"metrics/squad/compute_score.py":     "# its scorer\n",
	"metrics/exact_match/exact_match.py": "# exact_match\n",
}

func writeTree(t *testing.T, root string, files map[string]string) string {
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

func gitIn(t *testing.T, folder string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	command := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...)
	command.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2021-03-04T23:30:00+0900", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func covered(pin golden.Pin) string {
	var names []string
	for _, coverage := range pin.Metrics {
		names = append(names, coverage.Name)
	}
	return strings.Join(names, " ")
}

const fullCommit = "0123456789abcdef0123456789abcdef01234567"

func TestFindSourcesInAPlainTree(t *testing.T) {
	tree := writeTree(t, t.TempDir(), shaped)
	pin, files, err := golden.FindSources(t.Context(), "hf-evaluate", fullCommit, tree)
	if err != nil {
		t.Fatal(err)
	}
	if pin.Name() != "hf-evaluate@0123456" || pin.Commit != fullCommit || pin.Date != "" || pin.Repository != "https://github.com/huggingface/evaluate" {
		t.Errorf("pin %+v", pin)
	}
	if covered(pin) != "exact_match squad" || len(files) != 3 {
		t.Errorf("covers %s, %d files", covered(pin), len(files))
	}
	// The id is what git hash-object gives.
	if squad, _ := pin.Covers("squad"); len(squad.Sources) != 2 || squad.Sources[1].Blob != "65d8117e22eee2d53d0beb2058d459eee944ea2f" {
		t.Errorf("squad %+v", squad)
	}
	tests := []struct {
		shows, commit string
		tree          map[string]string
		says          string
	}{
		{"a commit that is not in full", "0123456", shaped, "40 hex digits"},
		{"a branch", "main", shaped, "40 hex digits"},
		{"half a metric", fullCommit, map[string]string{"metrics/squad/squad.py": "x\n"}, "metrics/squad/compute_score.py is not: squad is not where it is known to be"},
		{"nothing of upstream", fullCommit, map[string]string{"README": "x\n"}, "has none of the metrics"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			_, _, err := golden.FindSources(t.Context(), "up", test.commit, writeTree(t, t.TempDir(), test.tree))
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
		})
	}
	if _, _, err := golden.FindSources(t.Context(), "up", fullCommit, filepath.Join(tree, "missing")); err == nil {
		t.Error("a folder that is not there is found")
	}
}

func TestFindSourcesInARepository(t *testing.T) {
	folder := writeTree(t, t.TempDir(), shaped)
	gitIn(t, folder, "init", "--quiet")
	gitIn(t, folder, "add", ".")
	gitIn(t, folder, "commit", "--quiet", "--message", "one")
	commit := gitIn(t, folder, "rev-parse", "HEAD")
	gitIn(t, folder, "rm", "--quiet", "-r", "metrics/exact_match")
	gitIn(t, folder, "commit", "--quiet", "--message", "two")
	// Neither the second commit nor what is checked out counts.
	writeTree(t, folder, map[string]string{"metrics/squad/squad.py": "# changed\n"})

	check := func(t *testing.T, folder, name string) {
		t.Helper()
		pin, files, err := golden.FindSources(t.Context(), "up", name, folder)
		if err != nil {
			t.Fatal(err)
		}
		// The committer's date, where the committer was.
		if pin.Commit != commit || pin.Short != commit[:7] || pin.Date != "2021-03-04" || pin.Repository != "" || covered(pin) != "exact_match squad" {
			t.Errorf("pin %+v", pin)
		}
		if string(files["metrics/squad/squad.py"]) != "# squad\n" {
			t.Errorf("squad.py is %q", files["metrics/squad/squad.py"])
		}
	}
	t.Run("short", func(t *testing.T) { check(t, folder, commit[:7]) })
	t.Run("full", func(t *testing.T) { check(t, folder, commit) })
	t.Run("relative", func(t *testing.T) { check(t, folder, "HEAD~1") })
	t.Run("bare", func(t *testing.T) {
		bare := filepath.Join(t.TempDir(), "bare")
		gitIn(t, folder, "clone", "--quiet", "--bare", ".", bare)
		check(t, bare, commit[:7])
	})
	t.Run("in a hook", func(t *testing.T) {
		t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
		check(t, folder, commit[:7])
	})
	t.Run("a commit that is not there", func(t *testing.T) {
		if _, _, err := golden.FindSources(t.Context(), "up", fullCommit, folder); err == nil || !strings.Contains(err.Error(), "has no commit "+fullCommit) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a plain tree inside a repository is a plain tree", func(t *testing.T) {
		inside := writeTree(t, filepath.Join(folder, "inside"), shaped)
		pin, _, err := golden.FindSources(t.Context(), "up", fullCommit, inside)
		if err != nil || pin.Date != "" {
			t.Errorf("%v, %+v", err, pin)
		}
	})
	t.Run("a repository that cannot be read is no plain tree", func(t *testing.T) {
		broken := writeTree(t, t.TempDir(), shaped)
		writeTree(t, broken, map[string]string{".git/HEAD": "x\n"})
		if _, _, err := golden.FindSources(t.Context(), "up", fullCommit, broken); err == nil || errors.Is(err, golden.ErrNoSource) {
			t.Errorf("error %v", err)
		}
	})
}

func TestSplitName(t *testing.T) {
	for text, good := range map[string]bool{
		"hf-evaluate@a7dd338": true, "acme@2.1.0-rc_1": true,
		"acme": false, "@1": false, "acme@": false, "a/b@1": false, "acme@../1": false, "acme@..": false, "acme@a..b": false, ".acme@1": false, "acme@1/2": false, "acme@HEAD~1": false,
	} {
		if _, _, err := golden.SplitName(text); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
