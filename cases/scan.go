package cases

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// The scanner reads a case file with its comments and its spelling of strings,
// which a decoder throws away. It is given only what Parse has taken, so that it
// need not find mistakes; what it does not know it refuses.

// kind is the shape of a node.
type kind int

const (
	scalar kind = iota
	text
	list
	table
)

// node is a value as it is written.
type node struct {
	kind kind
	// raw is a number or a boolean, or the inside of a basic string.
	raw      string
	elements []node
	fields   []field
}

// field is a key with its value, the comments on the lines before it and the
// one that follows it on its last line.
type field struct {
	comments []string
	key      string
	value    node
	trailing string
}

// block is the head of a file or a case; comments stand before the line that
// reads [[case]].
type block struct {
	comments []string
	trailing string // of the line that reads [[case]]
	fields   []field
}

// document is a case file.
type document struct {
	head  block
	cases []block
	// tail are the comments after the last case.
	tail []string
}

type scanner struct {
	rest string
	line int
}

// scanError is text that the scanner does not read.
type scanError struct {
	line int
	what string
}

func (e *scanError) Error() string { return e.what }

func (s *scanner) fail(format string, args ...any) {
	panic(&scanError{s.line, fmt.Sprintf(format, args...)})
}

func (s *scanner) take(n int) string {
	taken := s.rest[:n]
	s.line += strings.Count(taken, "\n")
	s.rest = s.rest[n:]
	return taken
}

func (s *scanner) spaces() { s.take(len(s.rest) - len(strings.TrimLeft(s.rest, " \t"))) }

// blanks skips white space with line ends.
func (s *scanner) blanks() { s.take(len(s.rest) - len(strings.TrimLeft(s.rest, " \t\r\n"))) }

func (s *scanner) toLineEnd() string {
	at := strings.IndexByte(s.rest, '\n')
	if at < 0 {
		at = len(s.rest)
	}
	return strings.TrimRight(s.take(at), " \t\r")
}

// comment reads the comment at the end of a line, if there is one.
func (s *scanner) comment() string {
	s.spaces()
	if strings.HasPrefix(s.rest, "#") {
		return s.toLineEnd()
	}
	return ""
}

// scan reads a file.
func scan(content string) (d document, err error) {
	s := &scanner{rest: content, line: 1}
	defer func() {
		if failure, ours := recover().(*scanError); ours {
			err = failure
		}
	}()
	current := &d.head
	var comments []string
	for s.blanks(); s.rest != ""; s.blanks() {
		switch {
		case s.rest[0] == '#':
			comments = append(comments, s.toLineEnd())
		case strings.HasPrefix(s.rest, "[[case]]"):
			s.take(len("[[case]]"))
			d.cases = append(d.cases, block{comments: comments, trailing: s.comment()})
			current, comments = &d.cases[len(d.cases)-1], nil
		case s.rest[0] == '[':
			s.fail("%s: only [[case]] begins a table; write its lists of tables as items = [{ … }]", s.toLineEnd())
		default:
			one := s.field()
			one.comments, comments = comments, nil
			one.trailing = s.comment()
			current.fields = append(current.fields, one)
		}
	}
	d.tail = comments
	return d, nil
}

func (s *scanner) field() field {
	end := strings.IndexByte(s.rest, '=')
	if end < 0 {
		s.fail("%q is no key", s.toLineEnd())
	}
	key := strings.Trim(strings.TrimSpace(s.take(end)), `"'`)
	if !bare(key) {
		s.fail("the key %q is written in parts; write it as a table", key)
	}
	s.take(1)
	s.spaces()
	return field{key: key, value: s.value()}
}

func bare(key string) bool {
	return key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

func (s *scanner) value() node {
	switch {
	case s.rest == "":
		s.fail("a value is missing")
	case s.rest[0] == '"' || s.rest[0] == '\'':
		return node{kind: text, raw: s.string()}
	case s.rest[0] == '[':
		return node{kind: list, elements: s.elements()}
	case s.rest[0] == '{':
		return node{kind: table, fields: s.inline()}
	}
	end := strings.IndexAny(s.rest, " \t\r\n,]}#")
	if end < 0 {
		end = len(s.rest)
	}
	return node{kind: scalar, raw: s.take(end)}
}

// string returns the inside of a basic string that reads the same.
func (s *scanner) string() string {
	quote := s.rest[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.rest, triple) {
		return toRaw(s.decoded(s.take(s.stringEnd(triple))))
	}
	written := s.take(s.stringEnd(quote))
	if quote == "'" {
		return toRaw(written[1 : len(written)-1])
	}
	return written[1 : len(written)-1]
}

// stringEnd is the length of the string that begins here.
func (s *scanner) stringEnd(quote string) int {
	for at := len(quote); at < len(s.rest); at++ {
		switch {
		case s.rest[at] == '\\' && quote[0] == '"':
			at++
		case strings.HasPrefix(s.rest[at:], quote):
			end := at + len(quote)
			// Of four or five quotes, the last three end a multi-line string.
			for len(quote) == 3 && end < len(s.rest) && s.rest[end] == quote[0] {
				end++
			}
			return end
		}
	}
	s.fail("a string does not end")
	return 0
}

// decoded leaves the rules of multi-line strings to the toml package.
func (s *scanner) decoded(written string) string {
	var value struct{ V string }
	if _, err := toml.Decode("V = "+written, &value); err != nil {
		s.fail("%v", err)
	}
	return value.V
}

func (s *scanner) separators() {
	s.blanks()
	if strings.HasPrefix(s.rest, "#") {
		s.fail("a comment inside a list; put it on a line of its own before the key")
	}
}

func (s *scanner) elements() []node {
	s.take(1)
	var elements []node
	for s.separators(); !strings.HasPrefix(s.rest, "]"); s.separators() {
		elements = append(elements, s.value())
		s.separators()
		if strings.HasPrefix(s.rest, ",") {
			s.take(1)
		}
	}
	s.take(1)
	return elements
}

func (s *scanner) inline() []field {
	s.take(1)
	var fields []field
	for s.separators(); !strings.HasPrefix(s.rest, "}"); s.separators() {
		fields = append(fields, s.field())
		s.separators()
		if strings.HasPrefix(s.rest, ",") {
			s.take(1)
		}
	}
	s.take(1)
	return fields
}
