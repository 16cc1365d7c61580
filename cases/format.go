package cases

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The canonical order of keys.
var (
	headOrder  = []string{"about", "setups"}
	caseOrder  = []string{"id", "prediction", "references", "intent", "no_answer_probability", "setups", "why", "purpose", "source", "items"}
	setupOrder = []string{"metric", "options"}
)

// schemaLine tells editors where the schema is; it stands first in a file.
const schemaLine = "#:schema ./schema.json"

// widest is how long a line with setups may be; then each has a line.
const widest = 130

// Format returns the canonical form of a case file: keys in one order, the
// signs = of a case below each other, an empty line between cases, a line for
// each item of a batch, escapes for what cannot be seen, LF. It never changes
// what the file says. Comments stay before the case, the key or the end that
// they stand before. A file that does not parse is returned as an error, as
// Parse gives it.
func Format(name string, content []byte) ([]byte, error) {
	before, err := Parse(name, content)
	if err != nil {
		return nil, err
	}
	scanned, err := scan(string(content))
	if err != nil {
		line := 0
		var failure *scanError
		if errors.As(err, &failure) {
			line = failure.line
		}
		return nil, &Error{Place: Place{name, line}, Err: err}
	}
	formatted := []byte(scanned.format())
	after, err := Parse(name, formatted)
	if err != nil || !before.says(after) {
		return nil, &Error{Place: Place{File: name}, Err: fmt.Errorf("a bug in normcert, please report it: the canonical form says something else (%w)", cmp.Or(err, errors.New("it parses")))}
	}
	return formatted, nil
}

// says compares all that two files say, but not where.
func (h Hazard) says(other Hazard) bool {
	return h.Name == other.Name && h.About == other.About && slices.EqualFunc(h.Cases, other.Cases, func(a, b Case) bool {
		a.Place, b.Place = Place{}, Place{}
		return fmt.Sprintf("%#v", written(a)) == fmt.Sprintf("%#v", written(b))
	})
}

// written is a case with the texts that pointers lead to.
func written(c Case) []any {
	parts := []any{c.ID, c.Single, c.Why, c.Purpose, c.Source}
	for _, setup := range c.Setups {
		parts = append(parts, setup.String())
	}
	for _, item := range c.Items {
		prediction := item.Prediction
		item.Prediction = nil
		parts = append(parts, item, prediction == nil)
		if prediction != nil {
			parts = append(parts, *prediction)
		}
	}
	return parts
}

func (d document) format() string {
	var out strings.Builder
	out.WriteString(schemaLine + "\n")
	writeFields(&out, d.head.fields, headOrder)
	for _, one := range d.cases {
		out.WriteByte('\n')
		writeLines(&out, one.comments)
		out.WriteString("[[case]]" + spaced(one.trailing) + "\n")
		writeFields(&out, one.fields, caseOrder)
	}
	if len(d.tail) > 0 {
		out.WriteByte('\n')
		writeLines(&out, d.tail)
	}
	return out.String()
}

func writeLines(out *strings.Builder, lines []string) {
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
}

func spaced(comment string) string {
	if comment == "" {
		return ""
	}
	return " " + comment
}

// ordered returns the fields by the order of their keys.
func ordered(fields []field, order []string) []field {
	rank := func(f field) int {
		if at := slices.Index(order, f.key); at >= 0 {
			return at
		}
		return len(order)
	}
	return slices.SortedStableFunc(slices.Values(fields), func(a, b field) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.key, b.key))
	})
}

func writeFields(out *strings.Builder, fields []field, order []string) {
	width := 0
	for _, f := range fields {
		width = max(width, len(f.key))
	}
	for _, f := range ordered(fields, order) {
		// The line that editors look for is written first, whatever key it was before.
		writeLines(out, slices.DeleteFunc(slices.Clone(f.comments), func(c string) bool { return c == schemaLine }))
		fmt.Fprintf(out, "%-*s = %s%s\n", width, f.key, f.value.top(f.key, width), spaced(f.trailing))
	}
}

// top writes the value of a key of a case or of the head.
func (n node) top(key string, width int) string {
	switch {
	case key == "items":
		return n.lines(caseOrder)
	case key == "setups":
		line := n.line(setupOrder)
		if width+len(" = ")+len(line) > widest {
			return n.lines(setupOrder)
		}
		return line
	}
	return n.line(nil)
}

// lines writes a list with a line for each element.
func (n node) lines(order []string) string {
	if n.kind != list || len(n.elements) == 0 {
		return n.line(order)
	}
	var out strings.Builder
	out.WriteString("[\n")
	for _, element := range n.elements {
		out.WriteString("  " + element.line(order) + ",\n")
	}
	out.WriteString("]")
	return out.String()
}

func (n node) line(order []string) string {
	switch n.kind {
	case text:
		return respell(n.raw)
	case list:
		parts := make([]string, len(n.elements))
		for i, element := range n.elements {
			parts[i] = element.line(order)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case table:
		if len(n.fields) == 0 {
			return "{}"
		}
		var parts []string
		for _, f := range ordered(n.fields, order) {
			parts = append(parts, f.key+" = "+f.value.line(nil))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return number(n.raw)
}

// number writes a number as a decimal fraction where that is short; true and
// false, and what is no finite number, stay as they are.
func number(raw string) string {
	f, err := strconv.ParseFloat(strings.ReplaceAll(raw, "_", ""), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return raw
	}
	if f != 0 && (math.Abs(f) < 1e-6 || math.Abs(f) >= 1e15) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	decimal := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(decimal, ".") {
		decimal += ".0"
	}
	return decimal
}
