package report_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// Whatever is read, it says which golden files upstream has not confirmed, and
// a report without any says nothing of it.
func TestEveryFormatSaysWhatIsUnconfirmed(t *testing.T) {
	const one, two = "1 golden file of hf-evaluate@a7dd338 was not recorded from upstream: whitespace",
		"2 golden files of hf-evaluate@a7dd338 were not recorded from upstream: article-glue, whitespace"
	// Markdown escapes the signs that would mean something in it.
	markdown := strings.NewReplacer("@", "&#64;")
	title := "::warning title=normcert unconfirmed goldens::"
	both := []string{"whitespace", "article-glue", "whitespace"}
	for format, wants := range map[string][2]string{
		"text":       {"\nunconfirmed: " + one + "\n", "\nunconfirmed: " + two + "\n"},
		"json":       {"\"unconfirmed\": [\n        \"whitespace\"\n", "\"unconfirmed\": [\n        \"whitespace\",\n        \"article-glue\""},
		"html":       {">not recorded from upstream: whitespace<", ">not recorded from upstream: whitespace, article-glue"},
		"markdown":   {"\n**unconfirmed**: " + markdown.Replace(one) + "\n", "\n**unconfirmed**: " + markdown.Replace(two) + "\n"},
		"junit":      {`<property name="unconfirmed" value="` + one + `">`, `<property name="unconfirmed" value="` + two + `">`},
		"tap":        {"\n# unconfirmed: " + one + "\n", "\n# unconfirmed: " + two + "\n"},
		"github":     {title + one + "\n", title + two + "\n"},
		"badge-svg":  {"conformant, unconfirmed goldens</text>", "conformant, unconfirmed goldens</text>"},
		"badge-json": {`conformant, unconfirmed goldens","color":"yellow"`, `conformant, unconfirmed goldens","color":"yellow"`},
		"in-toto":    {`"unconfirmed": "whitespace"`, `"unconfirmed": "article-glue, whitespace"`},
	} {
		r := withFile(reports(t)["conformant"])
		if got := formatted(t, format, r); strings.Contains(got, "nconfirmed") || strings.Contains(got, "recorded from") {
			t.Errorf("%s of a confirmed pin:\n%s", format, got)
		}
		for i, hazards := range [][]string{both[:1], both} {
			r.Claims[0].Unconfirmed = hazards
			if got := formatted(t, format, r); !strings.Contains(got, wants[i]) {
				t.Errorf("%s lacks %q:\n%s", format, wants[i], got)
			}
		}
	}
	if len(report.Formats(false)) != 10 {
		t.Error("a format is not in the list above")
	}
}

// An unconfirmed golden makes nothing look better than it is.
func TestUnconfirmedDoesNotHideADeviation(t *testing.T) {
	r := withFile(reports(t)["deviating"])
	r.Claims[0].Unconfirmed = []string{"whitespace"}
	if got := formatted(t, "badge-json", r); !strings.Contains(got, `"color":"red"`) {
		t.Error(got)
	}
	if got := formatted(t, "in-toto", r); !strings.Contains(got, `"result": "FAILED"`) {
		t.Error(got)
	}
}

func TestMatrixSaysWhatIsUnconfirmed(t *testing.T) {
	const line = "1 golden file of hf-evaluate@a7dd338 was not recorded from upstream: whitespace"
	m := matrix(t)
	for _, one := range m.Adapters {
		if one.Err == nil && one.Report.Claims[0].Name() == "squad@hf-evaluate@a7dd338" {
			one.Report.Claims[0].Unconfirmed = []string{"whitespace"}
		}
	}
	for want, write := range map[string]func(io.Writer, *runner.Matrix) error{
		"\n**unconfirmed**: " + strings.ReplaceAll(line, "@", "&#64;") + "\n": report.MatrixMarkdown,
		"; unconfirmed: " + line + "<":                                        report.MatrixHTML,
		"\"unconfirmed\": [\n        \"whitespace\"\n":                        report.MatrixJSON,
	} {
		var out bytes.Buffer
		if err := write(&out, m); err != nil {
			t.Fatal(err)
		}
		// Of one of its two claims.
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, out.String())
		}
	}
}

// The fake is interrupted in the second of six checks.
func TestRemarks(t *testing.T) {
	list := everyReport(t)
	for name, want := range map[string][]string{
		"conformant":  nil,
		"interrupted": {"interrupted: 5 checks not reached"},
		"unconfirmed": {"unconfirmed: 1 golden file of hf-evaluate@a7dd338 was not recorded from upstream: whitespace"},
	} {
		if got := decoded(t, formatted(t, "json", list[name])).Remarks(); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestGitHubNamesASelection(t *testing.T) {
	list := reports(t)
	if got := formatted(t, "github", list["several"]); strings.Count(got, "; on 4 of 6 cases%0Anormcert certify") != 3 {
		t.Error(got)
	}
	if got := formatted(t, "github", list["conformant"]); strings.Contains(got, " cases%0A") {
		t.Error(got)
	}
}
