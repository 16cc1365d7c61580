package pyre

import "strings"

// groupWidth is what is known of a group when it closes.
type groupWidth struct {
	closed bool
	lo, hi int64
}

// parser reads one pattern. Its methods end the parse with a failure.
type parser struct {
	source
	flags  flags
	groups []groupWidth // [0] is the whole pattern
	named  map[string]int
	// behind is, inside a look-behind, the number of groups before the outermost
	// one, else 0. A look-behind may refer to those only.
	behind int
	// conditions are the groups that conditionals ask for, which may come later.
	conditions []condition

	frames, deepest int
	names           []byte // of characters, once they have been asked for
}

type condition struct {
	group string // decimal
	index int
	pos   int
}

// restart is the failure by which (?x) asks for the whole pattern to be read again.
type restart struct{}

const (
	// A Python parser takes two stack frames for a group and one for a branch of a
	// conditional; the default recursion limit is 1000 frames. How many the caller
	// has already used is not known here, so what comes near is left undecided.
	framesFailing   = 1000
	framesUncertain = 800
)

// parse returns the pattern's tree and flags, or a *SyntaxError, *PythonError or *UnsupportedError.
func parse(pattern string) (p *parser, tree *sequence, err error) {
	for pass := flags(0); ; pass = verbose {
		p = &parser{source: *newSource(pattern), flags: pass, groups: make([]groupWidth, 1), named: map[string]int{}}
		var again bool
		tree, again, err = p.run(pass)
		if !again {
			break
		}
	}
	if _, raised := err.(*PythonError); !raised && p.deepest > framesUncertain {
		err = &UnsupportedError{pattern, "groups nested so deeply that Python's verdict depends on how deep its caller's stack is"}
	}
	return p, tree, err
}

func (p *parser) run(pass flags) (tree *sequence, again bool, err error) {
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case failure:
			err = stopped.err
		case restart:
			again = true
		default:
			panic(stopped)
		}
	}()
	p.advance()
	tree = p.parseBranches(pass != 0, 0)
	p.finish()
	return tree, false, nil
}

// finish checks what can only be checked at the end.
func (p *parser) finish() {
	if p.flags&ascii != 0 && p.flags&unicodeFlag != 0 {
		p.raise("ValueError", "ASCII and UNICODE flags are incompatible")
	}
	if p.flags&ascii == 0 {
		p.flags |= unicodeFlag
	}
	if !p.next.end() {
		p.fail(0, "unbalanced parenthesis")
	}
	for _, c := range p.conditions {
		if c.index >= len(p.groups) {
			p.failAt(c.pos, "invalid group reference %s", c.group)
		}
	}
}

func (p *parser) raise(kind, msg string) { panic(failure{&PythonError{Type: kind, Msg: msg}}) }

func (p *parser) enter() {
	p.frames++
	p.deepest = max(p.deepest, p.frames)
	if p.frames >= framesFailing {
		p.raise("RecursionError", "maximum recursion depth exceeded")
	}
}

func (p *parser) leave() { p.frames-- }

// parseBranches reads alternatives up to a closing parenthesis or the end.
func (p *parser) parseBranches(spaced bool, depth int) *sequence {
	p.enter()
	defer p.leave()
	var alternatives []*sequence
	for {
		alternatives = append(alternatives, p.parseSequence(spaced, depth+1, depth == 0 && len(alternatives) == 0))
		if !p.match('|') {
			break
		}
		if depth == 0 {
			spaced = p.flags&verbose != 0
		}
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return joined(alternatives)
}

// parseSequence reads items up to "|", a closing parenthesis or the end. first is
// true where flags of the whole pattern may stand.
func (p *parser) parseSequence(spaced bool, depth int, first bool) *sequence {
	p.enter()
	defer p.leave()
	seq := &sequence{}
	for !p.next.end() && !p.next.in("|)") {
		this := p.get()
		if spaced && this.in(" \t\n\r\v\f") {
			continue
		}
		if spaced && this.is('#') {
			p.skipLine()
			continue
		}
		switch {
		case this.escaped():
			seq.add(p.parseEscape(this))
		case this.is('['):
			seq.add(p.parseSet())
		case this.in("*+?{"):
			p.parseRepeat(seq, this[0])
		case this.is('.'):
			seq.add(item{kind: anyChar})
		case this.is('('):
			p.parseGroup(seq, spaced, depth, first)
		case this.is('^'):
			seq.add(item{kind: at, place: beginning})
		case this.is('$'):
			seq.add(item{kind: at, place: ending})
		default:
			seq.add(item{kind: literal, char: this[0]})
		}
	}
	seq.unwrap()
	return seq
}

func (s *sequence) add(it item) { s.items = append(s.items, it) }

// unwrap puts what is in plain brackets in their place.
func (s *sequence) unwrap() {
	var items []item
	for _, it := range s.items {
		if it.plainGroup() {
			items = append(items, it.subs[0].items...)
			continue
		}
		items = append(items, it)
	}
	s.items = items
}

func (p *parser) skipLine() {
	for {
		if this := p.get(); this.end() || this.is('\n') {
			return
		}
	}
}

// parseRepeat makes seq's last item repeat, op already taken. A brace that is
// not a repeat is itself.
func (p *parser) parseRepeat(seq *sequence, op rune) {
	here := p.tell()
	lo, hi := int64(0), int64(maxRepeatCount)
	switch op {
	case '?':
		hi = 1
	case '+':
		lo = 1
	case '{':
		var ok bool
		if lo, hi, ok = p.parseCounts(here); !ok {
			seq.add(item{kind: literal, char: '{'})
			return
		}
	}
	back := p.tell() - here + 1
	if len(seq.items) == 0 {
		p.fail(back, "nothing to repeat")
	}
	last := &seq.items[len(seq.items)-1]
	if last.kind == at {
		p.fail(back, "nothing to repeat")
	}
	if last.repeats() {
		p.fail(back, "multiple repeat")
	}
	body := &sequence{items: []item{*last}}
	if last.plainGroup() {
		body = last.subs[0]
	}
	repeat := item{kind: maxRepeat, min: lo, max: hi, subs: []*sequence{body}}
	if p.match('?') {
		repeat.kind = minRepeat
	} else if p.match('+') {
		repeat.kind = possessive
	}
	*last = repeat
}

const digits = "0123456789"

// parseCounts reads {lo}, {lo,}, {,hi} or {lo,hi} after the brace at here, or
// goes back to it.
func (p *parser) parseCounts(here int) (lo, hi int64, ok bool) {
	if p.next.is('}') {
		return 0, 0, false
	}
	first := p.getWhile(len(p.runes), digits)
	second := first
	if p.match(',') {
		second = p.getWhile(len(p.runes), digits)
	}
	if !p.match('}') {
		p.seek(here)
		return 0, 0, false
	}
	lo, hi = 0, maxRepeatCount
	if first != "" {
		lo = p.parseCount(first)
	}
	if second != "" {
		hi = p.parseCount(second)
		if hi < lo {
			p.fail(p.tell()-here, "min repeat greater than max repeat")
		}
	}
	return lo, hi, true
}

func (p *parser) parseCount(text string) int64 {
	if len(text) > mostDigits {
		p.raise("ValueError", tooManyDigits(len(text)))
	}
	n := int64(0)
	for _, d := range strings.TrimLeft(text, "0") {
		n = n*10 + int64(d-'0')
		if n >= maxRepeatCount {
			p.raise("OverflowError", "the repetition number is too large")
		}
	}
	return n
}
