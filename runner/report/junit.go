package report

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/normcert/normcert/runner"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report as JUnit's XML, a suite for each claim and a test for
// each check. The first test of a suite is its verdict, so that a claim that is
// incomplete, or whose checks are all skipped, is never green. There are no
// times: the same answers give the same report.
func JUnit(out io.Writer, r *runner.Report) error {
	suites := junitSuites{Name: xmlText(strings.TrimSpace(r.Adapter.Name + " " + r.Adapter.Version))}
	for _, claim := range r.Claims {
		suites.add(junitClaim(r, claim))
	}
	if r.Baseline != nil && len(r.Baseline.Problems) > 0 {
		suite := junitSuite{Name: "baseline"}
		for _, problem := range r.Baseline.Problems {
			suite.add(junitCase{Class: "baseline", Name: xmlText(problem.Case + " " + problem.Setup + " at " + problem.Pin), Failure: message("stale", []string{r.Baseline.At(problem)})})
		}
		suites.add(suite)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func junitClaim(r *runner.Report, c *runner.ClaimReport) junitSuite {
	suite := junitSuite{Name: c.Name(), Properties: []junitProperty{{"signature", xmlText(r.Signature)}, {"reproduce", xmlText(commandLine(r.Reproduce()))}}}
	for _, u := range unconfirmedOf(c) {
		suite.Properties = append(suite.Properties, junitProperty{"unconfirmed", xmlText(u.String())})
	}
	for _, note := range r.Notes {
		suite.Properties = append(suite.Properties, junitProperty{"note", xmlText(note)})
	}
	verdict := junitCase{Class: c.Name(), Name: "verdict"}
	verdict.fill(claimStands(c), string(c.Verdict), []string{c.Sentence(r.Except)})
	suite.add(verdict)
	for _, result := range c.Results {
		one := junitCase{Class: c.Name(), Name: xmlText(checkName(result))}
		one.fill(standingOf(r, c, result), string(result.Outcome()), reasonOf(r, c, result))
		suite.add(one)
	}
	return suite
}

func (c *junitCase) fill(s standing, kind string, lines []string) {
	switch s {
	case holds:
	case deviates:
		c.Failure = message(kind, lines)
	case faulty, unanswered:
		c.Error = message(kind, lines)
	default:
		c.Skipped = message("", lines)
	}
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (s *junitSuites) add(suite junitSuite) {
	s.Suites = append(s.Suites, suite)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Skipped += suite.Skipped
}

// message has the first line as its summary, and all of them, where there are
// more, as its text.
func message(kind string, lines []string) *junitMessage {
	m := &junitMessage{Type: xmlText(kind)}
	if len(lines) > 0 {
		m.Message = xmlText(lines[0])
	}
	if len(lines) > 1 {
		m.Text = xmlText(strings.Join(lines, "\n"))
	}
	return m
}

// xmlText draws what XML 1.0 cannot hold, or an attribute would lose.
func xmlText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plainExactly(line)
	}
	return strings.Join(lines, "\n")
}
