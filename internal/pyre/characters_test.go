package pyre

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// characterPatterns are tried on every character there is, and on pairs of cased ones.
var characterPatterns = []string{
	`\w`, `\W`, `\d`, `\D`, `\s`, `\S`, `(?a)\w`, `(?a)\W`, `(?a)\s`, `(?a)\D`, `.`, `(?s).`, `\b`, `\b.`, `.\B`, `(?a)\b.`,
	`(?i)[a-z]`, `(?i)[^a-z]`, `(?ai)[a-z]`, `(?i)[A-Z\d]`, `(?i)[\u00c0-\u024f]`, `(?i)[\u0370-\u03ff]`, `(?i)[^\u0370-\u03ff]`,
	`(?i)[\u0400-\u052f]`, `(?i)[\u10a0-\u10ff\u1c80-\u1cbf]`, `(?i)[\u13a0-\u13ff]`, `(?i)[\uab30-\uabbf]`, `(?i)[\u1e00-\u1fff]`,
	`(?i)[\u2100-\u2c7f]`, `(?i)[\ua640-\ua7ff]`, `(?i)[\ufb00-\uff60]`, `(?i)[\U00010400-\U0001e943]`, `(?ai)[\u0178-\U00010427]`, `(?i)[\u0178-\U00010427]`,
	`(?i)[\x00-\uffff]`, `(?i)[\x00-\U0010ffff]`, `(?i)[^\x00-\uffff]`, `(?i)(.)\1`, `(?ai)(.)\1`, `(.)\1`, `(?i)[ksi\u00b5\u00df\u0345\u03b8\ufb06]`,
	`(?i)[^ksi\u00b5\u00df\u0345\u03b8\ufb06]`, `(?i)[\w\-z]`, `(?i)\W|k`, `(?i:[\W\u1e9e])(?s:.)`, `(?a:[\W\U0001f600])`, `(?ai:[\W\U0001f600])`, `(?a)(?u:[^\w])`,
}

// TestEveryCharacter tries whole patterns on texts of all characters, by digest.
func TestEveryCharacter(t *testing.T) {
	o := newOracle(t)
	command := exec.Command(o.command.Path, "-c", `
import hashlib, json, re, sys
every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
case = "".join(c + f for c in every if c != c.lower() or c != c.upper()
               for f in (c.lower()[0], c.upper()[0], c.casefold()[0], c.title()[0], c, "s"))
def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
print(json.dumps({"Pairs": case, "Digests": [[digest(re.sub(p, "", text)) for text in (every, case)] for p in json.load(sys.stdin)]}))`)
	patterns, err := json.Marshal(characterPatterns)
	if err != nil {
		t.Fatal(err)
	}
	command.Stdin = strings.NewReader(string(patterns))
	out, err := command.Output()
	if err != nil {
		t.Fatalf("asking CPython: %v", err)
	}
	var want struct {
		Pairs   string
		Digests [][2]string
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	texts := [2]string{everyCharacter(), want.Pairs}
	for i, pattern := range characterPatterns {
		p, err := Compile(pattern)
		if err != nil {
			t.Fatalf("Compile(%+q): %v", pattern, err)
		}
		for j, text := range texts {
			left, err := p.Remove(context.Background(), text)
			digest := sha256.Sum256([]byte(left))
			if err != nil || hex.EncodeToString(digest[:]) != want.Digests[i][j] {
				t.Errorf("%+q: another text is left of text %d, error %v", pattern, j, err)
			}
		}
	}
}

// TestUpper holds the table of upper case to CPython, every character.
func TestUpper(t *testing.T) {
	o := newOracle(t)
	out, err := exec.Command(o.command.Path, "-c", "import json; print(json.dumps([ord(chr(c).upper()[0]) for c in range(0x110000)]))").Output()
	if err != nil {
		t.Fatalf("asking CPython: %v", err)
	}
	var want []rune
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for r, upper := range want {
		if got := simpleUpper(rune(r)); got != upper {
			t.Errorf("simpleUpper(%U) = %U, want %U", r, got, upper)
		}
	}
}

func everyCharacter() string {
	var b strings.Builder
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r < 0xD800 || r > 0xDFFF {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// TestNames takes what may be a group's name, or a conditional's number, to CPython:
// one character in eleven, first and later, in the messages as well; all when NORMCERT_PYRE_PATTERNS is set.
func TestNames(t *testing.T) {
	o := newOracle(t)
	var questions []question
	step := rune(11)
	if os.Getenv("NORMCERT_PYRE_PATTERNS") != "" {
		step = 1
	}
	for r := rune(0); r <= 0x323AF; r += step {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		for _, form := range []string{"(?P<%c>)", "(?P<a%c>)", "(?(%c)a)(b)", "(?i%c"} {
			questions = append(questions, question{fmt.Sprintf(form, r), nil})
		}
	}
	for _, number := range []string{" 1", "1 ", "\t1\n", "\x1c1", "\u20031", "\u2003\x1c1", "+1", "-1", "--1", "+-1", "-0", "1_0", "1__0", "_1", "1_", "+_1",
		"\u0661\u0660", "\U0001d7d9", "\U0001d7e2", "²", "01", "0x1", "1.0", "1e0", strings.Repeat("0", 4300), strings.Repeat("0", 4301), strings.Repeat("9", 4300),
		"1073741822", "1073741823", "1073741824", "99999999999999999999999", "+ 1", "(1", "1 1", "a'b", "'\"", "a\nb"} {
		questions = append(questions, question{"(?(" + number + ")a)(b)", nil})
	}
	for _, count := range []string{strings.Repeat("0", 4300), strings.Repeat("0", 4301), "4294967294", "4294967295", "00004294967294", "1,4294967295"} {
		questions = append(questions, question{"a{" + count + "}", []string{"a"}})
	}
	compare(t, o, questions)
}
