package runner

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/normcert/normcert/internal/version"
)

// header begins an entry of a baseline.
const header = "[[known]]"

// entryText is an entry as its file has it: the comments right above it, the
// header, and what follows up to the next.
type entryText struct {
	line  int // of the header, from 1
	text  string
	known Known
}

// ParseBaseline reads a baseline file. The error names file and line.
func ParseBaseline(name string, content []byte) (*Baseline, error) {
	_, entries, err := parseBaseline(name, content)
	if err != nil {
		return nil, err
	}
	b := &Baseline{File: name}
	for _, entry := range entries {
		b.Entries = append(b.Entries, entry.known)
	}
	return b, nil
}

func parseBaseline(name string, content []byte) (head string, entries []entryText, err error) {
	var whole map[string]any
	if _, err := toml.Decode(string(content), &whole); err != nil {
		var where toml.ParseError
		if errors.As(err, &where) {
			return "", nil, fmt.Errorf("%s:%d: %s", name, where.Position.Line, where.Message)
		}
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	for key := range whole {
		if key != "known" {
			return "", nil, fmt.Errorf("%s: unknown key %q; a baseline has [[known]] tables only", name, key)
		}
	}
	head, entries = splitBaseline(string(content))
	tables, are := whole["known"].([]map[string]any)
	if whole["known"] != nil && !are || len(tables) != len(entries) {
		return "", nil, fmt.Errorf("%s: write each entry as a table of its own that begins with a line %s", name, header)
	}
	seen := map[string]int{}
	for i := range entries {
		known, err := parseKnown(entries[i].text)
		if err == nil {
			key := known.Case + " " + known.Setup + " " + known.Pin
			if line, twice := seen[key]; twice {
				err = fmt.Errorf("the entry of line %d is of the same check", line)
			}
			seen[key] = entries[i].line
		}
		if err != nil {
			return "", nil, fmt.Errorf("%s:%d: %w", name, entries[i].line, err)
		}
		known.Line = entries[i].line
		entries[i].known = known
	}
	return head, entries, nil
}

// splitBaseline cuts a file before every header, and before the comments right above one.
func splitBaseline(content string) (head string, entries []entryText) {
	lines := strings.SplitAfter(content, "\n")
	start := 0
	flush := func(end int) {
		text := strings.Join(lines[start:end], "")
		if len(entries) == 0 {
			head = text
		} else {
			entries[len(entries)-1].text = text
		}
		start = end
	}
	for i, line := range lines {
		if strings.TrimSpace(line) != header {
			continue
		}
		from := i
		for from > start && strings.HasPrefix(strings.TrimSpace(lines[from-1]), "#") {
			from--
		}
		// The comments at the top are the file's, not the first entry's.
		if len(entries) == 0 && from == 0 {
			from = i
		}
		flush(from)
		entries = append(entries, entryText{line: i + 1})
	}
	flush(len(lines))
	return head, entries
}

func parseKnown(text string) (Known, error) {
	var whole struct{ Known []map[string]any }
	if _, err := toml.Decode(text, &whole); err != nil || len(whole.Known) != 1 {
		return Known{}, errors.Join(errors.New("the entry cannot be read by itself"), err)
	}
	var k Known
	texts := map[string]*string{"case": &k.Case, "setup": &k.Setup, "pin": &k.Pin, "class": &k.Class, "reason": &k.Reason, "url": &k.URL}
	table := whole.Known[0]
	for _, key := range slices.Sorted(maps.Keys(table)) {
		value := table[key]
		var err error
		switch target := texts[key]; {
		case target != nil:
			var is bool
			if *target, is = value.(string); !is {
				err = fmt.Errorf("%s is a string", key)
			}
		case key == "until":
			k.Until, err = day(value)
		case key == "observed":
			k.Observed, err = observedOf(value)
		default:
			err = fmt.Errorf("unknown key %q; there are case, setup, pin, class, observed, reason, url, until", key)
		}
		if err != nil {
			return k, err
		}
	}
	switch {
	case k.Case == "" || k.Setup == "" || k.Pin == "":
		return k, errors.New("an entry has case, setup and pin")
	case k.Class != Bug && k.Class != Wontfix:
		return k, fmt.Errorf("class is %q; it is %s or %s", k.Class, Bug, Wontfix)
	case len(k.Observed) == 0:
		return k, errors.New("an entry has observed: what deviates, and how")
	}
	return k, nil
}

func day(value any) (string, error) {
	switch value := value.(type) {
	case time.Time:
		return Day(value), nil
	case string:
		_, err := time.Parse(time.DateOnly, value)
		if err == nil {
			return value, nil
		}
	}
	return "", errors.New("until is a day, 2026-12-31")
}

func observedOf(value any) (map[string]string, error) {
	table, is := value.(map[string]any)
	observed := map[string]string{}
	for name, how := range table {
		text, isText := how.(string)
		is = is && isText
		observed[name] = text
	}
	if !is {
		return nil, errors.New(`observed is a table of strings, { exact_match = "different 0" }`)
	}
	return observed, nil
}

// Update returns the content of a baseline file with what the report observed:
// entries that no longer deviate, or do not exist, are gone; of those that
// deviate otherwise only the line observed is changed; new ones are at the end,
// in the order of the report, with a class. All else is kept byte for byte, and
// so are entries that the run says nothing about.
func (r *Report) Update(name string, content []byte, all Selection, class string) ([]byte, error) {
	head, entries, err := parseBaseline(name, content)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		head = "# Deviations that are known: normcert certify --baseline FILE. Written by normcert " + version.Version + " baseline write;\n# class, reason, url and until are yours.\n"
	}
	observations := r.Observations()
	var out strings.Builder
	out.WriteString(head)
	for _, entry := range entries {
		at := slices.IndexFunc(observations, func(o Known) bool {
			return o.Case == entry.known.Case && o.Setup == entry.known.Setup && o.Pin == entry.known.Pin
		})
		switch {
		case at >= 0:
			out.WriteString(entry.with(observations[at].Observed))
			observations = slices.Delete(observations, at, at+1)
		case r.saysNothingOf(entry.known, all):
			out.WriteString(entry.text)
		}
	}
	for _, new := range observations {
		if text := out.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
			if !strings.HasSuffix(text, "\n") {
				out.WriteByte('\n')
			}
			out.WriteByte('\n')
		}
		new.Class = class
		out.WriteString(new.String())
	}
	return []byte(out.String()), nil
}

// saysNothingOf reports whether the run did not judge an entry that exists.
func (r *Report) saysNothingOf(k Known, all Selection) bool {
	if !all.Exists(k.Case, k.Setup, k.Pin) {
		return false
	}
	for _, claim := range r.Claims {
		for _, result := range claim.Results {
			if k.is(claim, result) {
				return result.Outcome().Incomplete()
			}
		}
	}
	return true
}

var observedLine = regexp.MustCompile(`(?m)^([ \t]*observed[ \t]*=[ \t]*)\{.*\}`)

// with is the entry with another observation.
func (e entryText) with(observed map[string]string) string {
	if maps.Equal(e.known.Observed, observed) {
		return e.text
	}
	if at := observedLine.FindStringSubmatchIndex(e.text); at != nil {
		return e.text[:at[3]] + inline(observed) + e.text[at[1]:]
	}
	changed := e.known
	changed.Observed = observed
	return changed.String()
}

// String is the entry as TOML.
func (k Known) String() string {
	var out strings.Builder
	out.WriteString(header + "\n")
	for _, pair := range [][2]string{{"case", tomlString(k.Case)}, {"setup", tomlString(k.Setup)}, {"pin", tomlString(k.Pin)}, {"class", tomlString(k.Class)}, {"observed", inline(k.Observed)}, {"reason", tomlString(k.Reason)}} {
		fmt.Fprintf(&out, "%-8s = %s\n", pair[0], pair[1])
	}
	if k.URL != "" {
		fmt.Fprintf(&out, "%-8s = %s\n", "url", tomlString(k.URL))
	}
	if k.Until != "" {
		fmt.Fprintf(&out, "%-8s = %s\n", "until", k.Until)
	}
	return out.String()
}

func inline(observed map[string]string) string {
	parts := make([]string, 0, len(observed))
	for _, name := range slices.Sorted(maps.Keys(observed)) {
		parts = append(parts, name+" = "+tomlString(observed[name]))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// tomlString is a literal string where the text can be one and has a quote or a
// backslash, else a basic one.
func tomlString(text string) string {
	literal := strings.ContainsAny(text, `"\`) && !strings.ContainsFunc(text, func(r rune) bool { return r == '\'' || r < ' ' || r > '~' })
	if literal {
		return "'" + text + "'"
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r >= ' ' && r != 0x7f && strconv.IsPrint(r):
			out.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04X`, r)
		default:
			fmt.Fprintf(&out, `\U%08X`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
