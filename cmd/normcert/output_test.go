package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file is there whole or not at all: a failure leaves what was there, and
// nothing beside it.
func TestWriteWhole(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "report.json")
	words := func(text string, err error) func(io.Writer) error {
		return func(out io.Writer) error {
			_, _ = io.WriteString(out, text)
			return err
		}
	}
	broken := errors.New("broken")
	if err := writeWhole(name, words("half", broken)); !errors.Is(err, broken) {
		t.Errorf("the error of the writer is %v", err)
	}
	holds := func(want string, files int) {
		t.Helper()
		content, err := os.ReadFile(name)
		entries, _ := os.ReadDir(folder)
		if string(content) != want || len(entries) != files || (want == "") != (err != nil) {
			t.Errorf("the file holds %q among %d, want %q among %d", content, len(entries), want, files)
		}
	}
	holds("", 0)
	if err := writeWhole(name, words("first", nil)); err != nil {
		t.Fatal(err)
	}
	holds("first", 1)
	if err := writeWhole(name, words("half", broken)); !errors.Is(err, broken) {
		t.Errorf("the error of the writer is %v", err)
	}
	holds("first", 1)

	// A link is written through, and stays one.
	link := filepath.Join(folder, "link.json")
	if err := os.Symlink("report.json", link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := writeWhole(link, words("second", nil)); err != nil {
		t.Fatal(err)
	}
	holds("second", 2)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if err := writeWhole(filepath.Join(folder, "nowhere", "x"), words("", nil)); err == nil {
		t.Error("a folder that is not there is written to")
	}
}
