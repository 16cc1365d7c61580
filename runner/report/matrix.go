package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/normcert/normcert/runner"
)

type jsonMatrix struct {
	Kind     string            `json:"kind"`
	Adapters []jsonContestant  `json:"adapters"`
	Claims   []jsonMatrixClaim `json:"claims"`
	Pairs    []jsonPair        `json:"pairs"`
	Alike    [][]string        `json:"alike"`
	Splits   []jsonSplit       `json:"splits"`
}

type jsonContestant struct {
	Name      string            `json:"name"`
	Adapter   *Adapter          `json:"adapter,omitempty"`
	Signature string            `json:"signature,omitempty"`
	Reproduce []string          `json:"reproduce,omitempty"`
	Digests   *runner.Digests   `json:"digests,omitempty"`
	Verdicts  map[string]string `json:"verdicts,omitempty"`
	Error     string            `json:"error,omitempty"`
}

type jsonMatrixClaim struct {
	Claim       string            `json:"claim"`
	Checks      int               `json:"checks"`
	Things      []string          `json:"things"`
	Answers     int               `json:"answers"`
	Decided     int               `json:"decided"`
	Unconfirmed []string          `json:"unconfirmed,omitempty"`
	Upstream    runner.RightCount `json:"upstream"`
	Adapters    []jsonMatrixRow   `json:"adapters"`
}

type jsonMatrixRow struct {
	Adapter string            `json:"adapter"`
	Verdict runner.Verdict    `json:"verdict"`
	Same    int               `json:"same"`
	Right   runner.RightCount `json:"right"`
}

type jsonPair struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Same int    `json:"same"`
	Of   int    `json:"of"`
}

type jsonSplit struct {
	Case   string      `json:"case"`
	Setup  string      `json:"setup"`
	Claim  string      `json:"claim"`
	Thing  string      `json:"thing"`
	Apart  int         `json:"apart"`
	Items  []Item      `json:"items"`
	Groups []jsonGroup `json:"groups"`
}

type jsonGroup struct {
	Answer   string   `json:"answer"`
	Adapters []string `json:"adapters"`
}

// MatrixKind is what the JSON of a matrix says of itself.
const MatrixKind = "normcert matrix 1"

// MatrixJSON writes a matrix as one JSON object.
func MatrixJSON(out io.Writer, m *runner.Matrix) error {
	wire := jsonMatrix{Kind: MatrixKind, Adapters: []jsonContestant{}, Claims: []jsonMatrixClaim{}, Pairs: []jsonPair{}, Alike: [][]string{}, Splits: []jsonSplit{}}
	for _, one := range m.Adapters {
		own := jsonContestant{Name: one.Name}
		if one.Err != nil {
			own.Error = one.Err.Error()
		} else {
			c := Certify(one.Report)
			own.Adapter, own.Signature, own.Reproduce, own.Digests, own.Verdicts = &c.Adapter, c.Signature, c.Reproduce, &c.Digests, map[string]string{}
			for _, claim := range c.Claims {
				own.Verdicts[claim.Claim] = claim.Sentence
			}
		}
		wire.Adapters = append(wire.Adapters, own)
	}
	for _, claim := range m.Claims {
		own := jsonMatrixClaim{Claim: claim.Claim, Checks: claim.Checks, Things: nonNil(claim.Things), Answers: claim.Answers, Decided: claim.Decided, Upstream: claim.Upstream}
		for _, u := range unconfirmedIn(m, claim) {
			own.Unconfirmed = u.hazards
		}
		for _, row := range claim.Rows {
			own.Adapters = append(own.Adapters, jsonMatrixRow{row.Adapter, row.Verdict, row.Same, row.Right})
		}
		wire.Claims = append(wire.Claims, own)
	}
	for _, pair := range m.Pairs {
		wire.Pairs = append(wire.Pairs, jsonPair{pair.A, pair.B, pair.Same, pair.Of})
	}
	wire.Alike = append(wire.Alike, m.Alike...)
	for _, split := range m.Splits {
		own := jsonSplit{Case: split.Result.Case.ID, Setup: split.Result.Setup.String(), Claim: split.Claim, Thing: split.Thing, Apart: split.Apart, Items: []Item{}}
		for _, item := range split.Result.Case.Items {
			own.Items = append(own.Items, Item{Prediction: item.Prediction, References: nonNil(item.References), Intent: item.Intent})
		}
		for _, group := range split.Groups {
			own.Groups = append(own.Groups, jsonGroup{group.Answer, group.Adapters})
		}
		wire.Splits = append(wire.Splits, own)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(wire)
}

// mostSplits are shown in Markdown.
const mostSplits = 20

// MatrixMarkdown writes a matrix for a README.
func MatrixMarkdown(out io.Writer, m *runner.Matrix) error {
	var text strings.Builder
	text.WriteString("# Implementations side by side\n\n| adapter | says it is | command |\n|---|---|---|\n")
	for _, one := range m.Adapters {
		if one.Err != nil {
			fmt.Fprintf(&text, "| %s | not run: %s | %s |\n", mdText(one.Name), mdText(one.Err.Error()), mdText(commandLine(one.Command)))
			continue
		}
		fmt.Fprintf(&text, "| %s | %s | %s |\n", mdText(one.Name), mdText(strings.TrimSpace(one.Report.Adapter.Name+" "+one.Report.Adapter.Version)), mdText(commandLine(one.Command)))
	}
	for _, claim := range m.Claims {
		fmt.Fprintf(&text, "\n## %s\n\n%s that all were asked: %s in common, %s\n\n", mdText(claim.Claim), plural(claim.Checks, "check"), commonThings(claim), plural(claim.Decided, "decision"))
		for _, u := range unconfirmedIn(m, claim) {
			fmt.Fprintf(&text, "**unconfirmed**: %s\n\n", mdText(u.String()))
		}
		text.WriteString("| adapter | verdict | same | wrong accepts | wrong rejects |\n|---|---|---:|---:|---:|\n")
		for _, row := range claim.Rows {
			fmt.Fprintf(&text, "| %s | %s | %s | %d | %d |\n", mdText(row.Adapter), row.Verdict, sameOf(claim, row), row.Right.WrongAccepts, row.Right.WrongRejects)
		}
		fmt.Fprintf(&text, "| upstream | | | %d | %d |\n", claim.Upstream.WrongAccepts, claim.Upstream.WrongRejects)
	}
	mdAlike(&text, m)
	if len(m.Splits) > 0 {
		fmt.Fprintf(&text, "\n## What splits them most\n\n%s", plural(len(m.Splits), "case"))
		if len(m.Splits) > mostSplits {
			fmt.Fprintf(&text, "; %d of them here", mostSplits)
		}
		text.WriteString("\n\n| case | thing | input | answers |\n|---|---|---|---|\n")
		for _, split := range m.Splits[:min(len(m.Splits), mostSplits)] {
			var groups []string
			for _, group := range split.Groups {
				groups = append(groups, group.Answer+": "+strings.Join(group.Adapters, ", "))
			}
			fmt.Fprintf(&text, "| %s | %s | %s | %s |\n", mdText(split.Result.Case.ID), mdText(split.Thing+", "+split.Result.Setup.String()), mdText(drawInput(split.Result.Case)), mdText(strings.Join(groups, "; ")))
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// unconfirmedIn has at most one member: a claim has one pin.
func unconfirmedIn(m *runner.Matrix, claim runner.MatrixClaim) []unconfirmed {
	var claims []*runner.ClaimReport
	for _, one := range m.Adapters {
		if one.Err != nil {
			continue
		}
		for _, own := range one.Report.Claims {
			if own.Name() == claim.Claim {
				claims = append(claims, own)
			}
		}
	}
	return unconfirmedOf(claims...)
}

func commonThings(claim runner.MatrixClaim) string {
	if len(claim.Things) == 0 {
		return "no answer"
	}
	return strings.ReplaceAll(strings.Join(claim.Things, ", "), "_", `\_`)
}

func sameOf(claim runner.MatrixClaim, row runner.MatrixRow) string {
	if claim.Answers == 0 {
		return "nothing in common"
	}
	return fmt.Sprintf("%d of %d", row.Same, claim.Answers)
}

func mdAlike(text *strings.Builder, m *runner.Matrix) {
	text.WriteString("\n## Which behave alike\n\n")
	for _, group := range m.Alike {
		fmt.Fprintf(text, "- %s agree in every answer that they both gave\n", mdText(strings.Join(group, ", ")))
	}
	if len(m.Alike) == 0 {
		text.WriteString("No two of them.\n")
	}
	if len(m.Pairs) == 0 {
		return
	}
	text.WriteString("\n| | |")
	text.WriteString(" agree in |\n|---|---|---:|\n")
	for _, pair := range m.Pairs {
		fmt.Fprintf(text, "| %s | %s | %d of %d |\n", mdText(pair.A), mdText(pair.B), pair.Same, pair.Of)
	}
}
