package python_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// truthFiles hold what upstream's own source returned at each pin.
const truthFiles = "../reference/testdata/upstream-truth/*.jsonl.gz"

// kindOf maps the exceptions of the truth data to the protocol's kinds.
var kindOf = map[string]string{
	"error":             "invalid_regex", // re.error
	"ValueError":        "no_references", // max() of nothing
	"ZeroDivisionError": "empty_input",
	"TypeError":         "empty_input", // numpy's, of an array without strings
	"KeyError":          "missing_prediction",
}

// expectation is a request and what upstream returned for it.
type expectation struct {
	group   string // metric, op and pin, for the tally
	request object
	text    string
	scores  map[string]any
	kind    string // of the reply
}

type truthRow struct {
	Metric     string
	Op         string
	Text       string
	Normalized string
	Options    object
	Items      []object
	Pins       map[string]struct {
		Scores map[string]any
		Error  *struct{ Type string }
	}
}

// truth returns every row of the truth data at the pins wanted, short commits.
func truth(t *testing.T, pins ...string) []expectation {
	t.Helper()
	files, err := filepath.Glob(truthFiles)
	if err != nil || len(files) == 0 {
		t.Fatalf("no truth data at %s (%v); it is part of the repository", truthFiles, err)
	}
	var all []expectation
	for _, file := range files {
		all = append(all, readTruth(t, file, pins)...)
	}
	return all
}

func readTruth(t *testing.T, name string, pins []string) []expectation {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var found []expectation
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	for number := 1; lines.Scan(); number++ {
		var row truthRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, number, err)
		}
		for _, pin := range pins {
			found = append(found, row.at(pin)...)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return found
}

// at returns what the row says of a pin.
func (row truthRow) at(pin string) []expectation {
	if row.Op == "normalize" {
		// Recorded once: the function is the same in squad and squad_v2, at both pins.
		if pin == "10ee266" {
			return nil
		}
		return []expectation{row.normalize("squad", pin), row.normalize("squad_v2", pin)}
	}
	answer, there := row.Pins[pin]
	if !there {
		return nil
	}
	options := row.Options
	if options == nil {
		options = object{}
	}
	want := expectation{
		group:   row.Metric + " score at " + pin,
		request: object{"op": "score", "metric": row.Metric, "pin": "hf-evaluate@" + pin, "options": options, "items": row.Items},
		scores:  answer.Scores,
		kind:    "scores",
	}
	if answer.Error != nil {
		want.kind = kindOf[answer.Error.Type]
	}
	return []expectation{want}
}

func (row truthRow) normalize(metric, pin string) expectation {
	return expectation{
		group:   metric + " normalize at " + pin,
		request: object{"op": "normalize", "metric": metric, "pin": "hf-evaluate@" + pin, "options": object{}, "text": row.Text},
		text:    row.Normalized,
		kind:    "text",
	}
}

// holdToTruth puts every request to a program and requires upstream's answers:
// the same text, the same keys and doubles, an error of the same kind. It logs
// the number of rows that agreed.
func holdToTruth(t *testing.T, want []expectation, command ...string) {
	t.Helper()
	requests := make([]object, len(want))
	for i := range want {
		// Pins share their items; each request has an id of its own.
		requests[i] = maps.Clone(want[i].request)
	}
	got := run(t, number(t, requests), command...)
	if got.exit != 0 {
		t.Errorf("exit status %d; stderr ends %q", got.exit, tail(got.stderr))
	}
	agreed := map[string]int{}
	shown := 0
	for i, expected := range want {
		difference := expected.compare(got.replies[i])
		if difference == "" {
			agreed[expected.group]++
			continue
		}
		if shown++; shown <= 10 {
			request, _ := json.Marshal(expected.request)
			t.Errorf("%s: %s\nrequest: %s", expected.group, difference, request)
		}
	}
	if shown > 10 {
		t.Errorf("%d more differ", shown-10)
	}
	for _, group := range slices.Sorted(maps.Keys(agreed)) {
		t.Logf("%6d rows agree: %s", agreed[group], group)
	}
	t.Logf("%6d of %d rows agree", len(want)-shown, len(want))
}

// compare returns how a reply differs from upstream's, or "".
func (e expectation) compare(got reply) string {
	if got.kind() != e.kind {
		return fmt.Sprintf("the reply is %s, upstream's %s", got.kind(), e.kind)
	}
	if e.kind == "text" && *got.Text != e.text {
		return fmt.Sprintf("normalized to %+q, by upstream to %+q", *got.Text, e.text)
	}
	if e.kind != "scores" {
		return ""
	}
	keys := slices.Sorted(maps.Keys(e.scores))
	if gotKeys := slices.Sorted(maps.Keys(got.Scores)); !slices.Equal(gotKeys, keys) {
		return fmt.Sprintf("the score keys are %q, upstream's %q", gotKeys, keys)
	}
	for _, key := range keys {
		if !sameDouble(got.Scores[key], e.scores[key]) {
			return fmt.Sprintf("%s is %v, upstream's %v", key, got.Scores[key], e.scores[key])
		}
	}
	return ""
}

// sameDouble compares two JSON values that are numbers, bit for bit, or "nan".
func sameDouble(one, other any) bool {
	x, xNumber := one.(float64)
	y, yNumber := other.(float64)
	if xNumber && yNumber {
		return math.Float64bits(x) == math.Float64bits(y)
	}
	return one == "nan" && other == "nan"
}

func tail(text string) string {
	return text[max(0, len(text)-1000):]
}

// truthPins are the pins of the truth data.
var truthPins = strings.Fields("86baf12 a7dd338 10ee266")
