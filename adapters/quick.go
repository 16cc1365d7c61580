package adapters

import (
	"strconv"

	"github.com/normcert/normcert/metric"
)

// quickReply reads a reply of the plainest kind: id, text and scores, each once
// at most, strings of printable ASCII without escapes. Nearly every reply is
// one, and a run is not to cost much more than the program's answers. Where it
// says ok, decode says the same; of anything else it says nothing.
func quickReply(line []byte) (wire wireReply, ok bool) {
	s := scanner{line: line}
	s.object(func(name []byte) bool {
		switch {
		case string(name) == "id" && wire.ID == nil:
			id, err := strconv.ParseInt(string(s.number()), 10, 64)
			wire.ID = &id
			return err == nil && id > 0
		case string(name) == "text" && wire.Text == nil:
			text := string(s.text())
			wire.Text = &text
			return true
		case string(name) == "scores" && wire.Scores == nil:
			scores := metric.Scores{}
			wire.Scores = &scores
			s.object(func(name []byte) bool {
				score, err := strconv.ParseFloat(string(s.number()), 64)
				before := len(scores)
				scores[string(name)] = score
				return err == nil && len(scores) > before
			})
			return true
		}
		return false
	})
	return wire, !s.failed && s.peek() == 0 && s.at == len(line)
}

// scanner reads a part of JSON, and fails at the rest.
type scanner struct {
	line   []byte
	at     int
	failed bool
}

// peek passes over spaces and returns the next byte; 0 where there is none.
func (s *scanner) peek() byte {
	for ; s.at < len(s.line); s.at++ {
		if c := s.line[s.at]; c != ' ' {
			return c
		}
	}
	return 0
}

// take passes over spaces and then c, which must be there.
func (s *scanner) take(c byte) {
	if s.peek() != c {
		s.failed = true
		return
	}
	s.at++
}

// object reads an object, each member's value by the function given, which says
// whether it could.
func (s *scanner) object(value func(name []byte) bool) {
	s.take('{')
	if s.peek() == '}' {
		s.at++
		return
	}
	for !s.failed {
		name := s.text()
		if s.take(':'); s.failed || !value(name) {
			s.failed = true
			return
		}
		if s.peek() == '}' {
			s.at++
			return
		}
		s.take(',')
	}
}

// text reads a string of printable ASCII without escapes.
func (s *scanner) text() []byte {
	s.take('"')
	start := s.at
	for ; s.at < len(s.line); s.at++ {
		switch c := s.line[s.at]; {
		case c == '"':
			s.at++
			return s.line[start : s.at-1]
		case c == '\\' || c < ' ' || c > '~':
			s.failed = true
			return nil
		}
	}
	s.failed = true
	return nil
}

// number reads a number by JSON's grammar.
func (s *scanner) number() []byte {
	c := s.peek()
	start := s.at
	if c == '-' {
		s.at++
	}
	if first := s.at; s.digits() && s.line[first] == '0' && s.at > first+1 {
		s.failed = true
	}
	if s.next('.', '.') {
		s.digits()
	}
	if s.next('e', 'E') {
		s.next('+', '-')
		s.digits()
	}
	return s.line[start:s.at]
}

// next passes over one of two bytes, if it is there.
func (s *scanner) next(one, other byte) bool {
	if s.at < len(s.line) && (s.line[s.at] == one || s.line[s.at] == other) {
		s.at++
		return true
	}
	return false
}

// digits passes over digits, of which there must be one.
func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.line) && '0' <= s.line[s.at] && s.line[s.at] <= '9' {
		s.at++
	}
	s.failed = s.failed || s.at == start
	return s.at > start
}
