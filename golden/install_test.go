package golden_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

func TestInstall(t *testing.T) {
	root := filepath.Join(t.TempDir(), "golden")
	inputs := map[string]string{"trap": "inputs of trap"}
	if err := golden.Install(root, pin(), recorded, inputs, false); err != nil {
		t.Fatal(err)
	}
	folder := pin().Upstream + "/" + pin().Short + "/"
	first := files(t, filepath.Dir(root))
	for _, name := range []string{"pin.toml", "trap.golden", "other.golden"} {
		if first["golden/"+folder+name] == "" || len(first) != 3 {
			t.Errorf("no %s; there are %d files", name, len(first))
		}
	}
	if toml := first["golden/"+folder+"pin.toml"]; !strings.Contains(toml, "trap.golden") || strings.Contains(toml, "other.golden") {
		t.Errorf("only the hazard with inputs is confirmed, and pin.toml is\n%s", toml)
	}

	t.Run("a pin that is there stays", func(t *testing.T) {
		err := golden.Install(root, pin(), recorded, inputs, false)
		if !errors.Is(err, golden.ErrPinExists) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(first, files(t, filepath.Dir(root))); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("unless it is to be replaced, and then nothing of it is left", func(t *testing.T) {
		other := map[string][]golden.Record{"trap": {{Case: "trap/b", Setup: "exact_match", Scores: metric.Scores{"exact_match": 0}}}}
		if err := golden.Install(root, pin(), other, inputs, true); err != nil {
			t.Fatal(err)
		}
		after := files(t, filepath.Dir(root))
		if len(after) != 2 || !strings.Contains(after["golden/"+folder+"trap.golden"], "trap/b") {
			t.Errorf("files %q", after)
		}
	})
	t.Run("what a killed run left behind is in nobody's way", func(t *testing.T) {
		left := filepath.Join(filepath.Dir(root), ".normcert-"+pin().Upstream+"-"+pin().Short)
		if err := os.MkdirAll(left, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(left, "half.golden"), []byte(`{"case":`), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := golden.Load(os.DirFS(root)); err != nil {
			t.Errorf("it is loaded: %v", err)
		}
		if err := golden.Install(root, pin(), recorded, inputs, true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, files(t, filepath.Dir(root))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
