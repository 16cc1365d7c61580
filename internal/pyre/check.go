package pyre

// checker looks for what Python refuses only when it compiles the tree, in the
// order in which it does.
type checker struct {
	pattern string
	groups  []groupWidth
}

func (c checker) sequence(s *sequence, f flags) error {
	for i := range s.items {
		if err := c.item(&s.items[i], f); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) item(it *item, f flags) error {
	switch {
	case it.repeats() && f&template != 0:
		return c.refuse("internal: unsupported template operator " + templateNames[it.kind])
	case it.kind == group:
		f = f.with(it.on, it.off)
	case it.kind == look && it.behind:
		if err := c.behind(it.subs[0]); err != nil {
			return err
		}
	}
	for _, sub := range it.subs {
		if err := c.sequence(sub, f); err != nil {
			return err
		}
	}
	return nil
}

var templateNames = map[kind]string{maxRepeat: "MAX_REPEAT", minRepeat: "MIN_REPEAT", possessive: "POSSESSIVE_REPEAT"}

// behind wants a look-behind's body to be of one width.
func (c checker) behind(body *sequence) error {
	lo, hi := body.width(c.groups)
	if lo > maxLookbehind {
		return &UnsupportedError{c.pattern, "releases of CPython 3.11 differ on a look-behind wider than 2147483647"}
	}
	if lo != hi {
		return c.refuse("look-behind requires fixed-width pattern")
	}
	return nil
}

func (c checker) refuse(msg string) error { return &SyntaxError{Msg: msg, Pos: -1, Pattern: c.pattern} }
