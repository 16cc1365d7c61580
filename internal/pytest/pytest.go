// Package pytest finds, for tests, a Python interpreter that has what they
// need. It is imported by tests only.
package pytest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// candidates are tried in order. The python3 on PATH is often not the
// distribution's, and then lacks the distribution's numpy.
func candidates() []string {
	list := []string{"python3", "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3", "python"}
	if named := os.Getenv("NORMCERT_PYTHON"); named != "" {
		list = append([]string{named}, list...)
	}
	return list
}

// Interpreter returns the path of the first interpreter (NORMCERT_PYTHON, then
// python3 on PATH, then the usual places) that is CPython 3.8 or newer and can
// import every one of modules. Without one the test fails when CI is set, and
// elsewhere is skipped with a line that says how to get one.
func Interpreter(t testing.TB, modules ...string) string {
	t.Helper()
	for _, name := range candidates() {
		path, err := exec.LookPath(name)
		if err == nil && imports(path, modules) {
			return path
		}
	}
	need := "CPython 3.8 or newer"
	if len(modules) > 0 {
		need += " with " + strings.Join(modules, ", ")
	}
	message := fmt.Sprintf("no interpreter found: this test needs %s. Debian: apt-get install python3 python3-numpy libpython3.11-testsuite; "+
		"elsewhere name one in NORMCERT_PYTHON", need)
	if os.Getenv("CI") != "" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

func imports(path string, modules []string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	program := "import sys, platform\nassert sys.version_info >= (3, 8) and platform.python_implementation() == 'CPython'\n"
	for _, module := range modules {
		program += "import " + module + "\n"
	}
	return exec.CommandContext(ctx, path, "-c", program).Run() == nil
}
