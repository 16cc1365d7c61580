package python_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/normcert/normcert/internal/pytest"
)

// The lines that PROTOCOL.md invites to paste are answered as it says.
func TestProtocolExamplesAreTrue(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := jsonLines(string(text))
	if len(blocks) != 2 || len(blocks[0]) != len(blocks[1]) {
		t.Fatalf("PROTOCOL.md has %d jsonl blocks; want requests and as many replies", len(blocks))
	}
	got := run(t, blocks[0], pytest.Interpreter(t), "independent.py")
	for i, line := range blocks[1] {
		want := read(t, strings.NewReader(line))[i]
		if !reflect.DeepEqual(got.replies[i], want) {
			t.Errorf("request %d: reply %s, PROTOCOL.md says %s", i, show(got.replies[i]), line)
		}
	}
}

// jsonLines returns the lines of each jsonl block of a Markdown text.
func jsonLines(markdown string) [][]string {
	var blocks [][]string
	for rest := markdown; ; {
		_, after, found := strings.Cut(rest, "```jsonl\n")
		if !found {
			return blocks
		}
		block, behind, _ := strings.Cut(after, "\n```")
		blocks, rest = append(blocks, strings.Split(block, "\n")), behind
	}
}

// The single examples are JSON, and what they say of squad_v2 is true.
func TestProtocolArrowsAreTrue(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var request string
	for _, line := range strings.Split(string(text), "\n") {
		arrow, message, _ := strings.Cut(line, " ")
		if arrow != "→" && arrow != "←" {
			continue
		}
		if !json.Valid([]byte(message)) {
			t.Errorf("not JSON: %s", message)
		}
		if arrow == "→" {
			request = message
		} else if strings.Contains(request, `"op":"score"`) && strings.Contains(message, `"scores"`) {
			got := run(t, []string{request}, pytest.Interpreter(t), "independent.py")
			if want := read(t, strings.NewReader(message)); !reflect.DeepEqual(got.replies, want) {
				t.Errorf("%s\nreply %v\nPROTOCOL.md says %v", request, got.replies, want)
			}
		}
	}
}
