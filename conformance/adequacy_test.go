package conformance_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// TestAdequacy is the gate that no weak case gets through: the corpus catches
// every variation of the catalogue wherever it must show, and random pairs of
// them, and every case catches one or says what else it is for. The table is
// what normcert adequacy prints.
func TestAdequacy(t *testing.T) {
	if testing.Short() {
		t.Skip("puts every variation to the whole corpus")
	}
	corpus, set := load(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	adequacy, err := runner.CheckAdequacy(t.Context(), corpus, set, seed)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := report.Adequacy(&table, adequacy, false); err != nil {
		t.Fatal(err)
	}
	alone := 0
	for line := range strings.Lines(table.String()) {
		switch {
		case strings.Contains(line, "NOT CAUGHT"), strings.HasPrefix(line, "not caught: "), strings.HasPrefix(line, "catches nothing"):
			t.Errorf("%s", line)
		case strings.Contains(line, "  only "):
			alone++
		case strings.Contains(line, " are caught in every view"):
			t.Logf("%s", line)
		}
	}
	t.Logf("%d rows are caught by one case only; normcert adequacy --seed %d shows the table", alone, seed)
	if adequacy.Found() != t.Failed() {
		t.Errorf("something was found: %v; the table shows it: %v", adequacy.Found(), t.Failed())
	}
	if len(adequacy.Rows) == 0 || adequacy.Pairs == 0 {
		t.Error("nothing was tried")
	}
}
