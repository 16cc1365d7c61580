package pystr

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

// ask runs a Python program with input on its standard input as JSON, and
// reads what it prints as JSON into output.
func ask(t testing.TB, interpreter, program string, input, output any) {
	t.Helper()
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	const preamble = "import json, re, sys, unicodedata\n" +
		"given = json.loads(sys.stdin.buffer.read())\n" +
		"def answer(x): sys.stdout.buffer.write(json.dumps(x, ensure_ascii=False).encode())\n"
	command := exec.Command(interpreter, "-c", preamble+program)
	command.Stdin = bytes.NewReader(in)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("asking %s: %v\n%s", interpreter, err, complaint.Bytes())
	}
	if err := json.Unmarshal(out, output); err != nil {
		t.Fatalf("reading what %s answered: %v", interpreter, err)
	}
}

// python is the interpreter the package is compared with.
type python struct {
	Path    string
	Version string // as in "3.11.2"
	Unicode string // as in "14.0.0"
}

func findPython(t testing.TB) python {
	t.Helper()
	p := python{Path: pytest.Interpreter(t)}
	ask(t, p.Path, "answer({'Version': sys.version.split()[0], 'Unicode': unicodedata.unidata_version})", nil, &p)
	return p
}

// samePython is findPython, and skips the test when that interpreter has
// another Unicode version.
func samePython(t testing.TB) python {
	t.Helper()
	p := findPython(t)
	if p.Unicode != UnicodeVersion {
		t.Skipf("NOT COMPARED: %s is Python %s with Unicode %s, the tables are Unicode %s; name a CPython 3.11 in NORMCERT_PYTHON",
			p.Path, p.Version, p.Unicode, UnicodeVersion)
	}
	return p
}
