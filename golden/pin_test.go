package golden_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

func pin() golden.Pin {
	return golden.Pin{
		Upstream: "up", Short: "0123456", Repository: "https://example.org/up", Commit: commit, Date: "2020-01-02",
		Metrics: []golden.Coverage{
			{Name: "squad", EntryPoint: "f", Scale: 100, Default: true, Sources: []golden.Source{{Path: "metrics/squad/squad.py", Blob: golden.BlobID([]byte("squad\n"))}}},
			{Name: "exact_match", EntryPoint: "g", Scale: 1, Sources: []golden.Source{{Path: "metrics/em/em.py", Blob: golden.BlobID([]byte("em\n"))}}},
		},
		Environment: map[string]string{"interpreter": "CPython 3.11.2", "unicode": "14.0.0"},
		Files:       map[string]golden.Digests{"trap.golden": {SHA256: "aa", Inputs: "bb"}},
	}
}

func TestPinReadsWhatItWrites(t *testing.T) {
	for _, p := range []golden.Pin{pin(), {
		Upstream: "article", Short: "1", Commit: "1", Specification: true,
		Metrics: []golden.Coverage{{Name: "nfd_exact_match", EntryPoint: "h", Scale: 1, Default: true, Sources: []golden.Source{{Path: "x.py", Blob: golden.BlobID(nil)}}}},
	}} {
		content, err := golden.EncodePin(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := golden.DecodePin("pin.toml", p.Upstream, p.Short, content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			t.Errorf("(-written +read):\n%s\n%s", diff, content)
		}
		again, err := golden.EncodePin(got)
		if err != nil || string(again) != string(content) {
			t.Errorf("written otherwise the second time, %v:\n%s\n%s", err, content, again)
		}
	}
}

func TestDecodePinRefuses(t *testing.T) {
	content, err := golden.EncodePin(pin())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ shows, from, to, says string }{
		{"a syntax error", `commit = "`, `commit = `, "pin.toml"},
		{"an unknown key", `commit = "`, "colour = 1\ncommit = \"", "unknown key colour"},
		{"an unknown key of a metric", "scale = 100.0", "scale = 100.0\nround = true", "unknown key metrics.round"},
		{"a wrong type", "scale = 100.0", `scale = "100"`, "scale"},
		{"another commit than its folder", `commit = "0123`, `commit = "1123`, "does not begin with 0123456"},
		{"a short commit", commit, "0123456", "not a full commit of 40 hex digits"},
		{"capitals in a commit", commit, strings.ToUpper(commit), "not a full commit"},
		{"a scale of neither 1 nor 100", "scale = 100.0", "scale = 10.0", "metric squad: scale is 10, not 1 or 100"},
		{"an unknown metric", `name = "squad"`, `name = "bleu"`, `unknown metric "bleu"`},
		{"a blob id that is none", golden.BlobID([]byte("squad\n")), "abc", `blob id "abc" of metrics/squad/squad.py`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			changed := strings.Replace(string(content), test.from, test.to, 1)
			if changed == string(content) {
				t.Fatalf("%q is not in the file", test.from)
			}
			_, err := golden.DecodePin("up/0123456/pin.toml", "up", "0123456", []byte(changed))
			if err == nil || !strings.HasPrefix(err.Error(), "up/0123456/pin.toml: ") || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of the file that says %q", err, test.says)
			}
		})
	}
	if _, err := golden.DecodePin("pin.toml", "up", "0123456", []byte(`commit = "`+commit+`"`)); err == nil || !strings.Contains(err.Error(), "no metrics") {
		t.Errorf("a pin without metrics: %v", err)
	}
}

// tree is the golden/ folder of a checkout with one pin and one golden file.
func tree(t *testing.T, p golden.Pin, files map[string]string) fstest.MapFS {
	t.Helper()
	content, err := golden.EncodePin(p)
	if err != nil {
		t.Fatal(err)
	}
	folder := p.Upstream + "/" + p.Short + "/"
	fs := fstest.MapFS{folder + "pin.toml": {Data: content}}
	for name, content := range files {
		fs[folder+name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fs
}

func oneRecord(id string) string {
	return string(golden.Encode([]golden.Record{{Case: id, Setup: "exact_match", Scores: metric.Scores{"exact_match": 1}}}))
}

func TestLoadAndFind(t *testing.T) {
	set, err := golden.Load(tree(t, pin(), map[string]string{"trap.golden": oneRecord("trap/a") + oneRecord("trap/b"), "trap-two.golden": oneRecord("trap-two/a")}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"up@0123456", "up@" + commit, "up@01234567"} {
		if g, err := set.Find(name); err != nil || g.Pin.Name() != "up@0123456" {
			t.Errorf("%s is found as %v, %v", name, g, err)
		}
	}
	for _, name := range []string{"up@012345", "up", "up@", "other@0123456", "up@0123456x", ""} {
		if _, err := set.Find(name); err == nil || !strings.Contains(err.Error(), "known pins: up@0123456") {
			t.Errorf("%q: error %v, want one that lists the pins", name, err)
		}
	}
	g, err := set.Default("squad")
	if err != nil || g.Pin.Name() != "up@0123456" {
		t.Errorf("default of squad: %v", err)
	}
	if _, err := set.Default("exact_match"); err == nil || !strings.Contains(err.Error(), "no default pin") {
		t.Errorf("default of exact_match: %v", err)
	}
	if got := g.Hazards(); !cmp.Equal(got, []string{"trap", "trap-two"}) {
		t.Errorf("hazards %q", got)
	}
	// A hazard whose name begins with another's keeps its records apart.
	if got := g.Records("trap"); len(got) != 2 || got[0].Case != "trap/a" || got[1].Case != "trap/b" {
		t.Errorf("records of trap %+v", got)
	}
	if _, there := g.Record("trap/a", "squad"); there {
		t.Error("a record of another setup")
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := golden.Load(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "<upstream>/<commit>/pin.toml") {
		t.Errorf("nothing: %v", err)
	}
	_, err := golden.Load(tree(t, pin(), map[string]string{"trap.golden": oneRecord("other/a")}))
	if err == nil || !strings.Contains(err.Error(), "case other/a belongs into other.golden") {
		t.Errorf("a case in another hazard's file: %v", err)
	}
	_, err = golden.Load(tree(t, pin(), map[string]string{"trap.golden": "{}\n"}))
	if err == nil || !strings.HasPrefix(err.Error(), "up/0123456/trap.golden:1: ") {
		t.Errorf("a bad line: %v", err)
	}
}

func TestConfirmedAndDigest(t *testing.T) {
	content := oneRecord("trap/a")
	p := pin()
	p.Files = map[string]golden.Digests{"trap.golden": {SHA256: golden.SHA256([]byte(content)), Inputs: "inputs"}}
	load := func(p golden.Pin, files map[string]string) *golden.Goldens {
		set, err := golden.Load(tree(t, p, files))
		if err != nil {
			t.Fatal(err)
		}
		return set.Pins()[0]
	}
	g := load(p, map[string]string{"trap.golden": content})
	tests := []struct {
		shows          string
		g              *golden.Goldens
		hazard, inputs string
		want           bool
	}{
		{"as it was recorded", g, "trap", "inputs", true},
		{"recorded for other inputs", g, "trap", "other", false},
		{"a hazard without a golden", g, "other", "", false},
		{"a file that was changed by hand", load(p, map[string]string{"trap.golden": strings.Replace(content, ":1}", ":0}", 1)}), "trap", "inputs", false},
		{"a file that is not listed", load(p, map[string]string{"trap.golden": content, "new.golden": oneRecord("new/a")}), "new", "inputs", false},
	}
	for _, test := range tests {
		if got := test.g.Confirmed(test.hazard, test.inputs); got != test.want {
			t.Errorf("%s: confirmed %v, want %v", test.shows, got, test.want)
		}
	}
	digests := map[string]string{g.Digest(): "as it was"}
	for name, files := range map[string]map[string]string{
		"a score":     {"trap.golden": strings.Replace(content, ":1}", ":0}", 1)},
		"a file more": {"trap.golden": content, "new.golden": oneRecord("new/a")},
		"another":     {"new.golden": oneRecord("new/a")},
	} {
		digest := load(p, files).Digest()
		if before, same := digests[digest]; same {
			t.Errorf("%s has the digest of %s", name, before)
		}
		digests[digest] = name
	}
}

// The goldens that are compiled in have to load, with a default for every metric.
func TestEmbedded(t *testing.T) {
	set, err := golden.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"squad": "hf-evaluate@a7dd338", "squad_v2": "hf-evaluate@a7dd338", "exact_match": "hf-evaluate@a7dd338", "nfd_exact_match": "article@1"} {
		if g, err := set.Default(name); err != nil || g.Pin.Name() != want {
			t.Errorf("default pin of %s: %v, want %s", name, err, want)
		}
	}
	if _, err := set.Find("hf-evaluate@86baf122193975dc4a910a6f1fabf0cbaeaf8cd7"); err != nil {
		t.Errorf("by the full commit: %v", err)
	}
}
