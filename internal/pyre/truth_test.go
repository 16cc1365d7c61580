package pyre

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"
)

const exactMatchTruth = "../../adapters/reference/testdata/upstream-truth/exact_match.jsonl.gz"

// truthRow is what is used of a row of the upstream truth.
type truthRow struct {
	Options struct {
		Regexes []string `json:"regexes_to_ignore"`
	}
	Items []json.RawMessage
	Pins  map[string]struct {
		Error *struct{ Type, Message string }
	}
}

// TestUpstreamPatterns holds the verdict on each pattern of the upstream truth to
// what upstream raised. It needs no Python.
func TestUpstreamPatterns(t *testing.T) {
	file, err := os.Open(exactMatchTruth)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%v: the upstream truth is not in this tree", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for decoder := json.NewDecoder(unzipped); ; {
		var row truthRow
		if err := decoder.Decode(&row); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", exactMatchTruth, err)
		}
		got := firstRefusal(row.Options.Regexes)
		for pin, answer := range row.Pins {
			want := reply{}
			if answer.Error != nil && answer.Error.Type == "error" {
				want = reply{Type: "error", Message: answer.Error.Message}
			}
			// A batch of nothing fails before any pattern is compiled, and so
			// does one whose reference is missing.
			if answer.Error != nil && answer.Error.Type != "error" || len(row.Items) == 0 {
				continue
			}
			compared++
			if got.Type != want.Type || got.Message != want.Message {
				t.Errorf("%+q at %s: upstream: %s, here: %s", row.Options.Regexes, pin, want, got)
			}
		}
	}
	if compared == 0 {
		t.Errorf("%s: nothing in it could be compared", exactMatchTruth)
	}
	t.Logf("%d verdicts compared", compared)
}

func firstRefusal(patterns []string) reply {
	for _, pattern := range patterns {
		if _, err := Compile(pattern); err != nil {
			return replyOf(err)
		}
	}
	return reply{}
}
