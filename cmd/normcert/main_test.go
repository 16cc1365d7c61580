package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/normcert/normcert/internal/pytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"normcert": main})
}

// TestScripts runs testdata/script. Beside testscript's own, scripts have the
// commands of [scriptCommands] and these variables:
//
//	PYTHON       an interpreter; its scripts can import adapter and independent
//	INDEPENDENT  adapters/python/independent.py
//	CHECKOUT     the root of this checkout
func TestScripts(t *testing.T) {
	python := realInterpreter(t)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	helpers := filepath.Join(root, "adapters", "python")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                scriptCommands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PYTHON", python)
			env.Setenv("PYTHONPATH", helpers)
			env.Setenv("PYTHONDONTWRITEBYTECODE", "1")
			env.Setenv("INDEPENDENT", filepath.Join(helpers, "independent.py"))
			env.Setenv("CHECKOUT", root)
			return nil
		},
	})
}

// realInterpreter is the interpreter behind a shim, which would cost each of the
// many programs here a start of its own.
func realInterpreter(t *testing.T) string {
	t.Helper()
	found := pytest.Interpreter(t)
	path, err := exec.Command(found, "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatalf("asking %s where it is: %v", found, err)
	}
	return strings.TrimSpace(string(path))
}

var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":    scriptExits,
	"json":     scriptJSON,
	"lines":    scriptLines,
	"checkout": scriptCheckout,
	"replace":  scriptReplace,
}

// scriptExits: exits CODE PROGRAM [ARG ...] runs a program that ends with that
// code, and checks what holds for every verb.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if err := wellBehaved(code, ts.ReadFile("stdout"), ts.ReadFile("stderr")); err != nil {
		ts.Fatalf("%v", err)
	}
}

// wellBehaved checks what is true of every run outside a terminal: no colour
// and no progress, never a stack, and a failure is explained once, on stderr.
func wellBehaved(code int, stdout, stderr string) error {
	switch {
	case strings.ContainsAny(stdout+stderr, "\x1b\r"):
		return errors.New("the output holds an escape or a carriage return, and goes to no terminal")
	case !utf8.ValidString(stdout) || !utf8.ValidString(stderr):
		return errors.New("the output is not valid UTF-8")
	case strings.Contains(stderr, "%!"):
		return errors.New("a message is formatted wrongly")
	case strings.Contains(stderr, "goroutine "):
		return errors.New("a stack is on stderr")
	case code == exitUsage || code == exitNoVerdict:
		if strings.Count(stderr, "normcert: ") != 1 || !strings.HasPrefix(stderr, "normcert: ") {
			return errors.New("there is not one message on stderr")
		}
		if strings.Count(stderr, "\n") > 12 {
			return errors.New("the message is longer than a screen")
		}
	case code == exitHolds && stderr != "":
		return errors.New("a run where all holds writes to stderr")
	}
	return nil
}

// scriptJSON: [!] json PATH [VALUE] reads stdout as one JSON object. PATH is
// keys and indices with dots between them; length is that of a list. With ! there
// is nothing at PATH.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || neg == (len(args) > 1) {
		ts.Fatalf("usage: json PATH VALUE, or ! json PATH")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	decoder.UseNumber()
	var value any
	ts.Check(decoder.Decode(&value))
	if decoder.More() {
		ts.Fatalf("stdout holds more than one JSON value")
	}
	found := true
	for key := range strings.SplitSeq(args[0], ".") {
		if value, found = member(value, key); !found {
			break
		}
	}
	if found == neg {
		ts.Fatalf("%s: there: %v", args[0], found)
	}
	if got := jsonText(value); !neg && got != args[1] {
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

func member(value any, key string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		one, there := value[key]
		return one, there
	case []any:
		at, err := strconv.Atoi(key)
		switch {
		case key == "length":
			return len(value), true
		case err == nil && at < len(value):
			return value[at], true
		}
	}
	return nil, false
}

// jsonText is a string as it is, and everything else as compact JSON.
func jsonText(value any) string {
	if text, is := value.(string); is {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}

// scriptLines: lines MOST checks that stdout has at most so many lines.
func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lines MOST")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile("stdout"), "\n"); got > most {
		ts.Fatalf("stdout has %d lines, more than %d", got, most)
	}
}

// scriptCheckout: checkout DIR copies this checkout's cases and goldens.
func scriptCheckout(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: checkout DIR")
	}
	for _, name := range []string{"cases", "golden"} {
		from := os.DirFS(filepath.Join(ts.Getenv("CHECKOUT"), name))
		ts.Check(os.CopyFS(filepath.Join(ts.MkAbs(args[0]), name), from))
	}
}

// scriptReplace: replace FILE OLD NEW changes the first OLD in a file, which is
// there; \n in them is a line end.
func scriptReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	before, after := strings.ReplaceAll(args[1], `\n`, "\n"), strings.ReplaceAll(args[2], `\n`, "\n")
	name := ts.MkAbs(args[0])
	content, err := os.ReadFile(name)
	ts.Check(err)
	if !strings.Contains(string(content), before) {
		ts.Fatalf("%s does not hold %q", args[0], before)
	}
	ts.Check(os.WriteFile(name, []byte(strings.Replace(string(content), before, after, 1)), 0o644))
}
