// Package pyre does what CPython 3.11's re.sub(pattern, "", text) does on str,
// and nothing else: the verdict on the pattern with Python's own message and
// position, and the text that is left.
//
//	p, err := pyre.Compile(`(?i)\bthe\b`)
//	left, err := p.Remove(ctx, "The cat") // " cat"
//
// The pattern language is the one of the documentation of Python's re module.
// Character properties are those of [pystr], Unicode 14.0.0, as in 3.11.
//
// The matcher is this package's own, and not a regexp2 program. What has to be
// the same is not only the language but what sre, CPython's matcher, does with
// it: which group values survive a failed branch or a repeat that backs up, a
// word boundary that fails in an empty text, the order in which a character set is
// folded, where a search skips ahead, the empty matches of a substitution. Out of another
// engine's rules each has to be re-created, and some cannot be; a matcher that
// walks the parsed pattern has them in a line each. It takes about 600 lines, no more than an
// emitter would, and brings a step budget that gives the same verdict on every machine.
//
// What is not reproduced is refused with an [UnsupportedError], never guessed;
// DIFFERENCES.md lists it.
package pyre
