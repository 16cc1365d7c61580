package pyre

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the names
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

// namesFile holds the characters' names and aliases as gen.py writes them. It is
// opened only for a pattern that has \N{…}.
//
//go:embed names_14_0_0.gz
var namesFile []byte

// parseCharacterName reads {NAME} after \N.
func (p *parser) parseCharacterName() rune {
	if !p.match('{') {
		p.fail(0, "missing {")
	}
	name := p.getUntil('}', "character name")
	r, ok := p.characterNamed(string(name))
	if !ok {
		p.fail(len(name)+len(`\N{}`), "undefined character name %s", repr(name))
	}
	return r
}

// characterNamed is unicodedata.lookup, for what is one character: a name in
// either case, an alias, or one of the names that follow from a rule, in capitals.
func (p *parser) characterNamed(name string) (rune, bool) {
	if hex, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		return unifiedIdeograph(hex)
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return hangulSyllable(syllable)
	}
	if !onlyNameCharacters(name) {
		return 0, false
	}
	if p.names == nil {
		p.names = readNames()
	}
	return findName(p.names, strings.ToUpper(name))
}

func onlyNameCharacters(name string) bool { return strings.Trim(name, letters+digits+" -()") == "" }

func readNames() []byte {
	file, err := gzip.NewReader(bytes.NewReader(namesFile))
	if err == nil {
		var names []byte
		if names, err = io.ReadAll(file); err == nil {
			return names
		}
	}
	panic(fmt.Sprintf("reading the embedded character names: %v", err))
}

// findName counts the lines from the last one that gives a code point.
func findName(names []byte, name string) (rune, bool) {
	at := bytes.Index(names, []byte("\n"+name+"\n"))
	if at < 0 {
		return 0, false
	}
	before := names[:at+1]
	before = before[bytes.LastIndexByte(before, '@')+1:]
	hex, skipped, _ := bytes.Cut(before, []byte("\n"))
	first, err := strconv.ParseUint(string(hex), 16, 32)
	return rune(first) + rune(bytes.Count(skipped, []byte("\n"))), err == nil
}

// unifiedIdeograph takes four or five capital hexadecimal digits.
func unifiedIdeograph(hex string) (rune, bool) {
	if len(hex) < 4 || len(hex) > 5 || strings.Trim(hex, "0123456789ABCDEF") != "" {
		return 0, false
	}
	value, _ := strconv.ParseUint(hex, 16, 32)
	r := rune(value)
	return r, isUnifiedIdeograph(r)
}

// isUnifiedIdeograph: the characters with a computed name are the assigned ones of
// these blocks, in Unicode 14's UnicodeData.txt.
func isUnifiedIdeograph(r rune) bool {
	inBlock := 0x3400 <= r && r <= 0x4DBF || 0x4E00 <= r && r <= 0x9FFF || 0x20000 <= r && r <= 0x2EBE0 || 0x30000 <= r && r <= 0x3134A
	return inBlock && pystr.Category(r) == "Lo"
}

// The short names of the jamo, in the order in which Hangul syllables are made of them
// (Unicode section 3.12); "" is none.
var (
	hangulFirst  = strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	hangulMiddle = strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	hangulLast   = strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
)

func hangulSyllable(name string) (rune, bool) {
	first, rest := longestPrefix(hangulFirst, name)
	middle, rest := longestPrefix(hangulMiddle, rest)
	last, rest := longestPrefix(hangulLast, rest)
	if first < 0 || middle < 0 || last < 0 || rest != "" {
		return 0, false
	}
	return rune(0xAC00 + (first*len(hangulMiddle)+middle)*len(hangulLast) + last), true
}

// longestPrefix returns the index of the longest of names that text begins with, -1 for none.
func longestPrefix(names []string, text string) (index int, rest string) {
	index, rest = -1, text
	for i, name := range names {
		if strings.HasPrefix(text, name) && (index < 0 || len(name) > len(names[index])) {
			index = i
		}
	}
	if index >= 0 {
		rest = text[len(names[index]):]
	}
	return index, rest
}
