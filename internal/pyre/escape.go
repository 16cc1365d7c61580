package pyre

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	hexDigits   = "0123456789abcdefABCDEF"
	octalDigits = "01234567"
	letters     = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// controls are the escapes that stand for one control character, and \\.
var controls = map[rune]rune{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

// category returns the set that \d, \D, \s, \S, \w or \W stands for.
func category(c rune) (member, bool) {
	switch c {
	case 'd', 'D':
		return member{kind: digit, not: c == 'D'}, true
	case 's', 'S':
		return member{kind: space, not: c == 'S'}, true
	case 'w', 'W':
		return member{kind: word, not: c == 'W'}, true
	}
	return member{}, false
}

var places = map[rune]place{'A': beginningString, 'Z': endingString, 'b': boundary, 'B': notBoundary}

// parseEscape reads an escape outside a character set.
func (p *parser) parseEscape(this token) item {
	c := this[1]
	if where, ok := places[c]; ok {
		return item{kind: at, place: where}
	}
	if m, ok := category(c); ok {
		return item{kind: set, members: []member{m}}
	}
	if strings.ContainsRune(digits, c) {
		return p.parseNumber(string(this))
	}
	return item{kind: literal, char: p.parseCharacter(this)}
}

// parseSetEscape reads an escape inside a character set.
func (p *parser) parseSetEscape(this token) member {
	c := this[1]
	if m, ok := category(c); ok {
		return m
	}
	if this[1:].in(octalDigits) {
		c = p.octal(string(this) + p.getWhile(2, octalDigits))
	} else {
		c = p.parseCharacter(this)
	}
	return member{lo: c, hi: c}
}

// parseCharacter reads what both kinds of escape have in common.
func (p *parser) parseCharacter(this token) rune {
	c := this[1]
	if control, ok := controls[c]; ok {
		return control
	}
	switch c {
	case 'x':
		return p.hex(this, 2)
	case 'u':
		return p.hex(this, 4)
	case 'U':
		return p.hex(this, 8)
	case 'N':
		return p.parseCharacterName()
	}
	if strings.ContainsRune(letters, c) || strings.ContainsRune(digits, c) {
		p.fail(len(this), "bad escape %s", string(this))
	}
	return c
}

func (p *parser) hex(this token, width int) rune {
	escape := string(this) + p.getWhile(width, hexDigits)
	if len(escape) != 2+width {
		p.fail(len(escape), "incomplete escape %s", escape)
	}
	value, _ := strconv.ParseUint(escape[2:], 16, 64)
	if value > utf8.MaxRune {
		p.fail(len(escape), "bad escape %s", escape)
	}
	return rune(value)
}

func (p *parser) octal(escape string) rune {
	value, _ := strconv.ParseUint(escape[1:], 8, 32)
	if value > 0o377 {
		p.fail(len(escape), "octal escape value %s outside of range 0-0o377", escape)
	}
	return rune(value)
}

// parseNumber reads an octal escape or a reference to a group by its number:
// octal after a leading 0, or when three octal digits stand there.
func (p *parser) parseNumber(escape string) item {
	if escape[1] == '0' {
		return item{kind: literal, char: p.octal(escape + p.getWhile(2, octalDigits))}
	}
	if p.next.in(digits) {
		escape += string(p.get())
		if strings.Trim(escape[1:], octalDigits) == "" && p.next.in(octalDigits) {
			return item{kind: literal, char: p.octal(escape + string(p.get()))}
		}
	}
	number, _ := strconv.Atoi(escape[1:])
	if number >= len(p.groups) {
		p.fail(len(escape)-1, "invalid group reference %d", number)
	}
	return p.reference(number, len(escape))
}

// reference is a reference to a group that has begun; back is the width of its spelling.
func (p *parser) reference(number, back int) item {
	if !p.groups[number].closed {
		p.fail(back, "cannot refer to an open group")
	}
	p.checkBehind(number)
	return item{kind: backref, group: number}
}

// checkBehind refuses, in a look-behind, a group of that same look-behind.
func (p *parser) checkBehind(number int) {
	if p.behind == 0 {
		return
	}
	if number >= len(p.groups) || !p.groups[number].closed {
		p.fail(0, "cannot refer to an open group")
	}
	if number >= p.behind {
		p.fail(0, "cannot refer to group defined in the same lookbehind subpattern")
	}
}
