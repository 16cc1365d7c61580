package doctor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// oddStrings are those for which programs have branches of their own.
var oddStrings = []string{
	"", " ", "\t", "a", "the", "!", "\x00", "0", "-1", "1e999", "nan", "null", "None", "true", "[]", "{}", `"`, `'`, `\`, `\n`, "%s%n", "${x}", "$1", "<b>",
	"é", "\u00df", "\u0130", "\u03a3\u03c2", "\u65e5\u672c", "\u0661", "e\u0301", "\u200b", "\u00a0", "\U0001F600", "\U0001F468\u200d\U0001F469", "\u05e9\u05dc\u05d5\u05dd", "\ufffd", "\U0010FFFF",
}

// probeOddStrings puts odd strings to everything that is answered: a print, a
// crash or a broken reply may sit in a branch that is rarely taken. What the
// answers are is not looked at.
func probeOddStrings(e *exam) {
	var requests []adapters.Request
	if c := e.normalizing(); c != nil {
		for _, text := range oddStrings {
			requests = append(requests, c.normalize(text))
		}
	}
	if c := e.scorer(); c != nil {
		for _, text := range oddStrings {
			requests = append(requests, c.pair(text, text), c.pair("paris", text), c.pair(text, "paris", text))
		}
	}
	e.ask(requests...)
}

// scorer is the first claim that has any score.
func (e *exam) scorer() *claim {
	for _, c := range e.claims {
		if c.scores() {
			return c
		}
	}
	return nil
}

// character is something that gets lost or changed on the way.
type character struct {
	name string
	text string // what is put between two words
	// other is of the same sort, where two may be taken for one.
	other string
	do    string
}

const adviceWhole = "Hand the text over as it is, and not through a shell, a file or a line-based protocol of your own; let a JSON library read and write it."

var characters = []character{
	{"line feed", "\n", "", adviceWhole},
	{"CR LF", "\r\n", "", adviceWhole + " Python: open(…, newline=\"\") changes no line ends."},
	{"U+0000", "\x00", "", "C's strings end there. Hand over the length as well, or escape it. " + adviceWhole},
	{"U+2028", "\u2028", "", "splitlines() cuts there; split(\"\\n\") does not. " + adviceWhole},
	{"accents", "\u00e9", "\u00f6", "Write and read UTF-8 everywhere. Python: encoding=\"utf-8\" in every open() and subprocess.run(). Java: StandardCharsets.UTF_8. " + adviceWhole},
	{"beyond U+FFFF", "\U00010428", "\U00010429", "Go by characters and not by 16-bit units. Java and JavaScript: codePoints(), [...text]. " + adviceWhole},
	{"emoji", "\U0001F680", "", "Write and read UTF-8 everywhere, not a three-byte form of it (MySQL: utf8mb4). " + adviceWhole},
	{"byte-order mark", "\ufeff", "", "It is a character of the text here. Python: encoding=\"utf-8\" and not \"utf-8-sig\". " + adviceWhole},
}

// probe asks for a text with the character in it, and reports what no
// normalizer does: cut it there, or put something else in its place. A
// normalizer may drop it, keep it, or make it a space.
func (c character) probe(e *exam) {
	if with := e.normalizing(); with != nil {
		c.normalized(e, with)
		return
	}
	if with := e.scoring(nil); with != nil {
		c.scored(e, with)
		return
	}
	e.skip("it answers neither normalize nor a score that shows it")
}

func (c character) normalized(e *exam, with *claim) {
	text := "xy" + c.text + "vw"
	replies := e.ask(with.normalize(text), with.normalize("xy vw"), with.normalize("xyvw"), with.normalize(c.text+"xy"), with.normalize("xy"), with.normalize("\u00a0xy"), with.normalize("xy\u00a0vw"))
	for _, r := range replies {
		if !r.given() {
			return
		}
	}
	got := replies[0].answer.Text
	what := ""
	switch damage := c.damage(got); {
	case strings.Contains(replies[1].answer.Text, "vw") && strings.Contains(replies[2].answer.Text, "vw") && !strings.Contains(got, "vw"):
		what = "the text is cut at " + c.spelled()
	case damage != "":
		what = fmt.Sprintf("%s comes back as %s", c.spelled(), damage)
	case c.text == "\ufeff" && strings.Contains(got, c.text) && replies[3].answer.Text == "xy" &&
		strings.Contains(replies[6].answer.Text, "\u00a0") == strings.Contains(replies[5].answer.Text, "\u00a0"):
		what = "U+FEFF is lost where the text begins with it"
		replies[0] = replies[3]
	}
	if what != "" {
		e.find("text "+c.name, Finding{What: what, Sent: replies[0].sent, Got: replies[0].line, Rule: "text in the reply is compared byte by byte.", Do: c.do})
	}
}

// damage says what stands in the place of the character where that is nothing
// that a normalizer puts there; empty is sound.
func (c character) damage(got string) string {
	lower := strings.ToLower(got)
	first, _ := utf8.DecodeRuneInString(c.text)
	switch {
	case strings.ContainsRune(got, utf8.RuneError):
		return "U+FFFD, which stands for bytes that could not be read"
	case strings.Contains(got, "?"):
		return "a question mark"
	case c.text == "\r\n" && strings.Contains(got, "xy\nvw"):
		return "U+000A alone"
	case c.text == "\n" && strings.Contains(got, "xy\r\nvw"):
		return "U+000D U+000A"
	}
	for _, escape := range escapes(c.text) {
		if strings.Contains(lower, "xy"+escape) {
			return "an escape that was never undone"
		}
	}
	if first >= 0x80 {
		// Its UTF-8 taken for Latin-1 begins with that byte as a letter.
		lead := rune(c.text[0])
		if strings.ContainsRune(lower, lead) || strings.ContainsRune(lower, []rune(strings.ToLower(string(lead)))[0]) {
			return "several characters: UTF-8 that was taken for Latin-1"
		}
	}
	return ""
}

// escapes are the spellings of a character, lower case, with and without the
// backslash, which a normalizer takes off.
func escapes(text string) []string {
	var list []string
	add := func(escape string) { list = append(list, `\`+escape, escape) }
	switch text {
	case "\n":
		add("nvw")
	case "\r\n":
		add("r\\nvw")
		add("rnvw")
	}
	switch r, _ := utf8.DecodeRuneInString(text); {
	case text == "":
	case r > 0xffff:
		high, low := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
		add(fmt.Sprintf("u%04x", high))
		add(fmt.Sprintf("u%04x\\u%04x", high, low))
		add(fmt.Sprintf("u%08x", r))
	default:
		add(fmt.Sprintf("u%04x", r))
		if r < 0x100 {
			add(fmt.Sprintf("x%02x", r))
		}
	}
	return list
}

func (c character) spelled() string {
	var names []string
	for _, r := range c.text {
		names = append(names, fmt.Sprintf("U+%04X", r))
	}
	return strings.Join(names, " ")
}

// scored looks for two texts that are equal only when something was lost.
func (c character) scored(e *exam, with *claim) {
	key, _ := with.judge()
	requests := []adapters.Request{
		with.pair("xyvw", "xyvw"), with.pair("xyvw", "xyuz"), // a match, and none
		with.pair("xy"+c.text+"vw", "xy"+c.text+"uz"), // cut there, both are xy
	}
	collides := c.other != "" || c.text == "\r\n"
	switch {
	case c.other != "":
		requests = append(requests, with.pair("xy"+c.text+"vw", "xy"+c.other+"vw"), with.pair("xy"+c.text+"vw", "xyvw"))
	case c.text == "\r\n":
		requests = append(requests, with.pair("xy\r\nvw", "xy\nvw"), with.pair("xy\rvw", "xy vw"))
	}
	replies := e.ask(requests...)
	for _, r := range replies {
		if !r.given() {
			return
		}
	}
	full := replies[0].value(key)
	is := func(i int) bool { return replies[i].value(key) == full }
	what, show := "", replies[2]
	switch {
	case is(1):
		e.skip("it does not tell a match from a mismatch")
		return
	case key.Kind == metric.ExactMatch && is(2):
		what = "two texts that differ after " + c.spelled() + " are the same: they are cut there"
	case collides && is(3) && !is(4):
		what = "two texts that differ in one character only, " + c.spelled() + ", are the same: something else is put in its place"
		if c.text == "\r\n" {
			what = "U+000D U+000A and U+000A are the same: the line ends are changed"
		}
		show = replies[3]
	}
	if what != "" {
		e.find("text "+c.name, Finding{What: what, Sent: show.sent, Got: show.line, Rule: "What strings hold is never a condition: they arrive as they are.", Do: c.do})
	}
}
