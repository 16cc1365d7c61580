package golden_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// files returns every file below root with its content.
func files(t *testing.T, root string) map[string]string {
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

var recorded = map[string][]golden.Record{
	"trap":  {{Case: "trap/a", Setup: "exact_match", Scores: metric.Scores{"exact_match": 1}}},
	"other": {{Case: "other/a", Setup: "exact_match", Scores: metric.Scores{"exact_match": 0}}},
}

func changes(t *testing.T, root string) []golden.Change {
	t.Helper()
	list, err := golden.Changes(root, pin(), recorded, map[string]string{"trap": "inputs of trap", "other": "inputs of other"})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func names(root string, list []golden.Change) []string {
	var names []string
	for _, change := range list {
		name, _ := filepath.Rel(root, change.Path)
		if name = filepath.ToSlash(name); change.Content == nil {
			name = "-" + name
		}
		names = append(names, name)
	}
	return names
}

func TestChangesAndCommit(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"up/0123456/orphan.golden": "x\n", "up/0123456/README": "stays\n", "up/0123456/trap.golden": "before\n", "up/7654321/orphan.golden": "another pin's\n",
	})
	list := changes(t, root)
	want := []string{"-up/0123456/orphan.golden", "up/0123456/other.golden", "up/0123456/pin.toml", "up/0123456/trap.golden"}
	if diff := cmp.Diff(want, names(root, list)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if files(t, root)["up/0123456/trap.golden"] != "before\n" {
		t.Error("Changes writes")
	}
	if err := golden.Commit(list); err != nil {
		t.Fatal(err)
	}
	after := files(t, root)
	if len(after) != 5 || after["up/0123456/README"] != "stays\n" || after["up/7654321/orphan.golden"] == "" {
		t.Errorf("files after: %q", after)
	}
	set, err := golden.Load(os.DirFS(filepath.Join(root)))
	if err != nil {
		t.Fatal(err)
	}
	g := set.Pins()[0]
	if !g.Confirmed("trap", "inputs of trap") || !g.Confirmed("other", "inputs of other") || len(g.Pin.Files) != 2 {
		t.Errorf("what was written is not confirmed: %v", g.Pin.Files)
	}
	// The second time there is nothing to do.
	if again := changes(t, root); len(again) != 0 {
		t.Errorf("changes once more: %q", names(root, again))
	}
	if err := golden.Commit(nil); err != nil {
		t.Error(err)
	}
}

func TestCommitIsAllOrNothing(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.golden": "a\n", "b.golden": "b\n", "c.golden": "c\n", "file": "not a folder\n"})
	before := files(t, root)
	list := []golden.Change{
		{Path: filepath.Join(root, "a.golden")},
		{Path: filepath.Join(root, "b.golden")},
		{Path: filepath.Join(root, "c.golden"), Content: []byte("new\n")},
		{Path: filepath.Join(root, "d.golden"), Content: []byte("new\n")},
		{Path: filepath.Join(root, "file", "e.golden"), Content: []byte("cannot be written\n")},
		{Path: filepath.Join(root, "f.golden"), Content: []byte("new\n")},
	}
	if err := golden.Commit(list); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(before, files(t, root)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
