// Package interpreter finds a Python interpreter that has what is needed: to
// record goldens, and in tests.
package interpreter

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Variable names an interpreter that is tried before all others.
const Variable = "NORMCERT_PYTHON"

// candidates are tried in order. The python3 on PATH is often not the
// distribution's, and then lacks the distribution's numpy.
func candidates() []string {
	list := []string{"python3.11", "python3", "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3", "python"}
	if named := os.Getenv(Variable); named != "" {
		list = append([]string{named}, list...)
	}
	return list
}

// Find returns the path of the first interpreter that is CPython 3.8 or newer
// and can import every one of modules. The error says how to get one.
func Find(modules ...string) (string, error) {
	for _, name := range candidates() {
		path, err := exec.LookPath(name)
		if err == nil && imports(path, modules) {
			return path, nil
		}
	}
	need := "CPython 3.8 or newer"
	if len(modules) > 0 {
		need += " with " + strings.Join(modules, ", ")
	}
	return "", fmt.Errorf("no interpreter found: it takes %s; Debian: apt-get install python3 python3-numpy libpython3.11-testsuite; "+
		"elsewhere name one in %s", need, Variable)
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
