package pyre

import (
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

// flags are the inline flags of Python's re.
type flags uint8

const (
	ignoreCase flags = 1 << iota
	localeFlag
	multiLine
	dotAll
	verbose
	ascii
	unicodeFlag
	template

	typeFlags   = localeFlag | ascii | unicodeFlag
	globalFlags = template
)

const flagLetters = "iLmsxaut"

var flagOf = [...]flags{ignoreCase, localeFlag, multiLine, dotAll, verbose, ascii, unicodeFlag, template}

func flagNamed(t token) flags { return flagOf[strings.IndexRune(flagLetters, t[0])] }

// with are the flags inside (?on-off:…).
func (f flags) with(on, off flags) flags {
	if on&typeFlags != 0 {
		f &^= typeFlags
	}
	return (f | on) &^ off
}

// parseFlags reads what follows "(?" of a flag group, first already taken. For
// flags of the whole pattern, (?…), it returns scoped false and has set them.
func (p *parser) parseFlags(first token) (on, off flags, scoped bool) {
	this := first
	if !this.is('-') {
		on, this = p.parseFlagsOn(this)
	}
	if this.is(')') {
		p.flags |= on
		return 0, 0, false
	}
	if on&globalFlags != 0 {
		p.fail(1, "bad inline flags: cannot turn on global flag")
	}
	if this.is('-') {
		off = p.parseFlagsOff()
	}
	if off&globalFlags != 0 {
		p.fail(1, "bad inline flags: cannot turn off global flag")
	}
	if on&off != 0 {
		p.fail(1, "bad inline flags: flag turned on and off")
	}
	return on, off, true
}

func (p *parser) parseFlagsOn(this token) (on flags, after token) {
	for {
		flag := flagNamed(this)
		if flag == localeFlag {
			p.fail(0, "bad inline flags: cannot use 'L' flag with a str pattern")
		}
		on |= flag
		if flag&typeFlags != 0 && on&typeFlags != flag {
			p.fail(0, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		this = p.get()
		if this.in(")-:") {
			return on, this
		}
		p.requireFlag(this, "missing -, : or )")
	}
}

func (p *parser) parseFlagsOff() (off flags) {
	this := p.get()
	p.requireFlag(this, "missing flag")
	for {
		flag := flagNamed(this)
		if flag&typeFlags != 0 {
			p.fail(0, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		}
		off |= flag
		this = p.get()
		if this.is(':') {
			return off
		}
		p.requireFlag(this, "missing :")
	}
}

// requireFlag fails, with missing where no letter stands, unless this is a flag.
func (p *parser) requireFlag(this token, missing string) {
	switch {
	case this.in(flagLetters):
	case len(this) == 1 && isAlpha(this[0]):
		p.fail(1, "unknown flag")
	default:
		p.fail(len(this), "%s", missing)
	}
}

// isAlpha is str.isalpha of one character.
func isAlpha(r rune) bool { return pystr.Category(r)[0] == 'L' }
