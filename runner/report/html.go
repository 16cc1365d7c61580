package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

//go:embed page
var pageFiles embed.FS

// page is what the page shows; its words are put into it by html/template.
type page struct {
	pageFrame
	Facts       []pageFact
	Interrupted bool
	Notes       []string
	Claims      []pageClaim
	Stale       []string
	Grid        []pageGridRow
	Why         string
	Causes      []pageCause
	Start       string
	Hazards     []pageHazard
	Reproduce   string
	Signature   string
}

// pageFrame is what every page has.
type pageFrame struct {
	Title, Version string
	Style          template.CSS
	Script         template.JS
}

type (
	pageFact  struct{ Name, Value string }
	pageClaim struct {
		Index                                                                      int
		Name, Metric, Upstream, Commit, Stands, Verdict, Rest, Same, Right, Floors string
		Unconfirmed                                                                string
	}
	pageGridRow struct {
		Hazard string
		Cells  []pageCell
	}
	pageCell struct {
		Hazard, Stands, Text, Title string
		Claim                       int
	}
	pageCause struct {
		Name, About string
		Explains    int
	}
	pageHazard struct {
		Name, About string
		Cases       []pageCase
	}
	pageCase struct {
		Hazard, Short, Keys, Why, Source string
		Input                            template.HTML
		Tags                             []pageTag
		Items                            []pageItem
		Rows                             []pageRow
	}
	pageTag  struct{ Class, Text string }
	pageItem struct {
		Prediction template.HTML
		References []template.HTML
		Intent     cases.Intent
	}
	pageRow struct {
		Setup, Pins, Class, Outcome, Cause, Note string
		What, Want, Got                          template.HTML
	}
)

// classes are the standings as the page's style sheet and script name them.
var classes = map[standing]string{
	holds: "holds", notClaimed: "notClaimed", excepted: "excepted", known: "known", deviates: "deviates", faulty: "faulty", unanswered: "unanswered",
}

// HTML writes one page that needs nothing else: verdicts, a grid of hazards by
// claim, causes, and every case with its strings, what was expected and what
// came. Without scripts all of it is there; they filter.
func HTML(out io.Writer, r *runner.Report) error {
	p := page{
		pageFrame: frame(strings.TrimSpace(r.Adapter.Name+" "+r.Adapter.Version), r.Version), Facts: factsOf(r), Interrupted: r.Interrupted,
		Reproduce: plainExactly(commandLine(r.Reproduce())), Signature: plainExactly(r.Signature),
	}
	for _, note := range r.Notes {
		p.Notes = append(p.Notes, plain(note))
	}
	for i, claim := range r.Claims {
		p.Claims = append(p.Claims, pageClaimOf(r, i, claim))
		if claim.Verdict != runner.Conformant {
			p.Start = "not-same"
		}
	}
	if r.Baseline != nil {
		for _, problem := range r.Baseline.Problems {
			p.Stale = append(p.Stale, r.Baseline.At(problem))
		}
	}
	p.causes(r)
	p.hazards(r)
	return render(out, "page/report.html", p)
}

func frame(title, version string) pageFrame {
	text := func(name string) string {
		content, err := pageFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(content)
	}
	return pageFrame{Title: plain(title), Version: version, Style: template.CSS(text("page/style.css")), Script: template.JS(text("page/script.js"))}
}

func render(out io.Writer, name string, data any) error {
	t, err := template.ParseFS(pageFiles, name)
	if err != nil {
		return err
	}
	return t.Execute(out, data)
}

func factsOf(r *runner.Report) []pageFact {
	var facts []pageFact
	add := func(name, value string) {
		if value = plain(value); value != "" {
			facts = append(facts, pageFact{name, value})
		}
	}
	add("command", commandLine(r.Command))
	for _, file := range r.Files {
		add("file", file.Path+", SHA-256 "+file.SHA256)
	}
	add("language", r.Adapter.Language)
	add("wraps", r.Adapter.Wraps)
	add("Unicode", r.Adapter.Unicode)
	selected := fmt.Sprintf("%d", r.Cases)
	if r.Cases != r.Corpus {
		selected = fmt.Sprintf("%d of %d", r.Cases, r.Corpus)
	}
	add("cases", selected)
	if r.Set != nil {
		add("set", r.Set.Name)
	}
	if r.Baseline != nil {
		add("baseline", fmt.Sprintf("%s: %d known", r.Baseline.File, r.Baseline.Known))
	}
	return facts
}

func pageClaimOf(r *runner.Report, index int, c *runner.ClaimReport) pageClaim {
	name, pin, _ := cutClaim(c.Name())
	upstream, commit, _ := strings.Cut(pin, "@")
	own := pageClaim{
		Index: index, Name: c.Name(), Metric: name, Upstream: upstream, Commit: commit, Stands: classes[claimStands(c)], Verdict: string(c.Verdict),
		Rest: strings.TrimLeft(strings.TrimPrefix(c.Sentence(r.Except), string(c.Verdict)), ":, "), Same: sameness(c), Right: "not claimed", Floors: floors(c),
		Unconfirmed: strings.Join(c.Unconfirmed, ", "),
	}
	if c.DecidesBy() != "" {
		own.Right = rightness(c)
	}
	return own
}

func (p *page) causes(r *runner.Report) {
	w := &textWriter{report: r}
	list, unexplained := w.causes()
	for _, c := range list {
		p.Causes = append(p.Causes, pageCause{c.variation.Name, c.variation.About, c.explains})
	}
	if len(list) == 0 {
		return
	}
	p.Why = "The smallest set of single changes to the reference that reproduces these answers."
	if len(unexplained) > 0 {
		p.Causes = append(p.Causes, pageCause{"", "No single change, or set of them, that normcert knows gives these answers.", len(unexplained)})
	}
}

// hazards makes the cases, hazard by hazard, and the grid.
func (p *page) hazards(r *runner.Report) {
	type at struct {
		claim  int
		result *runner.Result
	}
	var order []string
	results := map[string][]at{}
	for i, claim := range r.Claims {
		for _, result := range claim.Results {
			id := result.Case.ID
			if results[id] == nil {
				order = append(order, id)
			}
			results[id] = append(results[id], at{i, result})
		}
	}
	// Claims of several metrics name the cases in the order of the corpus, each
	// with some left out.
	slices.SortStableFunc(order, func(a, b string) int {
		return strings.Compare(results[a][0].result.Case.Hazard(), results[b][0].result.Case.Hazard())
	})
	cells := map[string][]gridCount{}
	for _, id := range order {
		one := results[id][0].result.Case
		hazard := one.Hazard()
		if len(p.Hazards) == 0 || p.Hazards[len(p.Hazards)-1].Name != hazard {
			p.Hazards = append(p.Hazards, pageHazard{Name: hazard})
			cells[hazard] = make([]gridCount, len(r.Claims))
		}
		own := caseOf(one)
		keys := map[string]bool{}
		for _, x := range results[id] {
			claim := r.Claims[x.claim]
			stands := standingOf(r, claim, x.result)
			cells[hazard][x.claim].add(stands)
			keys[fmt.Sprintf("%d:%s", x.claim, classes[stands])] = true
			if x.result.Decides() && x.result.Decision != runner.Agrees {
				keys[fmt.Sprintf("%d:wrong", x.claim)] = true
			}
			for _, thing := range x.result.Things {
				if cause := claim.Why.CauseOf(x.result, thing); cause != "" {
					keys["cause:"+cause] = true
				}
			}
			own.addRows(rowsOf(r, claim, x.result, stands), claim.Pin.Name())
		}
		own.finish(keys)
		last := &p.Hazards[len(p.Hazards)-1]
		last.Cases = append(last.Cases, own)
	}
	for i, hazard := range p.Hazards {
		p.Hazards[i].About = r.About[hazard.Name]
		row := pageGridRow{Hazard: hazard.Name}
		for claim, count := range cells[hazard.Name] {
			row.Cells = append(row.Cells, count.cell(hazard.Name, claim))
		}
		p.Grid = append(p.Grid, row)
	}
}

// gridCount counts checks by standing.
type gridCount map[standing]int

func (g *gridCount) add(s standing) {
	if *g == nil {
		*g = gridCount{}
	}
	(*g)[s]++
}

func (g gridCount) cell(hazard string, claim int) pageCell {
	asked, notSame := 0, 0
	var parts []string
	worst := holds
	for _, s := range []standing{holds, excepted, unanswered, faulty, known, deviates} {
		if g[s] == 0 {
			continue
		}
		asked += g[s]
		parts = append(parts, fmt.Sprintf("%d %s", g[s], s))
		if s != holds {
			notSame += g[s]
			worst = s
		}
	}
	cell := pageCell{Hazard: hazard, Claim: claim, Stands: classes[worst], Title: strings.Join(parts, ", ")}
	switch {
	case asked == 0:
		cell.Stands = ""
	case notSame == 0:
		cell.Text = fmt.Sprintf("✓ %d", asked)
	default:
		cell.Text = fmt.Sprintf("%d of %d", notSame, asked)
	}
	return cell
}

// String is the standing for people.
func (s standing) String() string {
	return map[standing]string{
		holds: "same", notClaimed: "not claimed", excepted: "excepted", known: "known", deviates: "deviating", faulty: "failed", unanswered: "missing",
	}[s]
}

var codePoint = regexp.MustCompile(`⟨(U\+[0-9A-F]{4,6})⟩`)

// drawHTML draws a text between quotes, with what cannot be seen marked. Its
// direction stays its own.
func drawHTML(text string) template.HTML {
	return template.HTML(`<bdi class="s">` + codePoint.ReplaceAllString(template.HTMLEscapeString(visible.Quote(text)), `<span class="u" title="$1">⟨$1⟩</span>`) + `</bdi>`)
}

func escaped(text string) template.HTML { return template.HTML(template.HTMLEscapeString(text)) }
