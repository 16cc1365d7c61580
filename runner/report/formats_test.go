package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sebdah/goldie/v2"

	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// withFile gives a report a file to be about.
func withFile(r *runner.Report) *runner.Report {
	r.Files = []runner.File{{Path: "acme_norm.py", SHA256: strings.Repeat("0123456789abcdef", 4)}}
	return r
}

// baselined is a report that knows its deviations, and entries that do not hold.
func baselined(t *testing.T) *runner.Report {
	t.Helper()
	r := reports(t)["deviating"]
	b := &runner.Baseline{File: "known.toml"}
	for i, known := range r.Observations() {
		known.Class, known.Reason, known.Line = runner.Wontfix, "articles first is what our users see: 100%", 3+8*i
		b.Entries = append(b.Entries, known)
	}
	b.Entries = append(b.Entries,
		runner.Known{Case: "empty-collapse/bare-article", Setup: "squad", Pin: "hf-evaluate@a7dd338", Class: runner.Bug, Observed: map[string]string{"f1": "different 0"}, Line: 100},
		runner.Known{Case: "gone/gone", Setup: "squad", Pin: "hf-evaluate@a7dd338", Class: runner.Bug, Observed: map[string]string{"f1": "different 0"}, Line: 108},
	)
	r.Apply(b, config(t), "2026-01-31")
	return r
}

func formatted(t *testing.T, name string, r *runner.Report) string {
	t.Helper()
	format, err := report.Named(name, false)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := format.Write(&out, r); err != nil {
		t.Fatalf("writing %s: %v", name, err)
	}
	return out.String()
}

// everyReport are the reports that each format is shown and read back of.
func everyReport(t *testing.T) map[string]*runner.Report {
	list := reports(t)
	list["baselined"] = baselined(t)
	list["unconfirmed"] = reports(t)["conformant"]
	list["unconfirmed"].Claims[0].Unconfirmed = []string{"whitespace"}
	for _, r := range list {
		withFile(r)
	}
	return list
}

// The formats as goldens. After a change that is meant:
//
//	go test ./runner/report -update
func TestFormats(t *testing.T) {
	for name, r := range everyReport(t) {
		for _, format := range report.Formats(false) {
			if format.Name == "text" || format.Name == "json" {
				if name != "baselined" {
					continue // TestReports has them
				}
			}
			t.Run(name+"."+format.Name, func(t *testing.T) {
				text := formatted(t, format.Name, r)
				text = strings.ReplaceAll(text, "normcert:"+version.Version, "normcert:VERSION")
				text = strings.ReplaceAll(text, `"normcert": "`+version.Version+`"`, `"normcert": "VERSION"`)
				text = strings.ReplaceAll(text, "normcert "+version.Version, "normcert VERSION")
				text = embeddedFiles.ReplaceAllString(text, "<$1>…</$1>")
				goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, name+"."+format.Name, []byte(text))
			})
		}
	}
}

// embeddedFiles of a page are shown by no golden; they are files of their own.
var embeddedFiles = regexp.MustCompile(`(?s)<(style|script)>.*?</(?:style|script)>`)

func schemaOf(t *testing.T, name string, content []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func holdsTo(schema *jsonschema.Schema, text string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func TestCertificateHoldsToItsSchema(t *testing.T) {
	schema := schemaOf(t, "certificate.json", report.Schema)
	for name, r := range everyReport(t) {
		text := formatted(t, "json", r)
		if err := holdsTo(schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// It reads back as what was written.
		c, err := report.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var again bytes.Buffer
		if err := c.Write(&again); err != nil || again.String() != text {
			t.Errorf("%s is another after reading it, %v", name, err)
		}
	}
	for _, wrong := range []string{`{}`, `{"kind":"normcert certificate 1"}`} {
		if err := holdsTo(schema, wrong); err == nil {
			t.Errorf("the schema takes %s", wrong)
		}
	}
}

// junit is the shape of the file as encoding/xml reads it, written from the
// schema of Jenkins' xUnit plugin.
type junit struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Class   string    `xml:"classname,attr"`
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnitReadsBack(t *testing.T) {
	for name, r := range everyReport(t) {
		var got junit
		if err := xml.Unmarshal([]byte(formatted(t, "junit", r)), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tests, failures, faults, skipped := 0, 0, 0, 0
		for _, suite := range got.Suites {
			names := map[string]bool{}
			own := [3]int{}
			for _, one := range suite.Cases {
				if names[one.Name] {
					t.Errorf("%s: two tests are called %s", name, one.Name)
				}
				names[one.Name] = true
				if one.Failure != nil {
					own[0]++
				}
				if one.Error != nil {
					own[1]++
				}
				if one.Skipped != nil {
					own[2]++
				}
			}
			if suite.Tests != len(suite.Cases) || [3]int{suite.Failures, suite.Errors, suite.Skipped} != own {
				t.Errorf("%s: suite %s counts otherwise than it has tests", name, suite.Name)
			}
			tests, failures, faults, skipped = tests+suite.Tests, failures+suite.Failures, faults+suite.Errors, skipped+suite.Skipped
		}
		if got.Tests != tests || got.Failures != failures || got.Errors != faults || got.Skipped != skipped {
			t.Errorf("%s: the totals are not the sums", name)
		}
		// Red in JUnit is what the exit code says, and only that.
		if red := failures+faults > 0; red != (r.ExitCode() != 0) {
			t.Errorf("%s: %d failures and %d errors with exit code %d", name, failures, faults, r.ExitCode())
		}
	}
}

var (
	tapPlan  = regexp.MustCompile(`^1\.\.([0-9]+)$`)
	tapPoint = regexp.MustCompile(`^(not )?ok ([0-9]+) - ((?:[^#\\]|\\[#\\])*?)( # (SKIP|TODO)(?: (?:[^#\\]|\\[#\\])*)?)?$`)
)

// The grammar of https://testanything.org/tap-version-14-specification.html.
func TestTAPHoldsToTheGrammar(t *testing.T) {
	for name, r := range everyReport(t) {
		lines := strings.Split(strings.TrimSuffix(formatted(t, "tap", r), "\n"), "\n")
		if lines[0] != "TAP version 14" {
			t.Fatalf("%s begins with %q", name, lines[0])
		}
		planned, points, red, yaml := -1, 0, 0, false
		for _, line := range lines[1:] {
			switch point := tapPoint.FindStringSubmatch(line); {
			case yaml && line == "  ...":
				yaml = false
			case yaml && !strings.HasPrefix(line, "  "):
				t.Fatalf("%s: %q in a YAML block", name, line)
			case yaml:
				if text, is := strings.CutPrefix(line, "    - "); is && !json.Valid([]byte(text)) {
					t.Errorf("%s: %q is no scalar", name, line)
				}
			case line == "  ---":
				yaml = true
			case strings.HasPrefix(line, "# "):
			case tapPlan.MatchString(line) && planned < 0:
				planned, _ = strconv.Atoi(tapPlan.FindStringSubmatch(line)[1])
			case point != nil:
				points++
				if point[2] != strconv.Itoa(points) {
					t.Errorf("%s: %q is number %d", name, line, points)
				}
				if point[1] != "" && point[5] != "TODO" {
					red++
				}
			default:
				t.Fatalf("%s: %q fits no rule", name, line)
			}
		}
		if planned != points || yaml {
			t.Errorf("%s: %d points, %d planned", name, points, planned)
		}
		if (red > 0) != (r.ExitCode() != 0) {
			t.Errorf("%s: %d not ok with exit code %d", name, red, r.ExitCode())
		}
	}
}

var githubLine = regexp.MustCompile(`^::(error|warning|notice) ((?:file|line|title)=[^:,\r\n]*(?:,(?:file|line|title)=[^:,\r\n]*)*)::(.*)$`)

// The grammar of workflow commands; % is followed by an escape only.
func TestGitHubHoldsToTheGrammar(t *testing.T) {
	escape := regexp.MustCompile(`%(25|0D|0A|3A|2C)`)
	for name, r := range everyReport(t) {
		levels := map[string]int{}
		for line := range strings.SplitSeq(strings.TrimSuffix(formatted(t, "github", r), "\n"), "\n") {
			parts := githubLine.FindStringSubmatch(line)
			if parts == nil {
				t.Fatalf("%s: %q", name, line)
			}
			if strings.Contains(escape.ReplaceAllString(line, ""), "%") {
				t.Errorf("%s: a bare %% in %q", name, line)
			}
			levels[parts[1]]++
		}
		if (levels["error"] > 0) != (r.ExitCode() == 1) {
			t.Errorf("%s: %v with exit code %d", name, levels, r.ExitCode())
		}
	}
}

func TestBadges(t *testing.T) {
	for name, r := range everyReport(t) {
		var badge struct {
			SchemaVersion         int
			Label, Message, Color string
			IsError               bool
		}
		decoder := json.NewDecoder(strings.NewReader(formatted(t, "badge-json", r)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&badge); err != nil {
			t.Fatal(err)
		}
		if badge.SchemaVersion != 1 || badge.Label == "" || badge.Message == "" {
			t.Errorf("%s: %+v", name, badge)
		}
		if green := badge.Color == "brightgreen"; green != (name == "conformant") {
			t.Errorf("%s is %s", name, badge.Color)
		}
		svg := formatted(t, "badge-svg", r)
		title := wellFormed(t, svg)
		if title["title"] != badge.Label+": "+badge.Message {
			t.Errorf("%s: the badge reads %q", name, title["title"])
		}
	}
}

// wellFormed reads XML to its end and returns the text of each element.
func wellFormed(t *testing.T, text string) map[string]string {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	texts := map[string]string{}
	var open []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				texts[open[len(open)-1]] += string(token)
			}
		}
	}
}

// The statement layer and the predicate as their specifications have them:
// https://github.com/in-toto/attestation, spec/v1 and spec/predicates/test-result.
const inTotoSchema = `{
  "type": "object", "additionalProperties": false, "required": ["_type", "subject", "predicateType", "predicate"],
  "properties": {
    "_type": {"const": "https://in-toto.io/Statement/v1"},
    "subject": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/resource"}},
    "predicateType": {"const": "https://in-toto.io/attestation/test-result/v0.1"},
    "predicate": {
      "type": "object", "required": ["result", "configuration"], "additionalProperties": false,
      "properties": {
        "result": {"enum": ["PASSED", "WARNED", "FAILED"]},
        "configuration": {"type": "array", "items": {"$ref": "#/$defs/resource"}},
        "url": {"type": "string"},
        "passedTests": {"type": "array", "items": {"type": "string"}},
        "warnedTests": {"type": "array", "items": {"type": "string"}},
        "failedTests": {"type": "array", "items": {"type": "string"}}
      }
    }
  },
  "$defs": {"resource": {
    "type": "object", "required": ["digest"],
    "properties": {"name": {"type": "string"}, "annotations": {"type": "object"}, "digest": {"type": "object", "properties": {"sha256": {"pattern": "^[0-9a-f]{64}$"}}}}
  }}
}`

func TestInToto(t *testing.T) {
	schema := schemaOf(t, "in-toto.json", []byte(inTotoSchema))
	want := map[string]string{"conformant": "PASSED", "deviating": "FAILED", "faulty": "FAILED", "several": "WARNED", "interrupted": "FAILED", "baselined": "FAILED", "unconfirmed": "WARNED"}
	for name, r := range everyReport(t) {
		text := formatted(t, "in-toto", r)
		if err := holdsTo(schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var statement struct {
			Predicate struct{ Result string }
		}
		if err := json.Unmarshal([]byte(text), &statement); err != nil || statement.Predicate.Result != want[name] {
			t.Errorf("%s is %s, %v", name, statement.Predicate.Result, err)
		}
	}
	var out bytes.Buffer
	if err := report.InToto(&out, reports(t)["conformant"]); !errors.Is(err, report.ErrNoSubject) || out.Len() > 0 {
		t.Errorf("a statement about nothing: %v", err)
	}
}

// Each row of a table has as many cells as its head, and nothing in a cell is markup.
func TestMarkdownTables(t *testing.T) {
	unescaped := regexp.MustCompile(`(?:^|[^\\])\|`)
	for name, r := range everyReport(t) {
		columns := 0
		for line := range strings.SplitSeq(formatted(t, "markdown", r), "\n") {
			if !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			got := len(unescaped.FindAllString(line, -1))
			if columns == 0 {
				columns = got
			}
			if got != columns {
				t.Errorf("%s: %d cells and not %d: %s", name, got, columns, line)
			}
			if strings.ContainsAny(line, "\u00a0\x1b") {
				t.Errorf("%s: something that cannot be seen: %q", name, line)
			}
		}
	}
}

// disk has no room after some bytes.
type disk struct{ left int }

var errNoRoom = errors.New("no room")

func (d *disk) Write(content []byte) (int, error) {
	if len(content) > d.left {
		return 0, errNoRoom
	}
	d.left -= len(content)
	return len(content), nil
}

func TestFormatsPassOnErrors(t *testing.T) {
	r := withFile(reports(t)["deviating"])
	for _, format := range report.Formats(false) {
		for _, room := range []int{0, 60} {
			if err := format.Write(&disk{room}, r); !errors.Is(err, errNoRoom) {
				t.Errorf("%s with room for %d bytes: %v", format.Name, room, err)
			}
		}
	}
}
