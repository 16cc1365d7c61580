package pyre

// parseGroup reads what an opening parenthesis, already taken, begins.
func (p *parser) parseGroup(seq *sequence, spaced bool, depth int, first bool) {
	start := p.tell() - 1
	if !p.match('?') {
		p.parseCapture(seq, nil, start, spaced, depth)
		return
	}
	this := p.get()
	switch {
	case this.end():
		p.fail(0, "unexpected end of pattern")
	case this.is('P'):
		p.parseNamed(seq, start, spaced, depth)
	case this.is(':'):
		seq.add(item{kind: group, subs: p.parseBody(start, spaced, depth)})
	case this.is('#'):
		p.skipComment(start)
	case this.in("=!<"):
		p.parseLook(seq, this, start, spaced, depth)
	case this.is('('):
		p.parseConditional(seq, start, spaced, depth)
	case this.is('>'):
		seq.add(item{kind: atomic, subs: p.parseBody(start, spaced, depth)})
	case this.is('-') || this.in(flagLetters):
		p.parseFlagGroup(seq, this, start, spaced, depth, first)
	default:
		p.fail(len(this)+1, "unknown extension ?%s", string(this))
	}
}

// parseBody reads a group's alternatives and its closing parenthesis.
func (p *parser) parseBody(start int, spaced bool, depth int) []*sequence {
	body := p.parseBranches(spaced, depth+1)
	p.closing(start)
	return []*sequence{body}
}

func (p *parser) closing(start int) {
	if !p.match(')') {
		p.fail(p.tell()-start, "missing ), unterminated subpattern")
	}
}

func (p *parser) parseCapture(seq *sequence, name []rune, start int, spaced bool, depth int) {
	number := len(p.groups)
	if name != nil {
		if taken, ok := p.named[string(name)]; ok {
			p.fail(len(name)+1, "redefinition of group name %s as group %d; was group %d", repr(name), number, taken)
		}
		p.named[string(name)] = number
	}
	p.groups = append(p.groups, groupWidth{})
	body := p.parseBody(start, spaced, depth)
	lo, hi := body[0].width(p.groups)
	p.groups[number] = groupWidth{closed: true, lo: lo, hi: hi}
	seq.add(item{kind: group, group: number, subs: body})
}

func (p *parser) skipComment(start int) {
	for {
		if p.next.end() {
			p.fail(p.tell()-start, "missing ), unterminated comment")
		}
		if p.get().is(')') {
			return
		}
	}
}

// parseNamed reads (?P<name>…) or (?P=name).
func (p *parser) parseNamed(seq *sequence, start int, spaced bool, depth int) {
	switch {
	case p.match('<'):
		name := p.getUntil('>', "group name")
		p.checkName(name)
		p.parseCapture(seq, name, start, spaced, depth)
	case p.match('='):
		name := p.getUntil(')', "group name")
		p.checkName(name)
		seq.add(p.reference(p.groupNamed(name), len(name)+1))
	default:
		this := p.get()
		if this.end() {
			p.fail(0, "unexpected end of pattern")
		}
		p.fail(len(this)+2, "unknown extension ?P%s", string(this))
	}
}

func (p *parser) groupNamed(name []rune) int {
	number, ok := p.named[string(name)]
	if !ok {
		p.fail(len(name)+1, "unknown group name %s", repr(name))
	}
	return number
}

// parseLook reads a look-ahead or look-behind, this being its first character.
func (p *parser) parseLook(seq *sequence, this token, start int, spaced bool, depth int) {
	it := item{kind: look}
	outer := p.behind
	if this.is('<') {
		it.behind = true
		this = p.get()
		if this.end() {
			p.fail(0, "unexpected end of pattern")
		}
		if !this.in("=!") {
			p.fail(len(this)+2, "unknown extension ?<%s", string(this))
		}
		if p.behind == 0 {
			p.behind = len(p.groups)
		}
	}
	body := p.parseBranches(spaced, depth+1)
	p.behind = outer
	p.closing(start)
	it.negated = this.is('!')
	it.subs = []*sequence{body}
	if it.negated && len(body.items) == 0 {
		it = item{kind: failing}
	}
	seq.add(it)
}

// parseConditional reads (?(group)yes|no).
func (p *parser) parseConditional(seq *sequence, start int, spaced bool, depth int) {
	it := item{kind: conditional, group: p.parseCondition()}
	p.checkBehind(it.group)
	it.subs = append(it.subs, p.parseSequence(spaced, depth+1, false))
	if p.match('|') {
		it.subs = append(it.subs, p.parseSequence(spaced, depth+1, false))
		if p.next.is('|') {
			p.fail(0, "conditional backref with more than two branches")
		}
	}
	p.closing(start)
	seq.add(it)
}

// parseFlagGroup reads (?flags) or (?flags:…), first being its first character.
func (p *parser) parseFlagGroup(seq *sequence, this token, start int, spaced bool, depth int, first bool) {
	on, off, scoped := p.parseFlags(this)
	if scoped {
		spaced = (spaced || on&verbose != 0) && off&verbose == 0
		seq.add(item{kind: group, on: on, off: off, subs: p.parseBody(start, spaced, depth)})
		return
	}
	if !first || len(seq.items) > 0 {
		p.fail(p.tell()-start, "global flags not at the start of the expression")
	}
	if p.flags&verbose != 0 && !spaced {
		panic(restart{})
	}
}
