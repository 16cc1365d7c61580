package pyre

import (
	"fmt"
	"strings"
)

// SyntaxError is Python's re.error: the pattern is not one.
type SyntaxError struct {
	Msg     string // without the position
	Pos     int    // in code points; -1 where Python gives none
	Pattern string
}

// Error is Python's own text, str(error): the message and its position, and in
// a pattern of several lines the line and the column as well.
func (e *SyntaxError) Error() string {
	if e.Pos < 0 {
		return e.Msg
	}
	text := fmt.Sprintf("%s at position %d", e.Msg, e.Pos)
	if !strings.Contains(e.Pattern, "\n") {
		return text
	}
	line, column := e.lineColumn()
	return fmt.Sprintf("%s (line %d, column %d)", text, line, column)
}

func (e *SyntaxError) lineColumn() (line, column int) {
	line, column = 1, 1
	for i, r := range []rune(e.Pattern) {
		if i == e.Pos {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

// PythonError is any other exception that compiling the pattern raises in Python.
type PythonError struct {
	Type string // OverflowError, RecursionError or ValueError
	Msg  string
}

// Error is the type and Python's text, as a traceback ends.
func (e *PythonError) Error() string { return e.Type + ": " + e.Msg }

// UnsupportedError says that Python may accept the pattern (or the text) and that
// this package does not reproduce what it does.
type UnsupportedError struct {
	Pattern string
	Reason  string
}

// Error names the pattern and the reason.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("pattern %q is not reproduced exactly: %s", abridged(e.Pattern), e.Reason)
}

// LimitError says that removing a pattern's matches was given up.
type LimitError struct {
	Pattern string
	Limit   string // which limit, with its unit
}

// Error names the pattern and the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("removing the matches of pattern %q: gave up after %s; simplify the pattern",
		abridged(e.Pattern), e.Limit)
}

// abridged keeps a pattern of any length from swamping the message it is in.
func abridged(pattern string) string {
	const most = 200
	runes := []rune(pattern)
	if len(runes) <= most {
		return pattern
	}
	return string(runes[:most]) + "…"
}
