package cases

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Place is a line of a case file. Line counts from 1; 0 is the file as a whole.
type Place struct {
	File string
	Line int
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Error is something wrong in a case file.
type Error struct {
	Place Place
	// Case is the full id of the case, as far as it is known; empty outside cases.
	Case string
	Err  error
}

func (e *Error) Error() string {
	if e.Case == "" {
		return fmt.Sprintf("%s: %v", e.Place, e.Err)
	}
	return fmt.Sprintf("%s: case %s: %v", e.Place, e.Case, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Errors returns the single errors that Load joined.
func Errors(err error) []*Error {
	var list []*Error
	var one *Error
	switch joined, many := err.(interface{ Unwrap() []error }); {
	case many:
		for _, part := range joined.Unwrap() {
			list = append(list, Errors(part)...)
		}
	case errors.As(err, &one):
		list = append(list, one)
	}
	return list
}

func quote(s string) string { return strconv.QuoteToASCII(s) }

// closest returns " (did you mean x?)" where an allowed name differs from the
// given one by case or by a slip, else the list of allowed names.
func closest(given string, allowed []string) string {
	for _, name := range allowed {
		if strings.EqualFold(name, given) || distance(name, given) <= 2 {
			return fmt.Sprintf(" (did you mean %s?)", name)
		}
	}
	return "; known: " + strings.Join(allowed, ", ")
}

// distance is the number of single-byte edits between two short names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			above, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, above+cost)
		}
	}
	return row[len(b)]
}
