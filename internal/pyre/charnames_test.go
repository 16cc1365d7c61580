package pyre

import (
	"encoding/json"
	"hash/crc32"
	"os/exec"
	"strings"
	"testing"
)

// TestCharacterNames takes each character's name, and each alias, to CPython.
func TestCharacterNames(t *testing.T) {
	o := newOracle(t)
	command := exec.Command(o.command.Path, "-c", `
import json, sys, unicodedata
names = {unicodedata.name(chr(cp), ""): cp for cp in range(0x110000)}
names.pop("", None)
def lookup(name):
    try:
        return ord(unicodedata.lookup(name))
    except (KeyError, TypeError):
        return -1
for line in sys.stdin.read().split("\n"):
    if line and line[0] != "@":
        for name in (line, line.lower(), line + "S", line[:-1], line.replace(" ", "-"), line + " "):
            names[name] = lookup(name)
for name in ("CJK UNIFIED IDEOGRAPH-04E00", "CJK UNIFIED IDEOGRAPH-4e00", "cjk unified ideograph-4e00", "CJK UNIFIED IDEOGRAPH-A000",
             "CJK UNIFIED IDEOGRAPH-004E00", "CJK UNIFIED IDEOGRAPH-", "Hangul Syllable Ga", "HANGUL SYLLABLE ", "HANGUL SYLLABLE GGAEGGS",
             "KEYCAP NUMBER SIGN", "LATIN SMALL LETTER R WITH TILDE", "SPAM", "@3A0"):
    names[name] = lookup(name)
json.dump(names, sys.stdout)`)
	p := &parser{}
	p.names = readNames()
	command.Stdin = strings.NewReader(string(p.names))
	out, err := command.Output()
	if err != nil {
		t.Fatalf("asking CPython for the names: %v", err)
	}
	var names map[string]rune
	if err := json.Unmarshal(out, &names); err != nil {
		t.Fatal(err)
	}
	failures, index := 0, indexNames(p.names)
	for name, want := range names {
		got, ok := index[strings.ToUpper(name)]
		if crc32.ChecksumIEEE([]byte(name))%500 == 0 || isComputed(name) { // a sample goes the way that a pattern goes
			got, ok = p.characterNamed(name)
		}
		if ok != (want >= 0) || ok && got != want {
			if failures++; failures < 10 {
				t.Errorf("\\N{%s}: CPython U+%04X, here U+%04X, %v", name, want, got, ok)
			}
		}
	}
	t.Logf("%d names, %d differ", len(names), failures)
}

func isComputed(name string) bool {
	return strings.HasPrefix(name, "HANGUL SYLLABLE ") || strings.HasPrefix(name, "CJK UNIFIED IDEOGRAPH-")
}

// indexNames reads the names front to back, as a second way to findName.
func indexNames(names []byte) map[string]rune {
	index := map[string]rune{}
	next := rune(0)
	for line := range strings.Lines(strings.TrimPrefix(string(names), "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if hex, ok := strings.CutPrefix(line, "@"); ok {
			next = 0
			for _, digit := range hex {
				next = next<<4 | rune(strings.IndexRune("0123456789ABCDEF", digit))
			}
			continue
		}
		index[line] = next
		next++
	}
	return index
}
