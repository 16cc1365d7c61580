package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/runner/report"
)

// Whatever people read names what the adapter did besides; the badges and the
// attestation, which hold a verdict and nothing else, do not.
func TestEveryFormatForPeopleHasTheNotes(t *testing.T) {
	const note = "the program left something running"
	silent := []string{"badge-svg", "badge-json", "in-toto"}
	for _, format := range report.Formats(false) {
		r := withFile(reports(t)["conformant"])
		if got := formatted(t, format.Name, r); strings.Contains(got, note) {
			t.Errorf("%s: a note of nothing:\n%s", format.Name, got)
		}
		r.Notes = []string{note}
		if got := formatted(t, format.Name, r); strings.Contains(got, note) == slices.Contains(silent, format.Name) {
			t.Errorf("%s:\n%s", format.Name, got)
		}
	}
	r := reports(t)["conformant"]
	r.Notes = []string{note}
	certificate := report.Certify(r)
	if got := certificate.Remarks(); !slices.Contains(got, "note: "+note) {
		t.Errorf("remarks are %q", got)
	}
}
