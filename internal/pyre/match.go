package pyre

import (
	"context"
	"fmt"
)

// matcher runs a program on one text. It backtracks by recursion: run answers whether
// an instruction and all that follows it match, and at a choice tries each way in turn.
//
// Group values are sre's. marks holds the beginning and the end of each group, and those above
// lastMark are not set; a mark is never undone one by one. A choice puts back lastMark,
// and inside a repeat the marks as well. So a group may keep its end while it has a new
// beginning, and a conditional sees that.
type matcher struct {
	ctx   context.Context
	text  []rune
	limit int64
	steps int64
	depth int

	marks    []int
	lastMark int
	saved    []int
	repeat   *repeat // the innermost repeat that is running

	end       int // where a match or a body ended
	notHereAt int // an empty match is not wanted here; -1 for nowhere
}

// repeat is the state of a repeat that is running.
type repeat struct {
	of    *inst
	count int64
	last  int // where the last optional turn began, -1 for nowhere: no two at one place
	outer *repeat
}

// mostDepth bounds the recursion. A level takes up to a kilobyte of stack, and running
// out of stack (Go's limit is 250 MB on a 32-bit system) cannot be recovered from.
const mostDepth = 1 << 17

// halt leaves the recursion when a limit is met; Remove returns its error.
type halt struct{ err error }

const stepsBetweenPolls = 1 << 12

func (m *matcher) spend(steps int) {
	before := m.steps
	m.steps += int64(steps)
	if before/stepsBetweenPolls == m.steps/stepsBetweenPolls && m.steps <= m.limit {
		return
	}
	if m.steps > m.limit {
		panic(halt{&LimitError{Limit: fmt.Sprintf("%d steps", m.limit)}})
	}
	if err := m.ctx.Err(); err != nil {
		panic(halt{err})
	}
}

// call is run, one level deeper.
func (m *matcher) call(in *inst, at int) bool {
	m.depth++
	if m.depth > mostDepth {
		panic(halt{&LimitError{Limit: fmt.Sprintf("%d nested choices", mostDepth)}})
	}
	ok := m.run(in, at)
	m.depth--
	return ok
}

func (m *matcher) run(in *inst, at int) bool {
	for {
		m.spend(1)
		switch in.op {
		case opAccept:
			m.end = at
			return at != m.notHereAt
		case opDone:
			m.end = at
			return true
		case opFail:
			return false
		case opLiteral:
			if at == len(m.text) || m.text[at] != in.char {
				return false
			}
			at++
		case opSet:
			if at == len(m.text) || !in.set.has(m.text[at]) {
				return false
			}
			at++
		case opAt:
			if !m.isAt(in, at) {
				return false
			}
		case opMark:
			m.mark(in.n, at)
		case opBackref:
			width, ok := m.backref(in, at)
			if !ok {
				return false
			}
			at += width
		case opIf:
			if _, _, ok := m.group(in.n); !ok {
				in = in.no
				continue
			}
		case opLook:
			if at < in.n || !m.call(in.body, at-in.n) {
				return false
			}
		case opLookNot:
			if !m.lookNot(in, at) {
				return false
			}
		case opAtomic:
			if !m.call(in.body, at) {
				return false
			}
			at = m.end
		case opPossessive:
			if !m.possessive(in, at) {
				return false
			}
			at = m.end
		case opCountAll:
			width := m.count(in.set, at, in.max)
			if int64(width) < in.min {
				return false
			}
			at += width
		default:
			return m.choose(in, at)
		}
		in = in.next
	}
}

// choose runs the instructions that leave more than one way to go on.
func (m *matcher) choose(in *inst, at int) bool {
	switch in.op {
	case opBranch:
		return m.branch(in, at)
	case opCountMax:
		return m.countMax(in, at)
	case opCountMin:
		return m.countMin(in, at)
	case opUntilMax:
		return m.untilMax(in, at)
	case opUntilMin:
		return m.untilMin(in, at)
	}
	running := &repeat{of: in, count: -1, last: -1, outer: m.repeat}
	m.repeat = running
	ok := m.call(in.next, at)
	m.repeat = running.outer
	return ok
}

func (m *matcher) isAt(in *inst, at int) bool {
	switch in.place {
	case beginning:
		return at == 0 || in.lines && m.text[at-1] == '\n'
	case beginningString:
		return at == 0
	case ending:
		left := len(m.text) - at
		return left == 0 || m.text[at] == '\n' && (in.lines || left == 1)
	case endingString:
		return at == len(m.text)
	}
	if len(m.text) == 0 { // neither \b nor \B matches in an empty text
		return false
	}
	before := at > 0 && in.word(m.text[at-1])
	after := at < len(m.text) && in.word(m.text[at])
	return (before != after) == (in.place == boundary)
}

// group returns where a group begins and ends, if it is set.
func (m *matcher) group(number int) (from, to int, ok bool) {
	first := 2 * (number - 1)
	if first >= m.lastMark {
		return 0, 0, false
	}
	from, to = m.marks[first], m.marks[first+1]
	return from, to, from >= 0 && to >= from
}

func (m *matcher) backref(in *inst, at int) (width int, ok bool) {
	from, to, ok := m.group(in.n)
	if !ok || to-from > len(m.text)-at {
		return 0, false
	}
	m.spend(to - from)
	for i := from; i < to; i++ {
		if in.fold.lower(m.text[i]) != in.fold.lower(m.text[at+i-from]) {
			return 0, false
		}
	}
	return to - from, true
}

// lookNot reports whether the body of a negative look does not match.
func (m *matcher) lookNot(in *inst, at int) bool {
	if at < in.n {
		return true
	}
	keep := m.save(m.repeat != nil)
	if m.call(in.body, at-in.n) {
		m.drop(keep)
		return false
	}
	m.restore(keep)
	m.drop(keep)
	return true
}

func (m *matcher) branch(in *inst, at int) bool {
	keep := m.save(m.repeat != nil)
	for _, alternative := range in.branches {
		if m.call(alternative, at) {
			m.drop(keep)
			return true
		}
		m.restore(keep)
	}
	m.drop(keep)
	return false
}
