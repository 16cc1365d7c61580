package pyre

import "fmt"

// token is what the parser reads at a time: nothing at the end of the pattern, one
// character, or a backslash and the character after it.
type token []rune

func (t token) end() bool      { return len(t) == 0 }
func (t token) is(r rune) bool { return len(t) == 1 && t[0] == r }
func (t token) escaped() bool  { return len(t) == 2 }
func (t token) in(s string) bool {
	for _, r := range s {
		if t.is(r) {
			return true
		}
	}
	return false
}

// source hands out a pattern token by token and reads one token ahead. That
// look-ahead decides which of two errors Python reports: a lone backslash at the
// end of the pattern is noticed while the token before it is taken.
type source struct {
	pattern string
	runes   []rune
	index   int // just after next
	next    token
}

func newSource(pattern string) *source {
	return &source{pattern: pattern, runes: []rune(pattern)}
}

func (s *source) advance() {
	if s.index >= len(s.runes) {
		s.next = nil
		return
	}
	width := 1
	if s.runes[s.index] == '\\' {
		width = 2
		if s.index+1 >= len(s.runes) {
			s.failAt(len(s.runes)-1, "bad escape (end of pattern)")
		}
	}
	s.next = s.runes[s.index : s.index+width]
	s.index += width
}

func (s *source) get() token {
	this := s.next
	s.advance()
	return this
}

func (s *source) match(r rune) bool {
	if !s.next.is(r) {
		return false
	}
	s.advance()
	return true
}

// getWhile takes at most n tokens that are characters of set.
func (s *source) getWhile(n int, set string) string {
	var taken []rune
	for len(taken) < n && s.next.in(set) {
		taken = append(taken, s.get()...)
	}
	return string(taken)
}

// getUntil takes what stands before terminator, and the terminator; what names
// it in the error that there is none.
func (s *source) getUntil(terminator rune, what string) []rune {
	var taken []rune
	for {
		this := s.get()
		switch {
		case this.end() && len(taken) == 0:
			s.fail(0, "missing %s", what)
		case this.end():
			s.fail(len(taken), "missing %c, unterminated name", terminator)
		case this.is(terminator) && len(taken) == 0:
			s.fail(1, "missing %s", what)
		case this.is(terminator):
			return taken
		}
		taken = append(taken, this...)
	}
}

// tell is the position of the next token.
func (s *source) tell() int { return s.index - len(s.next) }

func (s *source) seek(index int) {
	s.index = index
	s.advance()
}

// fail ends the parse with a syntax error that is back characters before the next token.
func (s *source) fail(back int, format string, args ...any) {
	s.failAt(s.tell()-back, format, args...)
}

func (s *source) failAt(pos int, format string, args ...any) {
	panic(failure{&SyntaxError{Msg: fmt.Sprintf(format, args...), Pos: pos, Pattern: s.pattern}})
}

// failure carries an error from anywhere in the parser to Compile.
type failure struct{ err error }
