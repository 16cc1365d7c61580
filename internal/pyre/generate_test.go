package pyre

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// generator makes random patterns in Python's pattern language, most of them valid.
type generator struct {
	*rand.Rand
	groups int
	names  []string
	depth  int
	narrow bool // only a, b and what keeps or asks for groups: where engines differ most
}

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) pattern() string {
	g.groups, g.names, g.depth, g.narrow = 0, nil, 0, g.chance(30)
	pattern := g.branches()
	if g.chance(20) {
		pattern = g.pick("(?i)", "(?a)", "(?s)", "(?m)", "(?x)", "(?ai)", "(?im)", "(?u)", "(?si)", "(?i)(?m)") + pattern
	}
	if strings.HasPrefix(pattern, "(?x)") || g.chance(2) {
		pattern = g.spread(pattern)
	}
	for g.chance(10) {
		pattern = g.damage(pattern)
	}
	if g.chance(3) {
		pattern = g.noise()
	}
	return pattern
}

// spread puts blanks and comments anywhere, for (?x).
func (g *generator) spread(pattern string) string {
	var b strings.Builder
	for _, r := range pattern {
		b.WriteRune(r)
		if g.chance(15) {
			b.WriteString(g.pick(" ", "\t", "\n", "#a(\n", " # \\\\\n", "\u00a0", "\x1c"))
		}
	}
	return b.String()
}

// noise is characters that mean something, in no order.
func (g *generator) noise() string {
	const alphabet = `((()))??[[]]{}|*+^$\\\\.-,:=!<>P#iLmsxaut0123456789abn'"é ` + "\n"
	runes := []rune(alphabet)
	noise := make([]rune, g.IntN(12))
	for i := range noise {
		noise[i] = runes[g.IntN(len(runes))]
	}
	return string(noise)
}

// damage makes a small change that is likely to be a syntax error.
func (g *generator) damage(pattern string) string {
	runes := []rune(pattern)
	at := g.IntN(len(runes) + 1)
	if g.chance(40) && at < len(runes) {
		return string(runes[:at]) + string(runes[at+1:])
	}
	return string(runes[:at]) + g.pick("(", ")", "[", "]", "*", "+", "?", "{", "}", "|", "\\", "(?", "(?P<", "(?P=", "(?<", "(?#", "(?i)",
		"(?x)", "(?-", "(?(", "{2,1}", "\\x", "\\u12", "\\8", "\\07", "\\400", "\\q", "[z-a]", "[a-\\d]", "\n", "-", "^", "(?L)", "(?z)", "(?P>x)",
		"\\N{", "\\N", "++", "#", " ", "(?<=a*)", "(?i-i:", "(?au:", "(?-a:x)", "(?Pé", "(?é)", "(?P<é>", "(?P<1>", "\\U00110000", "'",
		"(?( 1 )a)", "(?(+1)a)", "(?(1_0)a)", "(?(\u0661)a)", "(?(-1)a)", "(?(0)a)", "(?(n0)a|b)", "(?(n9)a)", "(?(a b)x)", "(?P<n0>a)", "(?P=n0)",
		"(?P=n9)", "(?P<a'b>x)", "(?P<a'\"\\\\>x)", "(?P<\u200b\U000e0001>x)", "(?P<>a)", "(?P<a", "(?P", "(?P<\u00b7>)", "{4294967295}", "{,99999999999}",
		"{4294967294}", "(?t)", "(?t:a)", "\\N{DIGIT ONE}", "\\N{digit onE}", "\\N{LF}", "\\N{x", "\\N{NO SUCH}", "[\\N{DIGIT ONE}-\\N{DIGIT TWO}]",
		"(?<=(a)\\1)", "(?<=(?(1)a|b))", "(?<=\\1)", "(?<!(a)(?<=\\1))", "(?#", "(?#a)", "\\1", "\\2", "\\99", "\\1a", "\\141", "(?ia-s:", "(?-:a)",
		"(?i", "(?i-", "(?i-s", "(?i\\)", "(?-i\\)", "(?=", "(?!)", "(?<", "[", "[^", "[]", "[^]", "[a-", "[\\d-a]", "[a-\\x", "[\\x41-a]") + string(runes[at:])
}

func (g *generator) branches() string {
	parts := []string{g.sequence()}
	for g.chance(18) && len(parts) < 4 {
		parts = append(parts, g.sequence())
	}
	return strings.Join(parts, "|")
}

func (g *generator) sequence() string {
	var b strings.Builder
	for n := g.IntN(4) + g.IntN(2); n > 0; n-- {
		b.WriteString(g.atom())
		if g.chance(30) {
			b.WriteString(g.repeat())
		}
	}
	return b.String()
}

func (g *generator) repeat() string {
	return g.pick("*", "+", "?", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{0}", "{0,1}", "{,}", "{1}", "{3}", "{1,3}") + g.pick("", "", "", "?", "?", "+")
}

func (g *generator) atom() string {
	if g.depth < 4 && (g.chance(35) || g.narrow && g.chance(25)) {
		g.depth++
		defer func() { g.depth-- }()
		return g.bracket()
	}
	if g.narrow && g.groups > 0 && g.chance(25) {
		return g.reference()
	}
	if g.narrow && g.chance(90) {
		return g.pick("a", "b", "a", ".", "[ab]", "[^a]")
	}
	switch n := g.IntN(100); {
	case n < 45:
		return g.letter()
	case n < 55:
		return "."
	case n < 65:
		return g.pick(`\w`, `\W`, `\d`, `\D`, `\s`, `\S`)
	case n < 75:
		return g.pick("^", "$", `\b`, `\B`, `\A`, `\Z`)
	case n < 90:
		return g.set()
	case n < 96 && g.groups > 0:
		return g.reference()
	}
	return g.pick(`\n`, `\t`, `\.`, `\-`, `\x41`, `\u0131`, `\U00010400`, `\101`, `\0`, `\\`, `\/`, " ", "#", "{", "}", "]", "a{", `\é`, "x{1,a}", "&&", "--")
}

func (g *generator) letter() string {
	if g.chance(80) {
		return g.pick("a", "b", "c", "a", "b")
	}
	return g.pick("A", "k", "s", "i", "I", "1", "_", "\u0130", "\u0131", "\u017f", "\u212a", "\u00df", "\u1e9e", "\ufb05", "\ufb06",
		"\u03c3", "\u03c2", "\u03a3", "\u00b5", "\u03bc", "\U00010400", "\U00010428", "\u0660", "\u00e9", "\u0301", "\u00a0", "\n", " ", "-")
}

func (g *generator) set() string {
	var b strings.Builder
	b.WriteString("[" + g.pick("", "", "^"))
	for n := 1 + g.IntN(3); n > 0; n-- {
		switch g.IntN(8) {
		case 0:
			b.WriteString(g.pick(`\w`, `\W`, `\d`, `\D`, `\s`, `\S`))
		case 1:
			b.WriteString(g.pick("a-c", "A-Z", "a-z", "0-9", "\u00e0-\u017f", "\u0130-\u0131", "k-s", "\uff00-\U00010410", "\U00010400-\U00010402", "\U00010428-\U0001042a", "\x00-\U0010ffff"))
		case 2:
			b.WriteString(g.pick("-", "^", "]", "[", `\b`, `\]`, `\x61`, `\n`, `\101`, "&&", "||", "|", "."))
		default:
			b.WriteString(g.letter())
		}
	}
	return b.String() + "]"
}

func (g *generator) reference() string {
	if len(g.names) > 0 && g.chance(30) {
		return "(?P=" + g.names[g.IntN(len(g.names))] + ")"
	}
	return `\` + strconv.Itoa(1+g.IntN(g.groups))
}

func (g *generator) bracket() string {
	switch n := g.IntN(100); {
	case n < 40:
		g.groups++
		return "(" + g.branches() + ")"
	case n < 46:
		name := fmt.Sprintf("n%d", len(g.names))
		g.names = append(g.names, name)
		g.groups++
		return "(?P<" + name + ">" + g.branches() + ")"
	case n < 65:
		return "(?:" + g.branches() + ")"
	case n < 71:
		return "(?=" + g.branches() + ")"
	case n < 76:
		return "(?!" + g.branches() + ")"
	case n < 80:
		return g.pick("(?<=", "(?<!") + g.pick(g.letter(), g.set(), g.branches(), `\w`, "(a|b)", "ab") + ")"
	case n < 86:
		return "(?>" + g.branches() + ")"
	case n < 93:
		return g.pick("(?i:", "(?-i:", "(?a:", "(?s:", "(?m:", "(?-m:", "(?x:", "(?u:", "(?ai:", "(?i-s:", "(?-x:") + g.branches() + ")"
	case n < 95:
		return "(?#x)"
	}
	asked := strconv.Itoa(1 + g.IntN(g.groups+1))
	if g.chance(50) {
		return "(?(" + asked + ")" + g.sequence() + ")"
	}
	return "(?(" + asked + ")" + g.sequence() + "|" + g.sequence() + ")"
}

func (g *generator) text() string {
	var b strings.Builder
	for n := g.IntN(9); n > 0; n-- {
		if g.chance(85) {
			b.WriteString(g.pick("a", "b", "c", "a", "b", "ab", "aa"))
			continue
		}
		b.WriteString(g.pick("\n", " ", "A", "B", "1", "_", "-", "\u00e9") + g.pick("", g.letter()))
	}
	return b.String()
}

func (g *generator) question() question {
	q := question{pattern: g.pattern()}
	for range 5 {
		q.texts = append(q.texts, g.text())
	}
	q.texts = append(q.texts, "iI\u0130\u0131 kK\u212a sS\u017f \u00df\u1e9e\ufb05\ufb06 \u03c3\u03c2\u03a3\U00010400\U00010428 \u00e9\u00c9")
	return q
}

var seed = flag.Uint64("pyre.seed", 0, "seed of the generated patterns; 0 for one from the clock")

// TestGeneratedPatterns takes NORMCERT_PYRE_PATTERNS generated patterns, 100,000 by
// default, to CPython.
func TestGeneratedPatterns(t *testing.T) {
	o := newOracle(t)
	count := 100_000
	if testing.Short() {
		count = 5_000
	}
	if wanted := os.Getenv("NORMCERT_PYRE_PATTERNS"); wanted != "" {
		var err error
		if count, err = strconv.Atoi(wanted); err != nil {
			t.Fatalf("reading NORMCERT_PYRE_PATTERNS: %v; give it a number", err)
		}
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("seed %d; again with -pyre.seed=%d", *seed, *seed)
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, 0))}
	questions := make([]question, count)
	for i := range questions {
		questions[i] = g.question()
	}
	compare(t, o, questions)
}
