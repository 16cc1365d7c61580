package report

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/runner"
)

type matrixPage struct {
	pageFrame
	Adapters []matrixAdapter
	Claims   []matrixClaim
	Alike    []string
	Pairs    []pairRow
	Hazards  []string
	Splits   []matrixSplit
}

type (
	matrixAdapter struct{ Name, Says, Command, Error string }
	matrixClaim   struct {
		Name, About string
		Rows        []matrixRow
	}
	matrixRow struct {
		Adapter                    string
		Verdict                    runner.Verdict
		Same                       string
		WrongAccepts, WrongRejects int
	}
	pairRow struct {
		Name  string
		Cells []pageCell
	}
	matrixSplit struct {
		ID, What, Apart string
		Case            pageCase
		Groups          []splitGroup
	}
	splitGroup struct {
		Answer   template.HTML
		Adapters string
	}
)

// Class is the style of a verdict.
func (matrixPage) Class(v runner.Verdict) string {
	switch v {
	case runner.Conformant:
		return classes[holds]
	case runner.NotConformant:
		return classes[deviates]
	}
	return classes[unanswered]
}

// mostOnPage splits are on the page; the JSON has all of them.
const mostOnPage = 200

// MatrixHTML writes one page that needs nothing else.
func MatrixHTML(out io.Writer, m *runner.Matrix) error {
	p := matrixPage{pageFrame: frame("Implementations side by side", version.Version)}
	for _, one := range m.Adapters {
		own := matrixAdapter{Name: plain(one.Name), Command: plainExactly(commandLine(one.Command))}
		if one.Err != nil {
			own.Error = plain(one.Err.Error())
		} else {
			own.Says = plain(one.Report.Adapter.Name + " " + one.Report.Adapter.Version)
		}
		p.Adapters = append(p.Adapters, own)
		p.Pairs = append(p.Pairs, pairRowOf(m, one.Name))
	}
	for _, claim := range m.Claims {
		p.Claims = append(p.Claims, matrixClaimOf(m, claim))
	}
	for _, group := range m.Alike {
		p.Alike = append(p.Alike, plain(strings.Join(group, ", ")))
	}
	for _, split := range m.Splits[:min(len(m.Splits), mostOnPage)] {
		p.Splits = append(p.Splits, splitOf(split))
		if hazard := split.Result.Case.Hazard(); !slices.Contains(p.Hazards, hazard) {
			p.Hazards = append(p.Hazards, hazard)
		}
	}
	slices.Sort(p.Hazards)
	return render(out, "page/matrix.html", p)
}

func matrixClaimOf(m *runner.Matrix, claim runner.MatrixClaim) matrixClaim {
	things := "no answer"
	if len(claim.Things) > 0 {
		things = strings.Join(claim.Things, ", ")
	}
	own := matrixClaim{Name: claim.Claim, About: fmt.Sprintf("%s, %s in common, %s", plural(claim.Checks, "check"), things, plural(claim.Decided, "decision"))}
	for _, u := range unconfirmedIn(m, claim) {
		own.About += "; unconfirmed: " + plain(u.String())
	}
	for _, row := range claim.Rows {
		own.Rows = append(own.Rows, matrixRow{plain(row.Adapter), row.Verdict, sameOf(claim, row), row.Right.WrongAccepts, row.Right.WrongRejects})
	}
	own.Rows = append(own.Rows, matrixRow{Adapter: "upstream", WrongAccepts: claim.Upstream.WrongAccepts, WrongRejects: claim.Upstream.WrongRejects})
	return own
}

func pairRowOf(m *runner.Matrix, name string) pairRow {
	row := pairRow{Name: plain(name)}
	for _, other := range m.Adapters {
		cell := pageCell{Text: "–"}
		at := slices.IndexFunc(m.Pairs, func(p runner.Pair) bool {
			return p.A == name && p.B == other.Name || p.B == name && p.A == other.Name
		})
		if at >= 0 {
			pair := m.Pairs[at]
			cell.Title = fmt.Sprintf("%d of %d", pair.Same, pair.Of)
			cell.Stands, cell.Text = classes[deviates], fmt.Sprintf("%d of %d", pair.Same, pair.Of)
			if pair.Same == pair.Of {
				cell.Stands, cell.Text = classes[holds], fmt.Sprintf("✓ %d", pair.Of)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func splitOf(split runner.Split) matrixSplit {
	own := matrixSplit{
		ID: split.Result.Case.ID, What: fmt.Sprintf("%s of %s, %s", split.Thing, split.Claim, split.Result.Setup), Case: caseOf(split.Result.Case),
		Apart: fmt.Sprintf("%d answers", len(split.Groups)),
	}
	for _, group := range split.Groups {
		answer := escaped(visible.Line(group.Answer))
		if group.Same {
			answer += " (" + recordOf(split) + ")"
		}
		own.Groups = append(own.Groups, splitGroup{answer, plain(strings.Join(group.Adapters, ", "))})
	}
	return own
}

// recordOf is what upstream returns of what splits.
func recordOf(split runner.Split) template.HTML {
	claim := &runner.ClaimReport{Claim: split.Result.Claim}
	return recordHTML(claim, split.Result, []string{split.Thing})
}
