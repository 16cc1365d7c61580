package pyre

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

// differences has the first cell of each row of DIFFERENCES.md and what it stands for.
var differences = []struct{ row, pattern, text string }{
	{"`(?<=a{2147483648})`", `(?<=a{2147483648})`, ""},
	{"`(?<!(?:ab){1073741824})`", `(?<!(?:ab){1073741824})`, ""},
	{"`(` × 450, `a`, `)` × 450", strings.Repeat("(", 450) + "a" + strings.Repeat(")", 450), ""},
	{"`(a)`, `(?(1)` × 850, `a`, `)` × 850", "(a)" + strings.Repeat("(?(1)", 850) + "a" + strings.Repeat(")", 850), ""},
	{"`a\\xff`, where `\\xff` is that byte", "a\xff", ""},
	{"`a\\xff`, where `\\xff` is that byte", "a", "a\xff"},
}

// TestDifferences holds DIFFERENCES.md and what is refused to each other.
func TestDifferences(t *testing.T) {
	page, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (`[^|]*?) \\|").FindAllStringSubmatch(string(page), -1)
	if len(rows) != len(differences) {
		t.Fatalf("DIFFERENCES.md has %d rows, the table here %d", len(rows), len(differences))
	}
	for i, difference := range differences {
		if rows[i][1] != difference.row {
			t.Errorf("row %d of DIFFERENCES.md is %s; want %s", i+1, rows[i][1], difference.row)
		}
		p, err := Compile(difference.pattern)
		if err == nil {
			_, err = p.Remove(context.Background(), difference.text)
		}
		var unsupported *UnsupportedError
		if !errors.As(err, &unsupported) {
			t.Errorf("%s: error %v, want an UnsupportedError", difference.row, err)
		}
	}
}
