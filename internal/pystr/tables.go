package pystr

import (
	"cmp"
	"slices"
)

// Tables is Python's str for one Unicode version. Each version is a generated
// file with one value of this type; see gen.py. Tables are never written to,
// so they may be used from any number of goroutines.
type Tables struct {
	version string

	propertyIndex  *[blockCount]uint8
	propertyBlocks []uint8
	properties     []property

	casingIndex  *[blockCount]uint8
	casingBlocks []uint8
	casings      []casing
	lowerLong    []mapping
	foldLong     []mapping

	decompositionIndex  *[blockCount]uint8
	decompositionBlocks []uint16
	canonicalOffsets    []uint16
	canonicalText       string
	compatibleOffsets   []uint16
	compatibleText      string
	compositions        []composition

	extraCases []extraCase
}

// UnicodeVersion is the version the tables are of, as in "14.0.0".
func (t *Tables) UnicodeVersion() string { return t.version }

// Each lookup by code point has two stages: the high bits choose a block of
// 256 entries, the low bits an entry in it. Equal blocks are kept once.
const (
	maxRune    = 0x10FFFF
	blockShift = 8
	blockMask  = 1<<blockShift - 1
	blockCount = (maxRune + 1) >> blockShift
)

// property is what is known of a code point besides its mappings.
type property struct {
	flags    flag
	class    uint8 // canonical combining class
	category uint8 // an index of categoryNames
}

// flag is a set of yes-or-no properties.
type flag uint16

// The same bits as in gen.py.
const (
	isSpace      flag = 1 << iota
	isAlnum           // str.isalnum
	isDecimal         // str.isdecimal
	isPrintable       // str.isprintable
	isReCased         // _sre.unicode_iscased
	isCased           // cased and not case-ignorable, for the final sigma
	isIgnorable       // case-ignorable, for the final sigma
	nfdChanges        // NFD alone is another string
	nfkdChanges       // NFKD alone is another string
	nfcUnsure         // NFC_Quick_Check is No or Maybe
	nfkcUnsure        // NFKC_Quick_Check is No or Maybe
	composesLeft      // the second character of a primary composite
)

// casing holds what to add to a code point for its lower case and for its case
// folding. Where lowerLong or foldLong is set, the table of that name has the
// mapping instead.
type casing struct {
	lower, fold         int32
	lowerLong, foldLong bool
}

// mapping is a full mapping to something other than one character.
type mapping struct {
	from rune
	to   string
}

// composition is a primary composite.
type composition struct {
	first, second, composed rune
}

// extraCase is an entry of re._casefix._EXTRA_CASES.
type extraCase struct {
	of     rune
	others []rune
}

// property returns r's record. What is no code point has that of an unassigned one.
func (t *Tables) property(r rune) property {
	if uint32(r) > maxRune {
		r = maxRune
	}
	block := int(t.propertyIndex[uint32(r)>>blockShift]) << blockShift
	return t.properties[t.propertyBlocks[block|int(r&blockMask)]]
}

// casing returns r's record. Record 0 is of what has no case mappings.
func (t *Tables) casing(r rune) casing {
	if uint32(r) > maxRune {
		return casing{}
	}
	block := int(t.casingIndex[uint32(r)>>blockShift]) << blockShift
	return t.casings[t.casingBlocks[block|int(r&blockMask)]]
}

// decomposition returns the full decomposition of r, "" if it has none; the
// compatibility one if compatible is set. Hangul syllables are not in it.
func (t *Tables) decomposition(r rune, compatible bool) string {
	block := int(t.decompositionIndex[uint32(r)>>blockShift]) << blockShift
	n := t.decompositionBlocks[block|int(r&blockMask)]
	if compatible {
		if text := t.compatibleText[t.compatibleOffsets[n]:t.compatibleOffsets[n+1]]; text != "" {
			return text
		}
	}
	return t.canonicalText[t.canonicalOffsets[n]:t.canonicalOffsets[n+1]]
}

// find returns the mapping of r in table, which is sorted.
func find(table []mapping, r rune) string {
	i, ok := slices.BinarySearchFunc(table, r, func(m mapping, r rune) int { return cmp.Compare(m.from, r) })
	if !ok {
		panic("pystr: a long case mapping is missing from the generated tables")
	}
	return table[i].to
}
