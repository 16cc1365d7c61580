package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sebdah/goldie/v2"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/internal/pytest"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// matrix are six adapters over the same checks, one of which cannot be run.
func matrix(t *testing.T) *runner.Matrix {
	t.Helper()
	all := config(t)
	squad := map[string]adapters.Support{"squad": full("squad")}
	one := func(name string, adapter adapters.Adapter, metrics map[string]adapters.Support) runner.Contestant {
		own := all
		own.Command = []string{"./" + name}
		return runner.Contestant{Contender: runner.Contender{Name: name, Command: own.Command}, Report: certify(t, acme{metrics: metrics, truth: adapter}, own)}
	}
	return runner.NewMatrix([]runner.Contestant{
		one("truth", varied(t), squad),
		one("articles-first", varied(t, "articles-first"), squad),
		one("only | normalizes", varied(t, "articles-first"), map[string]adapters.Support{"squad": {Answers: []string{"normalize"}}}),
		one("set-f1", varied(t, "set-f1"), squad),
		one("<other>", varied(t), map[string]adapters.Support{"exact_match": full("exact_match")}),
		{Contender: runner.Contender{Name: "gone", Command: []string{"./gone"}}, Err: errors.New("starting ./gone: no such file or directory")},
	})
}

func matrixIn(t *testing.T, write func(io.Writer, *runner.Matrix) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, matrix(t)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestMatrixFormats(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *runner.Matrix) error{
		"markdown": report.MatrixMarkdown, "json": report.MatrixJSON, "html": report.MatrixHTML,
	} {
		text := matrixIn(t, write)
		text = strings.ReplaceAll(text, "normcert:"+version.Version, "normcert:VERSION")
		text = strings.ReplaceAll(text, "normcert "+version.Version, "normcert VERSION")
		text = embeddedFiles.ReplaceAllString(text, "<$1>…</$1>")
		goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, "matrix."+name, []byte(text))
	}
}

// What is alike and what splits, by hand: the one that only normalizes gives the
// forms that articles-first gives, and the truth is told apart by the two cases
// of article-glue.
func TestMatrix(t *testing.T) {
	m := matrix(t)
	if len(m.Alike) != 1+1 || strings.Join(m.Alike[0], "+") != "truth+set-f1" || strings.Join(m.Alike[1], "+") != "articles-first+only | normalizes" {
		t.Errorf("alike are %v", m.Alike)
	}
	if len(m.Splits) == 0 || m.Splits[0].Result.Case.Hazard() != "article-glue" {
		t.Errorf("split by %v", m.Splits)
	}
	for _, claim := range m.Claims {
		if claim.Claim == "squad@hf-evaluate@a7dd338" && (len(claim.Rows) != 4 || strings.Join(claim.Things, "") != "normalize") {
			t.Errorf("in common are %v of %d", claim.Things, len(claim.Rows))
		}
	}
}

func pages(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{"matrix": matrixIn(t, report.MatrixHTML)}
	for name, r := range everyReport(t) {
		list[name] = formatted(t, "html", r)
	}
	return list
}

func TestPagesAreWellFormedAndSelfContained(t *testing.T) {
	for name, page := range pages(t) {
		decoder := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>\n")))
		decoder.Strict, decoder.Entity = false, xml.HTMLEntity
		ids := map[string]bool{}
		var targets []string
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			start, is := token.(xml.StartElement)
			if !is {
				continue
			}
			for _, attribute := range start.Attr {
				value := attribute.Value
				switch attribute.Name.Local {
				case "src", "srcset", "action", "data", "poster":
					t.Errorf("%s: <%s %s=%q> loads something", name, start.Name.Local, attribute.Name.Local, value)
				case "href":
					if start.Name.Local != "a" {
						t.Errorf("%s: <%s href> loads something", name, start.Name.Local)
					}
					if target, is := strings.CutPrefix(value, "#"); is {
						targets = append(targets, target)
					}
				case "id":
					if ids[value] {
						t.Errorf("%s: id %s twice", name, value)
					}
					ids[value] = true
				case "style":
					t.Errorf("%s: a style of its own", name)
				}
				if strings.HasPrefix(attribute.Name.Local, "on") {
					t.Errorf("%s: a handler in the markup", name)
				}
			}
		}
		for _, target := range targets {
			if !ids[target] {
				t.Errorf("%s: a link to #%s, which is not there", name, target)
			}
		}
		if regexp.MustCompile(`@import|url\(|fetch\(|XMLHttpRequest|\x{a0}|\x{200b}`).MatchString(page) {
			t.Errorf("%s loads something, or holds what cannot be seen", name)
		}
	}
}

const htmlParser = `
import sys
from html.parser import HTMLParser
void = {"meta", "br", "input", "link", "hr", "img"}
class P(HTMLParser):
    def __init__(self):
        super().__init__(); self.open = []
    def handle_starttag(self, tag, attrs):
        names = [n for n, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        if tag not in void: self.open.append(tag)
    def handle_startendtag(self, tag, attrs):
        assert tag in void, tag
    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open, tag, self.getpos())
        self.open.pop()
p = P(); p.feed(sys.stdin.read()); p.close()
assert not p.open, p.open
`

func TestPagesReadByPython(t *testing.T) {
	python := pytest.Interpreter(t)
	for name, page := range pages(t) {
		command := exec.Command(python, "-c", htmlParser)
		command.Stdin = strings.NewReader(page)
		command.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8", "PYTHONUTF8=1")
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// chromium returns a browser; on Debian it is the package chromium.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on PATH; apt-get install chromium")
	return ""
}

// rendered is the document after its scripts, at a fragment.
func rendered(t *testing.T, browser, file, fragment string, flags ...string) string {
	t.Helper()
	address := url.URL{Scheme: "file", Path: file, Fragment: fragment}
	flags = append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=2000", "--dump-dom", address.String())
	command := exec.CommandContext(t.Context(), browser, flags...)
	var out bytes.Buffer
	command.Stdout, command.WaitDelay = &out, 5*time.Second
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	return out.String()
}

var (
	outputText = regexp.MustCompile(`<output[^>]*>([^<]*)</output>`)
	shownCase  = regexp.MustCompile(`<details class="case"[^>]*>`)
)

// What a reader does: the page opens on what is not the same, and a link to a
// filter shows that only.
func TestPageFiltersInABrowser(t *testing.T) {
	browser := chromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(formatted(t, "html", everyReport(t)["deviating"])), 0o644); err != nil {
		t.Fatal(err)
	}
	for fragment, want := range map[string]string{
		"":                             "2 of 6 cases",
		"hazard=whitespace":            "2 of 6 cases",
		"hazard=article-glue&q=stop":   "1 of 6 cases",
		"stands=holds":                 "4 of 6 cases",
		"cause=articles-first&claim=0": "2 of 6 cases",
		"q=nowhere":                    "0 of 6 cases",
	} {
		document := rendered(t, browser, file, fragment)
		got := outputText.FindStringSubmatch(document)
		if got == nil || got[1] != want {
			t.Errorf("#%s shows %v, want %s", fragment, got, want)
		}
		visible := 0
		for _, one := range shownCase.FindAllString(document, -1) {
			if !strings.Contains(one, "hidden") {
				visible++
			}
		}
		if !strings.HasPrefix(want, string(rune('0'+visible))) {
			t.Errorf("#%s: %d cases are not hidden, want %s", fragment, visible, want)
		}
	}
}
