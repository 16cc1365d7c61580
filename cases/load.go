package cases

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/normcert/normcert/metric"
)

//go:embed *.toml sets
var embedded embed.FS

// Embedded loads the corpus that is compiled in.
func Embedded() (Corpus, error) { return Load(embedded) }

var (
	// kebab is the spelling of hazards and ids.
	kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// header is the line that begins a case.
	header = regexp.MustCompile(`^\[\[case\]\][ \t]*(#.*)?\r?$`)
)

// Load reads every *.toml at the root of files and validates it strictly. The
// error joins an *Error for each thing that is wrong, in the order of the
// files; see Errors.
func Load(files fs.FS) (Corpus, error) {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		return Corpus{}, fmt.Errorf("listing case files: %w", err)
	}
	if len(names) == 0 {
		return Corpus{}, errors.New("no case files: a corpus is one or more <hazard>.toml")
	}
	var corpus Corpus
	var problems []error
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			problems = append(problems, &Error{Place: Place{File: name}, Err: err})
			continue
		}
		hazard, err := Parse(name, content)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		corpus.Hazards = append(corpus.Hazards, hazard)
	}
	if len(problems) > 0 {
		return Corpus{}, errors.Join(problems...)
	}
	return corpus, nil
}

// Parse reads one case file; name is its file name, <hazard>.toml, and goes
// into the places of errors. The error joins an *Error for each thing wrong.
func Parse(name string, content []byte) (Hazard, error) {
	p := &parser{file: name}
	hazard := p.parse(content)
	return hazard, errors.Join(p.problems...)
}

// parser collects the problems of one file. Each case is decoded on its own,
// so that a problem has a line: the toml package places only syntax errors.
type parser struct {
	file     string
	problems []error
}

func (p *parser) problem(line int, id string, format string, args ...any) {
	p.problems = append(p.problems, &Error{Place: Place{p.file, line}, Case: id, Err: fmt.Errorf(format, args...)})
}

func (p *parser) parse(content []byte) Hazard {
	hazard := Hazard{Name: strings.TrimSuffix(path.Base(p.file), ".toml")}
	if !kebab.MatchString(hazard.Name) {
		p.problem(0, "", "the file is named after its hazard, in lower case with hyphens: empty-collapse.toml")
	}
	if at := invalidUTF8(content); at >= 0 {
		p.problem(1+strings.Count(string(content[:at]), "\n"), "", "the line is not valid UTF-8")
		return hazard
	}
	var whole map[string]any
	if _, err := toml.Decode(string(content), &whole); err != nil {
		p.syntax(err)
		return hazard
	}
	chunks := split(string(content))
	head := p.decode(chunks[0])
	hazard.About = p.head(chunks[0], head).About
	defaults := p.setups(chunks[0], head, "")
	_, defaulted := head["setups"]
	list, _ := tables(whole["case"])
	if len(list) != len(chunks)-1 || len(list) == 0 {
		p.problem(0, "", "write each case under a line of its own that reads [[case]]: found %d such lines and %d cases", len(chunks)-1, len(list))
		return hazard
	}
	lines := map[string]int{}
	for i, chunk := range chunks[1:] {
		table, _ := p.decode(chunk)["case"].([]map[string]any)
		// A header inside a multi-line string would split it; then the parts differ from the whole.
		if len(table) != 1 || !sameTable(table[0], list[i]) {
			p.problem(chunk.line, "", "the case does not stand on its own: a line that reads [[case]] may only begin a case")
			return hazard
		}
		one := p.one(chunk, table[0], hazard.Name, defaults, defaulted)
		if before, twice := lines[one.ID]; twice && one.ID != "" {
			p.problem(chunk.line, one.ID, "the id is used on line %d too; an id is never used again", before)
		}
		lines[one.ID] = chunk.line
		hazard.Cases = append(hazard.Cases, one)
	}
	return hazard
}

// sameTable compares what two decodings gave. It goes by the values' Go syntax,
// in which NaN, unlike itself, equals NaN; keys are sorted there.
func sameTable(a, b map[string]any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func invalidUTF8(content []byte) int {
	for at := 0; at < len(content); {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return -1
}

func (p *parser) syntax(err error) {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		message := parse.Message
		if message == "" {
			message = strings.TrimPrefix(parse.Error(), "toml: ")
		}
		p.problem(parse.Position.Line, "", "not TOML 1.0: %s", message)
		return
	}
	p.problem(0, "", "not TOML 1.0: %w", err)
}

// chunk is a part of a file: its head, or one case.
type chunk struct {
	text string
	line int // of its first line, from 1
}

// at returns the line of a top-level key of the chunk, or of its beginning.
func (c chunk) at(key string) int {
	pattern := regexp.MustCompile(`^[ \t]*"?` + regexp.QuoteMeta(key) + `"?[ \t]*=`)
	for i, line := range strings.Split(c.text, "\n") {
		if pattern.MatchString(line) {
			return c.line + i
		}
	}
	return c.line
}

// split cuts a file at the lines that begin a case.
func split(content string) []chunk {
	chunks := []chunk{{line: 1}}
	for i, line := range strings.SplitAfter(content, "\n") {
		if header.MatchString(strings.TrimSuffix(line, "\n")) {
			chunks = append(chunks, chunk{line: i + 1})
		}
		chunks[len(chunks)-1].text += line
	}
	return chunks
}

func (p *parser) decode(c chunk) map[string]any {
	var table map[string]any
	if _, err := toml.Decode(c.text, &table); err != nil {
		p.problem(c.line, "", "the part that begins here is not TOML on its own: %v", err)
	}
	return table
}

func (p *parser) head(c chunk, table map[string]any) Hazard {
	p.known(c, "", table, "about", "setups")
	about := p.text(c, "", table, "about")
	return Hazard{About: about}
}

// known reports every key of table that is not among the allowed ones.
func (p *parser) known(c chunk, id string, table map[string]any, allowed ...string) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(allowed, key) {
			p.problem(c.at(key), id, "unknown key %s%s", quote(key), closest(key, allowed))
		}
	}
}

// text returns a string that has to be there and be more than white space.
func (p *parser) text(c chunk, id string, table map[string]any, key string) string {
	value, there := table[key]
	text, ok := value.(string)
	switch {
	case !there:
		p.problem(c.line, id, "%s is missing", key)
	case !ok:
		p.problem(c.at(key), id, "%s is %s, not a string", key, kindOf(value))
	case strings.TrimSpace(text) == "":
		p.problem(c.at(key), id, "%s is empty", key)
	}
	return text
}

// setups reads the key of that name; nil where it is left out.
func (p *parser) setups(c chunk, table map[string]any, id string) []metric.Setup {
	value, there := table["setups"]
	if !there {
		return nil
	}
	list, ok := tables(value)
	if !ok || len(list) == 0 {
		p.problem(c.at("setups"), id, `setups is a list of at least one table such as { metric = "squad" }`)
		return nil
	}
	var setups []metric.Setup
	seen := map[string]bool{}
	for i, entry := range list {
		setup, err := setupOf(entry)
		if err != nil {
			p.problem(c.at("setups"), id, "setup %d: %w", i, err)
			continue
		}
		if seen[setup.String()] {
			p.problem(c.at("setups"), id, "setup %s is there twice", setup)
			continue
		}
		seen[setup.String()] = true
		setups = append(setups, setup)
	}
	return setups
}

func setupOf(table map[string]any) (metric.Setup, error) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if key != "metric" && key != "options" {
			return metric.Setup{}, fmt.Errorf("unknown key %s%s", quote(key), closest(key, []string{"metric", "options"}))
		}
	}
	name, ok := table["metric"].(string)
	if !ok {
		return metric.Setup{}, fmt.Errorf("metric is missing or not a string")
	}
	options, there := table["options"].(map[string]any)
	if _, given := table["options"]; given && !there {
		return metric.Setup{}, fmt.Errorf("options is %s, not a table", kindOf(table["options"]))
	}
	return metric.NewSetup(name, options)
}

// tables returns a list of tables, which the toml package decodes in two shapes.
func tables(value any) ([]map[string]any, bool) {
	switch value := value.(type) {
	case []map[string]any:
		return value, true
	case []any:
		list := make([]map[string]any, len(value))
		for i, element := range value {
			table, ok := element.(map[string]any)
			if !ok {
				return nil, false
			}
			list[i] = table
		}
		return list, true
	}
	return nil, false
}

func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64, float64:
		return "a number"
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("a %T", value)
}
