//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/internal/pytest"
)

// TestInterruptedPinAdd: a recording that is interrupted, or killed outright,
// leaves the pin that it would have replaced as it was, and nothing else.
func TestInterruptedPinAdd(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, content := range map[string]string{"hanging.py": hanging, "quick.py": strings.Replace(hanging, `== "the car"`, `== "no such text"`, 1)} {
				content = strings.ReplaceAll(content, `"sleep", "600"`, `"sleep", "60"`)
				if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(content, "time.sleep(600)", "time.sleep(1)")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			python := pytest.Interpreter(t)
			run := func(script string) *exec.Cmd {
				command := exec.Command("normcert", "pin", "add", "hanger@1", "--replace", "--dir", "root", "--", python, script)
				command.Dir = dir
				return command
			}
			if out, err := run("quick.py").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_ = os.Remove(filepath.Join(dir, "pids"))
			before := folderOf(t, filepath.Join(dir, "root"))

			command := run("hanging.py")
			var stderr strings.Builder
			command.Stderr = &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = command.Process.Kill() })
			pids := waitForPids(t, dir)
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			code := exitWithin(t, command, 10*time.Second)
			if signal == syscall.SIGINT {
				if code != exitIncomplete || !strings.Contains(stderr.String(), "interrupted") {
					t.Errorf("exit %d: %s", code, stderr.String())
				}
				expectGone(t, pids)
			}
			if diff := cmp.Diff(before, folderOf(t, filepath.Join(dir, "root"))); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		})
	}
}

func waitForPids(t *testing.T, dir string) []string {
	t.Helper()
	for range 200 {
		if content, err := os.ReadFile(filepath.Join(dir, "pids")); err == nil {
			return strings.Fields(string(content))
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the adapter does not hang")
	return nil
}

// folderOf returns every file below root with its content.
func folderOf(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
