package cases

import (
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

// Files are the case files that are compiled in, and what lies beside them.
func Files() fs.FS { return embedded }

// Lint returns what a reviewer should not have to look for in case files that
// Load takes: characters that cannot be seen, reasons that are no plain
// sentences or are given twice, intents that contradict each other, sources
// that lead nowhere, characters that are not the same in every Unicode version.
// What it takes goldens to see is runner.Lint's. The problems are in the order
// of files and lines. The error is that of Load.
func Lint(files fs.FS) ([]*Error, error) {
	corpus, err := Load(files)
	if err != nil {
		return nil, err
	}
	l := &linter{}
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		l.file(name, string(content))
	}
	l.sentences(corpus)
	for one := range corpus.Cases {
		l.source(one)
		l.unicode(one)
		l.twins(one)
	}
	slices.SortStableFunc(l.problems, func(a, b *Error) int { return a.Place.compare(b.Place) })
	return l.problems, nil
}

func (p Place) compare(other Place) int {
	if p.File != other.File {
		return strings.Compare(p.File, other.File)
	}
	return p.Line - other.Line
}

type linter struct {
	problems []*Error
	intents  map[string]judged // by strings
}

type judged struct {
	intent Intent
	by     string
}

func (l *linter) problem(place Place, id, format string, args ...any) {
	l.problems = append(l.problems, &Error{Place: place, Case: id, Err: fmt.Errorf(format, args...)})
}

var idLine = regexp.MustCompile(`(?m)^[ \t]*"?id"?[ \t]*=[ \t]*["']([a-z0-9-]+)["']`)

// file looks at the text as a reviewer does, strings and comments alike.
func (l *linter) file(name, content string) {
	for i, part := range split(content) {
		id := ""
		if found := idLine.FindStringSubmatch(part.text); i > 0 && found != nil {
			id = strings.TrimSuffix(name, ".toml") + "/" + found[1]
		}
		line := part.line
		for text := range strings.Lines(part.text) {
			l.seen(Place{name, line}, id, strings.TrimSuffix(text, "\n"))
			line++
		}
	}
	if !strings.HasPrefix(content, schemaLine+"\n") {
		l.problem(Place{name, 1}, "", "the first line is not %s, by which editors find the schema; normcert case fmt writes it", schemaLine)
	}
}

// seen names the characters of a line that have to be escaped. What stands
// before an escape or a quote is not what a character after it is seen with.
func (l *linter) seen(place Place, id, line string) {
	literal := ""
	for line != "" {
		r, size, wasEscaped := oneCharacter(line)
		line = line[size:]
		why := ""
		if !wasEscaped {
			why = unclear(literal, r)
		}
		switch {
		case why != "":
			l.problem(place, id, "%U %s; write it as %s, or let normcert case fmt do it", r, why, escaped(r))
			literal = ""
		case wasEscaped || r == '"':
			literal = ""
		default:
			literal += string(r)
		}
	}
}

// sentenceEnd is where a sentence ends and another may begin: after a full stop
// of which no abbreviation is known.
var sentenceEnd = regexp.MustCompile(`[.!?]["”’)]*(\s+["“(]*[A-Z0-9]|$)`)

// advice is what ought to be; a reason says what is.
var advice = regexp.MustCompile(`(?i)\bshould\b`)

// mostSentences is what a reviewer reads in one look.
const mostSentences = 2

func (l *linter) sentences(corpus Corpus) {
	for _, hazard := range corpus.Hazards {
		l.plain(Case{Place: Place{hazard.Name + ".toml", 1}}, "about", hazard.About)
	}
	known := map[string]string{}
	for one := range corpus.Cases {
		texts := []struct{ key, text string }{{"why", one.Why}}
		if one.Purpose != "" {
			texts = append(texts, struct{ key, text string }{"purpose", one.Purpose})
		}
		for _, t := range texts {
			l.plain(one, t.key, t.text)
		}
		folded := strings.Join(strings.Fields(strings.ToLower(one.Why)), " ")
		if before, twice := known[folded]; twice {
			l.problem(one.Place, one.ID, "why is that of %s too, word for word; say what is different here", before)
		} else {
			known[folded] = one.ID
		}
	}
}

func (l *linter) plain(one Case, key, text string) {
	switch ends := len(sentenceEnd.FindAllString(text, -1)); {
	case !sentenceEnd.MatchString(text[max(0, len(text)-4):]):
		l.problem(one.Place, one.ID, "%s is no sentence: it ends without a full stop", key)
	case ends > mostSentences:
		l.problem(one.Place, one.ID, "%s has %d sentences; one or two say it", key, ends)
	}
	if found := advice.FindString(text); found != "" {
		l.problem(one.Place, one.ID, "%s says %q; say what a person judges and what happens, not what ought to be", key, found)
	}
	if strings.ContainsAny(text, "`\n\r") || strings.Contains(text, "**") || strings.Contains(text, "  ") {
		l.problem(one.Place, one.ID, "%s is not plain text: no markup, no line ends, single spaces", key)
	}
}

func (l *linter) source(one Case) {
	if one.Source == "" {
		return
	}
	address, err := url.Parse(one.Source)
	if err != nil || address.Host == "" || !strings.Contains(address.Hostname(), ".") || address.User != nil || strings.ContainsAny(one.Source, " <>\"") {
		l.problem(one.Place, one.ID, "source %s is no address that leads somewhere", quote(one.Source))
	} else if strings.TrimRight(one.Source, ".,;)") != one.Source {
		l.problem(one.Place, one.ID, "source %s ends in a sign that belongs to the text around it", quote(one.Source))
	}
}

// unicode names the characters whose answers depend on the Unicode version: a
// newer Python would not reproduce the goldens.
func (l *linter) unicode(one Case) {
	if strings.Contains(one.Why+one.Purpose, "Unicode") {
		return
	}
	for _, text := range one.texts() {
		for _, r := range text {
			if changed := pystr.Category(r) == "Cn"; changed || changedSince14[r] {
				l.problem(one.Place, one.ID, "%U is not the same in Unicode %s and in newer versions; take another character, or say in why or purpose that the Unicode version is what the case shows", r, pystr.UnicodeVersion)
				return
			}
		}
	}
}

// texts are all strings that a case puts to a metric.
func (c Case) texts() []string {
	var texts []string
	for _, item := range c.Items {
		if item.Prediction != nil {
			texts = append(texts, *item.Prediction)
		}
		texts = append(texts, item.References...)
	}
	for _, setup := range c.Setups {
		for name := range setup.Options {
			patterns, _ := setup.Options.Patterns(name)
			texts = append(texts, patterns...)
		}
	}
	return texts
}

// twins names items that have the strings of another and another intent. The
// order of the references is nothing to a person; the probability that there is
// no answer may be.
func (l *linter) twins(one Case) {
	if l.intents == nil {
		l.intents = map[string]judged{}
	}
	for i, item := range one.Items {
		shared := slices.ContainsFunc(one.Items, func(other Item) bool { return other.ID == item.ID && other.Prediction != nil })
		if item.Prediction == nil && shared {
			continue // it may be answered by the other
		}
		key := "-"
		if item.Prediction != nil {
			key = quote(*item.Prediction)
		}
		key += fmt.Sprintf(" %q %v", slices.Sorted(slices.Values(item.References)), item.NoAnswerProbability)
		before, there := l.intents[key]
		if !there {
			l.intents[key] = judged{item.Intent, one.ID}
		} else if before.intent != item.Intent {
			l.problem(one.Place, one.ID, "item %d is %s, and the same strings are %s in %s", i, item.Intent, before.intent, before.by)
		}
	}
}
