package pyre

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCatastrophicPatternEnds has the patterns that take exponential time.
func TestCatastrophicPatternEnds(t *testing.T) {
	for _, pattern := range []string{`(a+)+b`, `(a|aa)+b`, `(?:a*)*b`, `(a*)*?b`, `(?:(a)|(a))*b`, `(.*)(.*)(.*)(.*)(.*)(.*)(.*)b`, `((a*)*)\1b`} {
		p, err := Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = p.WithLimit(5_000_000).Remove(context.Background(), strings.Repeat("a", 60)+"c")
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Pattern != pattern {
			t.Errorf("%q: error %v; want a LimitError that names the pattern", pattern, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%q took %v", pattern, took)
		}
	}
}

func TestRemoveEndsWithItsContext(t *testing.T) {
	p, err := Compile(`(a+)+b`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.WithLimit(1<<60).Remove(ctx, strings.Repeat("a", 60)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Remove under a context that ended: error %v, want its", err)
	}
}

// TestDeepRecursionEnds needs a choice for each of a million characters: an error, not a
// stack that is exhausted.
func TestDeepRecursionEnds(t *testing.T) {
	for _, pattern := range []string{`(?:ab)*c`, `(?:(?:a|b)b?)*?c`, `(?:){4294967294}`} {
		p, err := Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Remove(context.Background(), strings.Repeat("ab", 1_000_000))
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%q: error %v, want a LimitError", pattern, err)
		}
	}
}

// TestNesting holds the two sure ends of what deep nesting does to CPython, and that
// what lies between is refused.
func TestNesting(t *testing.T) {
	o := newOracle(t)
	counts := &tally{}
	for _, open := range []string{"(", "(?:", "(?=", "(?>", "(?i:", "(?:b|"} {
		for _, depth := range []int{100, 398, 500, 1200} {
			pattern := strings.Repeat(open, depth) + "a" + strings.Repeat(")", depth)
			q := question{pattern, []string{"ab"}}
			if difference := counts.judge(q, o.ask([]question{q})[0]); difference != "" {
				t.Errorf("%d times %s: %s", depth, open, difference)
			}
		}
	}
	for _, depth := range []int{100, 790, 1100} {
		pattern := "(a)" + strings.Repeat("(?(1)", depth) + "a" + strings.Repeat(")", depth)
		q := question{pattern, []string{"ab"}}
		if difference := counts.judge(q, o.ask([]question{q})[0]); difference != "" {
			t.Errorf("%d conditionals: %s", depth, difference)
		}
	}
	if counts.unsupported > 0 {
		t.Errorf("%s", counts)
	}
}

func TestErrorsAreShort(t *testing.T) {
	pattern := "(?<=a{2147483648})" + strings.Repeat("b", 100_000)
	if _, err := Compile(pattern); err == nil || len(err.Error()) > 1000 {
		t.Errorf("Compile of a long pattern that is not supported: error of %d bytes", len(fmt.Sprint(err)))
	}
}

func TestPatternIsSharedByGoroutines(t *testing.T) {
	p, err := Compile(`(?i)(a)\1|\b(?:the|an)\b`)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 200 {
				if left, err := p.Remove(context.Background(), "aA the cat"); left != "  cat" || err != nil {
					t.Errorf("left %q, error %v", left, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	var unsupported *UnsupportedError
	if _, err := Compile("a\xff"); !errors.As(err, &unsupported) {
		t.Errorf("Compile: error %v, want an UnsupportedError", err)
	}
	p, err := Compile("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Remove(context.Background(), "a\xff"); !errors.As(err, &unsupported) {
		t.Errorf("Remove: error %v, want an UnsupportedError", err)
	}
}
