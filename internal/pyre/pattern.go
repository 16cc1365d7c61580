package pyre

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// DefaultLimit is the number of matcher steps that [Pattern.Remove] takes before it
// gives up: a second or two. Counting steps and not seconds gives the same verdict on every machine.
const DefaultLimit = 100_000_000

// Pattern is a compiled pattern. It may be used by several goroutines at once.
type Pattern struct {
	text    string
	plain   string // what the pattern matches, if it is only literals
	program *inst
	first   *charset // where a match may begin, nil for anywhere
	marks   int
	limit   int64
}

// Compile parses pattern as CPython 3.11's re.compile(pattern) does a str. Where
// Python raises re.error the error is a [SyntaxError], where it raises
// something else a [PythonError]; an [UnsupportedError] says that the pattern
// is one of those that are not reproduced.
func Compile(pattern string) (*Pattern, error) {
	if !utf8.ValidString(pattern) {
		return nil, &UnsupportedError{pattern, "it is not valid UTF-8"}
	}
	parsed, tree, err := parse(pattern)
	if err != nil {
		return nil, err
	}
	check := checker{pattern: pattern, groups: parsed.groups}
	if err := check.sequence(tree, parsed.flags); err != nil {
		return nil, err
	}
	p := &Pattern{text: pattern, marks: 2 * (len(parsed.groups) - 1), limit: DefaultLimit}
	p.program = emit(tree, parsed.flags, &inst{op: opAccept})
	p.plain = plain(p.program)
	p.first = first(p.program)
	if gate := gate(tree, parsed.flags, parsed.groups); gate != nil {
		p.first = gate
	}
	return p, nil
}

// String is the pattern as it was given to [Compile].
func (p *Pattern) String() string { return p.text }

// WithLimit returns a pattern that gives up after steps steps; see [DefaultLimit].
func (p *Pattern) WithLimit(steps int64) *Pattern {
	limited := *p
	limited.limit = steps
	return &limited
}

// plain is what a program of literals matches.
func plain(in *inst) string {
	var b strings.Builder
	for ; in.op == opLiteral; in = in.next {
		b.WriteRune(in.char)
	}
	if in.op != opAccept {
		return ""
	}
	return b.String()
}

// first is the set of characters that a match can begin with, if the program shows it at once.
func first(in *inst) *charset {
	for in.op == opMark {
		in = in.next
	}
	switch {
	case in.op == opLiteral:
		return oneCharset(in.char, false, 0)
	case in.op == opSet:
		return in.set
	case (in.op == opCountMax || in.op == opCountMin || in.op == opCountAll) && in.min > 0:
		return in.set
	}
	return nil
}

// Remove returns what re.sub(pattern, "", text) returns. A [LimitError] says that
// it took too long; when ctx ends, its error is returned. text has to be valid UTF-8.
func (p *Pattern) Remove(ctx context.Context, text string) (left string, err error) {
	if !utf8.ValidString(text) {
		return "", &UnsupportedError{p.text, "the text is not valid UTF-8"}
	}
	if p.plain != "" {
		return strings.ReplaceAll(text, p.plain, ""), ctx.Err()
	}
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case halt:
			err = p.limited(stopped.err)
		default:
			panic(stopped)
		}
	}()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	m := &matcher{ctx: ctx, text: []rune(text), limit: p.limit, marks: make([]int, p.marks)}
	return p.remove(m, text), nil
}

func (p *Pattern) limited(err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		limit.Pattern = p.text
	}
	return err
}

// remove walks over the matches. After a match, and where it ended, an empty one
// is not wanted, if the match before was empty.
func (p *Pattern) remove(m *matcher, text string) string {
	var left []rune
	from, notHere, found := 0, -1, false
	for {
		start, ok := p.search(m, from, notHere)
		if !ok {
			break
		}
		left = append(left, m.text[from:start]...)
		notHere = -1
		if m.end == start {
			notHere = start
		}
		found = found || m.end > start
		from = m.end
	}
	if !found {
		return text
	}
	return string(append(left, m.text[from:]...))
}

// search finds the next match from a position on.
func (p *Pattern) search(m *matcher, from, notHere int) (start int, ok bool) {
	for start = from; start <= len(m.text); start++ {
		if p.first != nil && (start == len(m.text) || !p.first.has(m.text[start])) {
			m.spend(1)
			continue
		}
		m.lastMark, m.repeat, m.notHereAt = -1, nil, -1
		if start == notHere {
			m.notHereAt = notHere
		}
		if m.run(p.program, start) {
			return start, true
		}
	}
	return 0, false
}
