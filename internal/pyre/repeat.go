package pyre

// more reports whether a repeat that has had count turns may have another.
func (in *inst) more(count int64) bool { return count < in.max || in.max == maxRepeatCount }

// count is how many characters from at on the set matches, max at most.
func (m *matcher) count(s *charset, at int, most int64) int {
	end := len(m.text)
	if int64(end-at) > most {
		end = at + int(most)
	}
	i := at
	for i < end && s.has(m.text[i]) {
		i++
	}
	m.spend(i - at)
	return i - at
}

// countMax repeats one character as often as it can, then ever less often.
func (m *matcher) countMax(in *inst, at int) bool {
	width := m.count(in.set, at, in.max)
	if int64(width) < in.min {
		return false
	}
	keep := m.save(m.repeat != nil)
	literalNext := in.next.op == opLiteral
	for ; int64(width) >= in.min; width-- {
		end := at + width
		if literalNext && (end == len(m.text) || m.text[end] != in.next.char) {
			m.spend(1)
			continue
		}
		if m.call(in.next, end) {
			m.drop(keep)
			return true
		}
		m.restore(keep)
	}
	m.drop(keep)
	return false
}

// countMin repeats one character as seldom as it can, then ever more often.
func (m *matcher) countMin(in *inst, at int) bool {
	width := 0
	if in.min > 0 {
		width = m.count(in.set, at, in.min)
		if int64(width) < in.min {
			return false
		}
	}
	keep := m.save(m.repeat != nil)
	for {
		if m.call(in.next, at+width) {
			m.drop(keep)
			return true
		}
		m.restore(keep)
		if !in.more(int64(width)) || m.count(in.set, at+width, 1) == 0 {
			break
		}
		width++
	}
	m.drop(keep)
	return false
}

// untilMax decides after each turn of a greedy repeat: another, or what follows.
func (m *matcher) untilMax(in *inst, at int) bool {
	running := m.repeat
	count := running.count + 1
	if count < running.of.min {
		return m.turn(running, count, at)
	}
	if running.of.more(count) && at != running.last {
		keep := m.save(true)
		if m.optionalTurn(running, count, at) {
			m.drop(keep)
			return true
		}
		m.restore(keep)
		m.drop(keep)
	}
	m.repeat = running.outer
	ok := m.call(in.next, at)
	m.repeat = running
	return ok
}

// untilMin decides after each turn of a lazy repeat: what follows, or another.
func (m *matcher) untilMin(in *inst, at int) bool {
	running := m.repeat
	count := running.count + 1
	if count < running.of.min {
		return m.turn(running, count, at)
	}
	m.repeat = running.outer
	keep := m.save(m.repeat != nil)
	ok := m.call(in.next, at)
	m.repeat = running
	if ok {
		m.drop(keep)
		return true
	}
	m.restore(keep)
	m.drop(keep)
	if !running.of.more(count) || at == running.last {
		return false
	}
	return m.optionalTurn(running, count, at)
}

// turn runs a repeat's body once more.
func (m *matcher) turn(running *repeat, count int64, at int) bool {
	running.count = count
	if m.call(running.of.body, at) {
		return true
	}
	running.count = count - 1
	return false
}

// optionalTurn is a turn beyond the least number. It does not begin where the one before began.
func (m *matcher) optionalTurn(running *repeat, count int64, at int) bool {
	before := running.last
	running.last = at
	ok := m.turn(running, count, at)
	running.last = before
	return ok
}

// possessive runs a body as often as it can and never gives anything back.
func (m *matcher) possessive(in *inst, at int) bool {
	var count int64
	for ; count < in.min; count++ {
		if !m.call(in.body, at) {
			return false
		}
		at = m.end
	}
	for last := -1; in.more(count) && at != last; count++ {
		keep := m.save(true)
		last = at
		if !m.call(in.body, at) {
			m.restore(keep)
			m.drop(keep)
			break
		}
		m.drop(keep)
		at = m.end
	}
	m.end = at
	return true
}
