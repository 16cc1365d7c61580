package pyre

import (
	"context"
	"testing"
)

// traps are where another engine, or a plausible reading of the documentation,
// goes wrong. What is left was worked out by hand; [TestTraps] asks CPython as well.
var traps = []struct{ name, pattern, text, left string }{
	{"an empty match, then a longer one in the same place", `a??`, "aaa", ""},
	{"empty matches leave everything", `x*`, "abc", "abc"},
	{"the empty pattern", ``, "abc", "abc"},
	{"a backspace is not a word boundary", "\x08an|a|the\x08", "an a the", "n  the"},
	{"a superscript is a word character", `\W`, "x² + ½", "x²½"},
	{"a combining mark is not", `\w`, "e\u0301", "\u0301"},
	{"a word ends before a combining mark", `\ba\b`, "a\u0301", "\u0301"},
	{"a digit of any script", `\d`, "1\u0661²", "²"},
	{"the separators are white space", `\s`, "a\x1c\x1d\x1e\x1f\u0085b\u200b", "ab\u200b"},
	{"ASCII only", `(?a)\w`, "aé", "é"},
	{"dollar also before a final newline", `b$`, "b\nb\n", "b\n\n"},
	{"the very end", `\n\Z`, "a\n\n", "a\n"},
	{"dollar finds two places", `(?=\n?$)\n|$`, "a\n", "a"},
	{"dotted capital I is i without case", `(?i)i`, "iI\u0130\u0131", ""},
	{"sharp s has case of its own", `(?i)\u00df`, "\u00df\u1e9es", "s"},
	{"long s is s", `(?i)s`, "\u017f", ""},
	{"three sigmas", `(?i)σ`, "σςΣ", ""},
	{"two ligatures without simple case", `(?i)\ufb05`, "\ufb05\ufb06", ""},
	{"a capital past U+FFFF in a set is not folded", "(?i)[\U00010400x]", "\U00010400\U00010428", "\U00010400\U00010428"},
	{"alone it is", "(?i)[\U00010400]", "\U00010400\U00010428", ""},
	{"no boundary in an empty text", `\B`, "", ""},
	{"a reference to a group that is not set fails", `(a)?\1b`, "ab b", "ab b"},
	{"a group keeps its value through a repeat", `(?:(a)|b)*\1`, "abab", "b"},
	{"a reference without case", `(?i)(a)\1`, "aA", ""},
	{"a look-ahead keeps its groups", `(?=(a))\1`, "aa", ""},
	{"a negative one does not", `(?!(b))a(?(1)x|y)`, "ayax", "ax"},
	{"a group left by a failed branch", `(?:(a)c|a)(?(1)x|b)`, "ab", ""},
	{"possessive gives nothing back", `a*+a`, "aaa", "aaa"},
	{"atomic neither", `(?>a|ab)c`, "abc", "abc"},
	{"no lower bound", `a{,2}b`, "aaab", "a"},
	{"neither bound", `a{,}b`, "aaab", ""},
	{"a brace that is no repeat", `a{,b}`, "a{,b}", ""},
	{"octal with a leading zero", `\07`, "\a7", "7"},
	{"octal with three digits", `\141`, "a", ""},
	{"a bracket first in a set", `[]a]`, "]a[", "["},
	{"a scoped flag", `(?i:a)b`, "AbAB", "AB"},
	{"a scoped flag off", `(?i)a(?-i:b)`, "AbAB", "AB"},
	{"blanks and comments", "(?x) a b # c\n c", "abc", ""},
	{"search looks at the outer flags", `(?a:\W)`, "é!", "é"},
	{"but not later on", `(?a:\W)(?a:\W)`, "!é", ""},
	{"a named character", `\N{EM DASH}`, "a—b", "ab"},
	{"number in front of a name's group", `(?P<q>['’])s(?P=q)`, "’s’'s’", "'s’"},
	{"a look-behind sees what was removed", `(?<=a)b|a`, "ab", ""},
	{"a lazy repeat grows", `(?s)".*?"`, "a\"b\nc\"d\"", "ad\""},
	{"a repeat of nothing ends", `(?:a?)*b`, "aab", ""},
	{"the template flag, which is not documented", `(?t)a`, "ta", "t"},
	{"a set of one dash", `[a-]`, "a-b", "b"},
}

func TestTraps(t *testing.T) {
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			p, err := Compile(trap.pattern)
			if err != nil {
				t.Fatalf("Compile(%+q): %v", trap.pattern, err)
			}
			left, err := p.Remove(context.Background(), trap.text)
			if err != nil || left != trap.left {
				t.Errorf("%+q removed from %+q leaves %+q, error %v; want %+q", trap.pattern, trap.text, left, err, trap.left)
			}
		})
	}
}

// TestTrapsInCPython holds the table itself to CPython.
func TestTrapsInCPython(t *testing.T) {
	o := newOracle(t)
	for _, trap := range traps {
		want := o.ask([]question{{trap.pattern, []string{trap.text}}})[0]
		if want.Type != "" {
			t.Errorf("%s: %+q: the table says it compiles, CPython %s", trap.name, trap.pattern, want)
		} else if left := *want.Out[0]; left != trap.left {
			t.Errorf("%s: %+q from %+q: the table says %+q, CPython %+q", trap.name, trap.pattern, trap.text, trap.left, left)
		}
	}
}

// refusals have Python's words, which TestRefusalsInCPython holds to CPython.
var refusals = []struct{ pattern, message string }{
	{`(`, "missing ), unterminated subpattern at position 0"},
	{"a\n(b", "missing ), unterminated subpattern at position 2 (line 2, column 1)"},
	{`a)`, "unbalanced parenthesis at position 1"},
	{`*`, "nothing to repeat at position 0"},
	{`a**`, "multiple repeat at position 2"},
	{`^*`, "nothing to repeat at position 1"},
	{`[a`, "unterminated character set at position 0"},
	{`[b-a]`, "bad character range b-a at position 1"},
	{`a{2,1}`, "min repeat greater than max repeat at position 2"},
	{`\z`, `bad escape \z at position 0`},
	{`\p{L}`, `bad escape \p at position 0`},
	{`a\`, "bad escape (end of pattern) at position 1"},
	{`(?<n>a)`, "unknown extension ?<n at position 1"},
	{`(?P<n>a)(?P<n>b)`, "redefinition of group name 'n' as group 2; was group 1 at position 12"},
	{`(?P<1>a)`, "bad character in group name '1' at position 4"},
	{`a(?i)`, "global flags not at the start of the expression at position 1"},
	{`(?L)a`, "bad inline flags: cannot use 'L' flag with a str pattern at position 3"},
	{`(?<=a*)b`, "look-behind requires fixed-width pattern"},
	{`\1`, "invalid group reference 1 at position 1"},
	{`(a\1)`, "cannot refer to an open group at position 2"},
	{`(?<=(a)\1)`, "cannot refer to group defined in the same lookbehind subpattern at position 9"},
	{`(?(2)a)(b)`, "invalid group reference 2 at position 3"},
	{`\N{SPAM}`, "undefined character name 'SPAM' at position 0"},
	{`\x1`, `incomplete escape \x1 at position 0`},
	{`\477`, `octal escape value \477 outside of range 0-0o377 at position 0`},
	{`(?a)(?u)x`, "ASCII and UNICODE flags are incompatible"},
	{`(?t)a*`, "internal: unsupported template operator MAX_REPEAT"},
	{`(?t:a)`, "bad inline flags: cannot turn on global flag at position 3"},
	{`a{4294967295}`, "the repetition number is too large"},
}

func TestRefusals(t *testing.T) {
	for _, refusal := range refusals {
		_, err := Compile(refusal.pattern)
		if got := replyOf(err); got.Message != refusal.message {
			t.Errorf("Compile(%+q): %s; want %s", refusal.pattern, got, refusal.message)
		}
	}
}

func TestRefusalsInCPython(t *testing.T) {
	o := newOracle(t)
	for _, refusal := range refusals {
		if want := o.ask([]question{{refusal.pattern, nil}})[0]; want.Message != refusal.message {
			t.Errorf("%+q: the table says %s, CPython %s", refusal.pattern, refusal.message, want)
		}
	}
}
