package pystr

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// ordered is text to which characters are added and whose combining marks are
// kept in canonical order (Unicode Standard 3.11, D108 and D109).
type ordered struct {
	tables *Tables
	text   []byte

	marks int   // where in text the present run of marks begins
	last  uint8 // the class of the last character
	mixed bool  // the present run is out of order
}

// add adds r, which has the given combining class.
func (o *ordered) add(r rune, class uint8) {
	switch {
	case class == 0:
		o.starter()
	case o.last == 0:
		o.marks = len(o.text)
	case class < o.last:
		o.mixed = true
	}
	o.last = class
	o.text = utf8.AppendRune(o.text, r)
}

// starter ends a run of marks: before a starter is added, and at the end.
func (o *ordered) starter() {
	if o.mixed {
		o.sort(o.text[o.marks:])
		o.mixed = false
	}
	o.last = 0
}

type mark struct {
	r     rune
	class uint8
}

// sort puts marks in order. Those of one class keep theirs.
func (o *ordered) sort(text []byte) {
	var buffer [32]mark
	marks := buffer[:0]
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		marks = append(marks, mark{r, o.tables.CombiningClass(r)})
		i += size
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.class, b.class) })
	text = text[:0]
	for _, m := range marks {
		text = utf8.AppendRune(text, m.r)
	}
}
