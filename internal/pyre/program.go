package pyre

// opcode says what an instruction does.
type opcode uint8

const (
	opAccept     opcode = iota // the whole pattern matched
	opDone                     // a body that stands on its own matched
	opFail                     //
	opLiteral                  // char
	opSet                      // set
	opAt                       // place, flags, word
	opMark                     // n
	opBackref                  // n, fold
	opIf                       // n; next or no
	opBranch                   // branches
	opLook                     // body, n back
	opLookNot                  // body, n back
	opAtomic                   // body
	opCountMax                 // set, min, max: one character, repeated
	opCountMin                 //
	opCountAll                 // possessive
	opRepeat                   // a repeat begins: body, min, max; next is its opUntil
	opUntilMax                 // after each turn
	opUntilMin                 //
	opPossessive               // body, min, max
)

// inst is an instruction and what comes after it.
type inst struct {
	op       opcode
	next     *inst
	char     rune
	set      *charset
	n        int
	place    place
	lines    bool
	word     func(rune) bool
	fold     folding
	no       *inst
	body     *inst
	branches []*inst
	min, max int64
}

// emit returns the instructions of a sequence followed by next.
func emit(s *sequence, f flags, next *inst) *inst {
	for i := len(s.items) - 1; i >= 0; i-- {
		next = emitItem(&s.items[i], f, next)
	}
	return next
}

func emitItem(it *item, f flags, next *inst) *inst {
	switch it.kind {
	case literal, notLiteral, anyChar, set:
		return emitUnit(it, f, next)
	case at:
		return &inst{op: opAt, next: next, place: it.place, lines: f&multiLine != 0, word: wordTest(f&unicodeFlag != 0)}
	case failing:
		return &inst{op: opFail}
	case backref:
		return &inst{op: opBackref, next: next, n: it.group, fold: foldingOf(f)}
	case conditional:
		return emitConditional(it, f, next)
	case branch:
		in := &inst{op: opBranch}
		for _, sub := range it.subs {
			in.branches = append(in.branches, emit(sub, f, next))
		}
		return in
	case look:
		return emitLook(it, f, next)
	case group:
		return emitGroup(it, f, next)
	case atomic:
		return &inst{op: opAtomic, next: next, body: emit(it.subs[0], f, &inst{op: opDone})}
	}
	return emitRepeat(it, f, next)
}

func emitUnit(it *item, f flags, next *inst) *inst {
	s := unitSet(it, f)
	if it.kind == literal && s.fold == asIs && len(s.spans) == 1 {
		return &inst{op: opLiteral, next: next, char: it.char}
	}
	return &inst{op: opSet, next: next, set: s}
}

// unitSet is the set of characters that an item of one character matches.
func unitSet(it *item, f flags) *charset {
	switch it.kind {
	case set:
		return newCharset(it.members, it.negated, f)
	case anyChar:
		if f&dotAll != 0 {
			return newCharset(nil, true, 0)
		}
		return newCharset([]member{{lo: '\n', hi: '\n'}}, true, 0)
	}
	return oneCharset(it.char, it.kind == notLiteral, f)
}

// oneCharset is the set of a single character: unlike a member of a larger set it is
// lowered wherever it lies, and what it is taken for with it.
func oneCharset(char rune, negated bool, f flags) *charset {
	fold := foldingOf(f)
	if !fold.cased(char) {
		return newCharset([]member{{lo: char, hi: char}}, negated, 0)
	}
	s := &charset{fold: fold, negated: negated}
	lower := fold.lower(char)
	s.addRune(lower)
	for _, other := range fold.others(lower) {
		s.addRune(other)
	}
	s.finish()
	return s
}

func emitConditional(it *item, f flags, next *inst) *inst {
	in := &inst{op: opIf, n: it.group, next: emit(it.subs[0], f, next), no: next}
	if len(it.subs) == 2 {
		in.no = emit(it.subs[1], f, next)
	}
	return in
}

func emitLook(it *item, f flags, next *inst) *inst {
	in := &inst{op: opLook, next: next, body: emit(it.subs[0], f, &inst{op: opDone})}
	if it.negated {
		in.op = opLookNot
	}
	if it.behind {
		in.n = int(it.subs[0].lo)
	}
	return in
}

func emitGroup(it *item, f flags, next *inst) *inst {
	f = f.with(it.on, it.off)
	if it.group == 0 {
		return emit(it.subs[0], f, next)
	}
	last := &inst{op: opMark, next: next, n: 2*it.group - 1}
	return &inst{op: opMark, next: emit(it.subs[0], f, last), n: 2*it.group - 2}
}

func emitRepeat(it *item, f flags, next *inst) *inst {
	body := it.subs[0]
	in := &inst{next: next, min: it.min, max: it.max}
	if body.simple() {
		in.op = map[kind]opcode{maxRepeat: opCountMax, minRepeat: opCountMin, possessive: opCountAll}[it.kind]
		in.set = simpleSet(body, f)
		return in
	}
	if it.kind == possessive {
		in.op, in.body = opPossessive, emit(body, f, &inst{op: opDone})
		return in
	}
	until := &inst{op: opUntilMax, next: next}
	if it.kind == minRepeat {
		until.op = opUntilMin
	}
	in.op, in.next, in.body = opRepeat, until, emit(body, f, until)
	return in
}

func simpleSet(s *sequence, f flags) *charset {
	it := &s.items[0]
	for it.kind == group {
		f = f.with(it.on, it.off)
		it = &it.subs[0].items[0]
	}
	return unitSet(it, f)
}
