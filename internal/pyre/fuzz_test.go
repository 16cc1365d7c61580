package pyre

import (
	"context"
	"errors"
	"testing"
)

func addSeeds(f *testing.F, add func(pattern, text string)) {
	f.Helper()
	for _, trap := range traps {
		add(trap.pattern, trap.text)
	}
	for _, refusal := range refusals {
		add(refusal.pattern, "")
	}
}

// FuzzCompile: any pattern is compiled or refused with one of the documented errors.
func FuzzCompile(f *testing.F) {
	addSeeds(f, func(pattern, _ string) { f.Add(pattern) })
	f.Fuzz(func(t *testing.T, pattern string) {
		_, err := Compile(pattern)
		var syntax *SyntaxError
		var raised *PythonError
		var unsupported *UnsupportedError
		if err != nil && !errors.As(err, &syntax) && !errors.As(err, &raised) && !errors.As(err, &unsupported) {
			t.Errorf("Compile(%+q): error of type %T: %v", pattern, err, err)
		}
		if syntax != nil && (syntax.Pos < -1 || syntax.Pos > len([]rune(pattern))) {
			t.Errorf("Compile(%+q): position %d", pattern, syntax.Pos)
		}
	})
}

// FuzzRemove: what is left is text less some of its characters, or the limit was met.
func FuzzRemove(f *testing.F) {
	addSeeds(f, func(pattern, text string) { f.Add(pattern, text) })
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, err := Compile(pattern)
		if err != nil {
			return
		}
		left, err := p.WithLimit(200_000).Remove(context.Background(), text)
		var limit *LimitError
		var unsupported *UnsupportedError
		switch {
		case errors.As(err, &limit), errors.As(err, &unsupported):
		case err != nil:
			t.Errorf("%+q removed from %+q: error %v", pattern, text, err)
		case !isSubsequence([]rune(left), []rune(text)):
			t.Errorf("%+q removed from %+q leaves %+q", pattern, text, left)
		}
	})
}

func isSubsequence(part, whole []rune) bool {
	for _, r := range whole {
		if len(part) > 0 && part[0] == r {
			part = part[1:]
		}
	}
	return len(part) == 0
}
