package pyre

import "slices"

// kind says what an item of a parsed pattern is.
type kind uint8

const (
	literal     kind = iota // char
	notLiteral              // char
	anyChar                 //
	set                     // members, negated
	at                      // place
	failing                 // an empty negative look-ahead
	backref                 // group
	conditional             // group, subs[0] and perhaps subs[1]
	branch                  // subs
	look                    // negated, behind, subs[0]
	group                   // group (0: not capturing), on, off, subs[0]
	atomic                  // subs[0]
	maxRepeat               // min, max, subs[0]
	minRepeat
	possessive
)

// place is what an anchor asks of a position.
type place uint8

const (
	beginning       place = iota // ^
	beginningString              // \A
	ending                       // $
	endingString                 // \Z
	boundary                     // \b
	notBoundary                  // \B
)

// item is one thing a pattern asks for.
type item struct {
	kind     kind
	char     rune
	members  []member
	negated  bool
	behind   bool
	place    place
	group    int
	on, off  flags
	min, max int64
	subs     []*sequence
}

// sequence is items in a row.
type sequence struct {
	items    []item
	measured bool
	lo, hi   int64
}

// memberKind says what a member of a character set is.
type memberKind uint8

const (
	span memberKind = iota // lo to hi
	digit
	space
	word
)

// member is a part of a character set.
type member struct {
	kind   memberKind
	not    bool // of digit, space and word
	lo, hi rune
}

func (m member) literal() bool { return m.kind == span && m.lo == m.hi }

func (it *item) unit() bool { return it.kind <= set }

func (it *item) repeats() bool { return it.kind >= maxRepeat }

// plainGroup is (?:…) without flags: brackets and nothing more.
func (it *item) plainGroup() bool {
	return it.kind == group && it.group == 0 && it.on == 0 && it.off == 0
}

// sameLeaf reports whether two items without sub-patterns ask for the same.
func sameLeaf(a, b *item) bool {
	if len(a.subs) > 0 || len(b.subs) > 0 {
		return false
	}
	return a.kind == b.kind && a.char == b.char && a.place == b.place && a.group == b.group &&
		a.negated == b.negated && slices.Equal(a.members, b.members)
}

// simple reports whether the sequence is one character wide and captures nothing,
// so that repeating it is counting.
func (s *sequence) simple() bool {
	if len(s.items) != 1 {
		return false
	}
	it := &s.items[0]
	if it.kind == group {
		return it.group == 0 && it.subs[0].simple()
	}
	return it.unit()
}
