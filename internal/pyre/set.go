package pyre

// parseSet reads a character set, the opening bracket already taken.
func (p *parser) parseSet() item {
	start := p.tell() - 1
	result := item{kind: set, negated: p.match('^')}
	for {
		this := p.setToken(start)
		if this.is(']') && len(result.members) > 0 {
			break
		}
		first := p.parseMember(this)
		if !p.match('-') {
			result.members = append(result.members, first)
			continue
		}
		that := p.setToken(start)
		if that.is(']') {
			result.members = append(result.members, first, member{lo: '-', hi: '-'})
			break
		}
		last := p.parseMember(that)
		if !first.literal() || !last.literal() || last.lo < first.lo {
			p.fail(len(this)+1+len(that), "bad character range %s-%s", string(this), string(that))
		}
		result.members = append(result.members, member{lo: first.lo, hi: last.lo})
	}
	result.members = distinct(result.members)
	if len(result.members) == 1 && result.members[0].literal() {
		return oneCharacter(result)
	}
	return result
}

// oneCharacter turns [c] into c and [^c] into anything but c.
func oneCharacter(of item) item {
	result := item{kind: literal, char: of.members[0].lo}
	if of.negated {
		result.kind = notLiteral
	}
	return result
}

func (p *parser) setToken(start int) token {
	this := p.get()
	if this.end() {
		p.fail(p.tell()-start, "unterminated character set")
	}
	return this
}

func (p *parser) parseMember(this token) member {
	if this.escaped() {
		return p.parseSetEscape(this)
	}
	return member{lo: this[0], hi: this[0]}
}
