// Package pytest finds, for tests, a Python interpreter that has what they
// need. It is imported by tests only.
package pytest

import (
	"os"
	"testing"

	"github.com/normcert/normcert/internal/interpreter"
)

// Interpreter returns the path of the first interpreter that can import every
// one of modules (see interpreter.Find). Without one the test fails when CI is
// set, and elsewhere is skipped with a line that says how to get one.
func Interpreter(t testing.TB, modules ...string) string {
	t.Helper()
	path, err := interpreter.Find(modules...)
	if err == nil {
		return path
	}
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
	return ""
}
