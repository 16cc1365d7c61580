package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/normcert/normcert/internal/helpertest"
)

// build compiles a program that lies next to a copy of the helper, outside
// any module of ours.
func build(t *testing.T, program string) []string {
	t.Helper()
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("this test needs the go command on PATH; see https://go.dev/dl")
	}
	folder := t.TempDir()
	helper, err := os.ReadFile("adapter.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"adapter.go": string(helper), "main.go": program, "go.mod": "module mine\n\ngo 1.21\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command(compiler, "build", "-o", "mine.exe", ".")
	compile.Dir = folder
	if output, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return []string{filepath.Join(folder, "mine.exe")}
}

func TestHelper(t *testing.T) {
	helpertest.Promises(t, build(t, `package main

import (
	"errors"
	"fmt"
	"math"
)

func main() {
	Serve(Adapter{
		Name: "mine", Version: "3",
		Metrics:   map[string]Metric{"squad": {Answers: []string{"normalize", "exact_match"}}},
		Normalize: func(_ string, _ map[string]any, text string) (string, error) { return text + "\u2028\U0001F680", nil },
		Score:     score,
	})
}

func score(_ string, _ map[string]any, items []Item) (map[string]float64, error) {
	fmt.Println("a print of the scorer's own")
	score := 0.1
	if items[0].Prediction == nil {
		return map[string]float64{"exact_match": 0.2}, nil
	}
	switch *items[0].Prediction {
	case "refuse":
		return nil, Refused{"no_references", "because"}
	case "refuse without a kind":
		return nil, Refused{}
	case "no":
		return nil, Unsupported("not that one")
	case "crash":
		return nil, errors.New("deliberate")
	case "nan":
		score = math.NaN()
	case "infinite":
		score = math.Inf(1)
	}
	return map[string]float64{"exact_match": score}, nil
}
`))
}

// A string that is cut within a character is a bug of the scorer's, and is not
// mended on the way.
func TestHelperDoesNotMendUTF8(t *testing.T) {
	mine := build(t, `package main

func main() {
	Serve(Adapter{Name: "mine", Metrics: map[string]Metric{"squad": {Answers: []string{"normalize"}}},
		Normalize: func(_ string, _ map[string]any, text string) (string, error) { return text[:1], nil }})
}
`)
	got := helpertest.Converse(t, mine, `{"id":1,"op":"normalize","metric":"squad","text":"\u00e9"}`)
	if got.Exit != 1 || len(got.Lines) != 0 {
		t.Errorf("exit %d, replies %s", got.Exit, got.Lines)
	}
}

func TestSquadIsConformant(t *testing.T) {
	program, err := os.ReadFile("squad.go")
	if err != nil {
		t.Fatal(err)
	}
	helpertest.Certify(t, build(t, string(program)))
}
