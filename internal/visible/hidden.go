package visible

// Hidden reports whether a character cannot be seen, or is taken for another
// space: controls, zero-width and bidi characters, spaces other than U+0020,
// fillers, the line separators.
func Hidden(r rune) bool { return hidden(r) }
