package pyre

// parseCharacterName reads {NAME} after \N.
func (p *parser) parseCharacterName() rune {
	if !p.match('{') {
		p.fail(0, "missing {")
	}
	name := p.getUntil('}', "character name")
	r, ok := characterNamed(string(name))
	if !ok {
		p.fail(len(name)+len(`\N{}`), "undefined character name %s", repr(name))
	}
	return r
}
func characterNamed(name string) (rune, bool) { return 0, false }
