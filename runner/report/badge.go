package report

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// badge is what a badge shows: the verdicts, with what was answered where that
// is not everything. It is not green where a golden file is unconfirmed.
type badge struct {
	label, message string
	// color is a name of shields.io; hex is the same for the drawing.
	color, hex string
	good       bool
}

func badgeOf(r *runner.Report) badge {
	worst, held := holds, 0
	for _, claim := range r.Claims {
		stands := claimStands(claim)
		if stands == holds {
			held++
		}
		worst = max(worst, stands)
	}
	b := badge{label: "normcert", color: "brightgreen", hex: "#3c7d0c", good: true}
	switch worst {
	case known:
		b.color, b.hex, b.good = "yellow", "#8a6d00", false
	case unanswered:
		b.color, b.hex, b.good = "orange", "#b34700", false
	case deviates:
		b.color, b.hex, b.good = "red", "#b62b1f", false
	}
	if worst == holds && slices.ContainsFunc(r.Claims, func(c *runner.ClaimReport) bool { return c.Excepted }) {
		b.color, b.hex = "yellowgreen", "#5c6f00"
	}
	if worst == holds && len(unconfirmedOf(r.Claims...)) > 0 {
		b.color, b.hex = "yellow", "#8a6d00"
	}
	// What is wrong outweighs what is missing.
	for _, claim := range r.Claims {
		if claimStands(claim) == deviates {
			b.color, b.hex = "red", "#b62b1f"
		}
	}
	if len(r.Claims) == 1 {
		b.label, b.message = "normcert "+r.Claims[0].Name(), badgeClaim(r.Claims[0])
	} else {
		b.message = fmt.Sprintf("%d of %s conformant", held, plural(len(r.Claims), "claim"))
	}
	if r.Cases != r.Corpus {
		b.message += fmt.Sprintf(" on %d of %d cases", r.Cases, r.Corpus)
	}
	if len(unconfirmedOf(r.Claims...)) > 0 {
		b.message += ", unconfirmed goldens"
	}
	return b
}

func badgeClaim(c *runner.ClaimReport) string {
	text := string(c.Verdict)
	if c.Known > 0 {
		text += fmt.Sprintf(", %d known", c.Known)
	}
	if c.Excepted {
		text += " with exceptions"
	}
	if !c.Everything() {
		text += ": " + strings.Join(c.Answers(), ", ")
	}
	return text
}

// BadgeJSON writes what the endpoint badge of shields.io reads.
func BadgeJSON(out io.Writer, r *runner.Report) error {
	b := badgeOf(r)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
		IsError       bool   `json:"isError"`
	}{1, b.label, b.message, b.color, !b.good})
}

// perCharacter is the mean width, in pixels, of a character in 11 pixel
// Verdana; textLength makes the text fit the box in any font.
const perCharacter = 6.2

// BadgeSVG draws the badge.
func BadgeSVG(out io.Writer, r *runner.Report) error {
	b := badgeOf(r)
	width := func(text string) int { return int(float64(len([]rune(text)))*perCharacter) + 12 }
	left, right := width(b.label), width(b.message)
	label, message := html.EscapeString(b.label), html.EscapeString(b.message)
	_, err := fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[4]s: %[5]s">
  <title>%[4]s: %[5]s</title>
  <clipPath id="r"><rect width="%[1]d" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="%[2]d" height="20" fill="#444"/>
    <rect x="%[2]d" width="%[3]d" height="20" fill="%[6]s"/>
  </g>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    <text x="6" y="14" textLength="%[7]d">%[4]s</text>
    <text x="%[8]d" y="14" textLength="%[9]d">%[5]s</text>
  </g>
</svg>
`, left+right, left, right, label, message, b.hex, left-12, left+6, right-12)
	return err
}
