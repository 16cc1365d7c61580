package golden_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/normcert/normcert/golden"
)

func TestBlobIDIsGits(t *testing.T) {
	tests := []struct{ shows, content, want string }{
		{"nothing", "", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{"a line", "hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"},
		{"no newline at the end", "what is up, doc?", "bd9dbf5aae1a3862dd1526723246b20206e5fc37"},
	}
	for _, test := range tests {
		if got := golden.BlobID([]byte(test.content)); got != test.want {
			t.Errorf("%s: %s, want %s", test.shows, got, test.want)
		}
	}
	needGit(t)
	for _, content := range []string{"\x00\xff", "caf\u00e9\r\n", strings.Repeat("x", 100000)} {
		command := exec.Command("git", "hash-object", "--stdin")
		command.Stdin = strings.NewReader(content)
		want, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := golden.BlobID([]byte(content)); got != strings.TrimSpace(string(want)) {
			t.Errorf("%d bytes: %s, git says %s", len(content), got, want)
		}
	}
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
}

func write(t *testing.T, root string, files map[string]string) string {
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

// repository commits files to a new git repository and returns the commit.
func repository(t *testing.T, root string, files map[string]string) string {
	t.Helper()
	needGit(t)
	write(t, root, files)
	git := func(args ...string) string {
		command := exec.Command("git", append([]string{"-C", root, "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message", "files")
	return git("rev-parse", "HEAD")
}

var sources = map[string]string{"metrics/squad/squad.py": "squad\n", "metrics/em/em.py": "em\n", "README": "more\n"}

func holdSources(t *testing.T, p golden.Pin, folder string) {
	t.Helper()
	files, err := p.Sources(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || string(files["metrics/squad/squad.py"]) != "squad\n" || string(files["metrics/em/em.py"]) != "em\n" {
		t.Errorf("sources %q", files)
	}
}

func TestSourcesOfAPlainTree(t *testing.T) { holdSources(t, pin(), write(t, t.TempDir(), sources)) }

// A plain tree may lie inside a repository of something else: the answer is
// what lies there, whatever that repository holds.
func TestSourcesOfAPlainTreeInsideARepository(t *testing.T) {
	outer := t.TempDir()
	repository(t, outer, map[string]string{"metrics/squad/squad.py": "other\n"})
	holdSources(t, pin(), write(t, filepath.Join(outer, "vendor"), sources))
}

// Of a repository, the commit counts and not what is checked out.
func TestSourcesOfARepository(t *testing.T) {
	root := t.TempDir()
	p := pin()
	p.Commit = repository(t, root, sources)
	p.Short = p.Commit[:7]
	write(t, root, map[string]string{"metrics/squad/squad.py": "changed since\n"})
	if err := os.Remove(filepath.Join(root, "metrics/em/em.py")); err != nil {
		t.Fatal(err)
	}
	holdSources(t, p, root)

	bare := filepath.Join(t.TempDir(), "bare.git")
	if out, err := exec.Command("git", "clone", "--quiet", "--bare", root, bare).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	holdSources(t, p, bare)
}

func TestSourcesRefusesAnotherVersion(t *testing.T) {
	root := write(t, t.TempDir(), sources)
	write(t, root, map[string]string{"metrics/em/em.py": "em\r\n"})
	files, err := pin().Sources(t.Context(), root)
	var other *golden.BlobError
	if !errors.As(err, &other) || files != nil {
		t.Fatalf("%v, %v", files, err)
	}
	for _, part := range []string{"metrics/em/em.py", root, golden.BlobID([]byte("em\n")), golden.BlobID([]byte("em\r\n"))} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}

func TestSourcesThatAreNotThere(t *testing.T) {
	half := write(t, t.TempDir(), map[string]string{"metrics/squad/squad.py": "squad\n"})
	empty := t.TempDir()
	foreign := t.TempDir()
	repository(t, foreign, map[string]string{"README": "x\n"})
	for name, folder := range map[string]string{"one of two files": half, "an empty folder": empty, "a repository without the commit": foreign} {
		files, err := pin().Sources(t.Context(), folder)
		if !errors.Is(err, golden.ErrNoSource) || files != nil {
			t.Errorf("%s: %v, %v; want ErrNoSource", name, files, err)
		}
	}
}

func TestSourcesEndsWithItsContext(t *testing.T) {
	root := t.TempDir()
	p := pin()
	p.Commit = repository(t, root, map[string]string{"README": "x\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, err := p.Sources(ctx, root); err == nil {
		t.Errorf("sources %v", files)
	}
}

func TestExtract(t *testing.T) {
	folder, err := golden.Extract(map[string][]byte{"a/b/c.py": []byte("c\n"), "d.py": nil})
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if content, err := os.ReadFile(filepath.Join(folder, "a", "b", "c.py")); err != nil || string(content) != "c\n" {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "d.py")); err != nil {
		t.Error(err)
	}
}
