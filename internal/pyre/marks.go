package pyre

// keep is what a choice puts back before it tries another way.
type keep struct {
	lastMark int
	base     int // where the saved marks begin
	marks    bool
}

func (m *matcher) mark(index, at int) {
	for index > m.lastMark+1 {
		m.lastMark++
		m.marks[m.lastMark] = -1
	}
	m.lastMark = max(m.lastMark, index)
	m.marks[index] = at
}

func (m *matcher) save(marks bool) keep {
	k := keep{lastMark: m.lastMark, base: len(m.saved), marks: marks}
	if marks {
		m.saved = append(m.saved, m.marks[:m.lastMark+1]...)
	}
	return k
}

// restore puts back what was saved, and leaves it saved.
func (m *matcher) restore(k keep) {
	m.lastMark = k.lastMark
	if k.marks {
		copy(m.marks, m.saved[k.base:k.base+k.lastMark+1])
	}
}

func (m *matcher) drop(k keep) { m.saved = m.saved[:k.base] }
