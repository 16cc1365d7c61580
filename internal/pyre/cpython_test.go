package pyre

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// hardTexts are what CPython's own patterns are tried on: words, empty lines, a final
// newline, case pairs that are not one to one, digits and spaces beyond ASCII.
var hardTexts = []string{
	"", "a", "ab", "abc", "aab", "abab", "aaa", "abcabc", "foo bar", "The cat sat on the mat.",
	"a\nb\n", "\n", "x\n\ny", "ab\n", "AbC ABC", "\u0130\u0131iI \u017fsS kK\u212a", "\u00df\u1e9e \ufb05\ufb06 \u03c3\u03c2\u03a3",
	"\u00e9e\u0301", "\u0663\u0664 12 \u00bd\u00b2", "\u00a0\u2003\x1c\t ", "a b\tc\r\n", "--==[]{}()^$.*+?|\\",
	"\U00010400\U00010428", "abcdefghijklmnopqrstuvwxyz", "0123456789_", "<a>b</a>", "\x00\x01", "aaaaaaaaaaaaaaaaaaab",
}

func collect(t *testing.T, interpreter *oracle, program string) []string {
	t.Helper()
	out, err := exec.Command(interpreter.command.Path, "-c", program).Output()
	if err != nil {
		t.Fatalf("collecting CPython's own patterns: %v", err)
	}
	var patterns []string
	if err := json.Unmarshal(out, &patterns); err != nil {
		t.Fatalf("collecting CPython's own patterns: %v", err)
	}
	return patterns
}

// TestRETests takes each pattern and text of CPython's test/re_tests.py.
func TestRETests(t *testing.T) {
	o := newOracle(t, "test.re_tests")
	rows := collect(t, o, `
import json
from test import re_tests
print(json.dumps([s for row in re_tests.tests for s in row[:2]]))`)
	var questions []question
	for i := 0; i < len(rows); i += 2 {
		questions = append(questions, question{rows[i], append([]string{rows[i+1]}, hardTexts...)})
	}
	compare(t, o, questions)
}

// TestPatternsOfTestRE takes each pattern that CPython's test/test_re.py compiles,
// whatever flags it compiles it with.
func TestPatternsOfTestRE(t *testing.T) {
	o := newOracle(t, "test.test_re")
	patterns := collect(t, o, `
import io, json, re, sys, unittest, warnings
warnings.simplefilter("ignore")
compiler = sys.modules.get("re._compiler")
seen = {}
compile_ = compiler.compile
def wrapped(p, flags=0):
    if isinstance(p, str) and not any(0xD800 <= ord(c) < 0xE000 for c in p):
        seen[p] = None
    return compile_(p, flags)
compiler.compile = wrapped
from test import test_re
real, sys.stdout = sys.stdout, io.StringIO()
unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromModule(test_re))
sys.stdout = real
print(json.dumps(list(seen)))`)
	if len(patterns) < 500 {
		t.Fatalf("only %d patterns were collected from test_re", len(patterns))
	}
	var questions []question
	for _, pattern := range patterns {
		questions = append(questions, question{pattern, hardTexts})
	}
	compare(t, o, questions)
}
