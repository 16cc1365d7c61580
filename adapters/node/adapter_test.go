package node_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// node returns the path of Node 18 or newer.
func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err == nil {
		err = exec.Command(path, "-e", "process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)").Run()
	}
	if err == nil {
		return path
	}
	// CI installs no Node: it runs this where the toolchain is there.
	t.Skip("this test needs Node 18 or newer as node on PATH; see https://nodejs.org")
	return ""
}

type outcome struct {
	replies []map[string]any
	stderr  string
	exit    int
}

func run(t *testing.T, file string, lines ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, node(t), file)
	program.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stdout, stderr bytes.Buffer
	program.Stdout, program.Stderr = &stdout, &stderr
	if err := program.Run(); ctx.Err() != nil {
		t.Fatalf("%s did not end in a minute: %v", file, err)
	}
	got := outcome{stderr: stderr.String(), exit: program.ProcessState.ExitCode()}
	for scanner := bufio.NewScanner(&stdout); scanner.Scan(); {
		line := scanner.Bytes()
		if i := bytes.IndexFunc(line, func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("byte %d of a reply is not ASCII: %q", i, line)
		}
		var reply map[string]any
		if err := json.Unmarshal(line, &reply); err != nil {
			t.Errorf("a line on stdout is not a reply: %v: %q", err, line)
		}
		got.replies = append(got.replies, reply)
	}
	return got
}

// write puts a person's adapter next to a copy of the helper.
func write(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	helper, err := os.ReadFile("adapter.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"adapter.mjs": string(helper), "mine.mjs": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "mine.mjs")
}

const scorer = `
import { Refused, Unsupported, serve } from "./adapter.mjs";

const score = async (metric, options, [{ prediction }]) => {
  console.log("a print of the scorer's own");
  process.stdout.write("and a rawer one\n");
  if (prediction === "refuse") throw new Refused("no_references", "because");
  if (prediction === "refuse without a kind") throw new Refused();
  if (prediction === "no") throw new Unsupported("not that one");
  if (prediction === "crash") return undefined.length;
  if (prediction === "infinite") return { exact_match: Infinity };
  return { exact_match: { true: true, nan: NaN }[prediction] ?? 0.1 };
};

serve({ name: "mine", version: "3", metrics: { squad: { answers: ["normalize", "exact_match"] } }, score,
  normalize: (metric, options, text) => text + "\u2028\u{1F680}" });
`

func score(metric, prediction string) string {
	line, _ := json.Marshal(map[string]any{"id": 7, "op": "score", "metric": metric, "options": map[string]any{},
		"items": []any{map[string]any{"id": "0", "prediction": prediction, "references": []string{"x"}}}})
	return string(line)
}

func TestHelperServesAScorer(t *testing.T) {
	tests := []struct {
		request string
		want    map[string]any // the reply without its id
	}{
		{score("squad", "anything"), map[string]any{"scores": map[string]any{"exact_match": 0.1}}},
		{score("squad", "true"), map[string]any{"scores": map[string]any{"exact_match": 1.0}}},
		{score("squad", "nan"), map[string]any{"scores": map[string]any{"exact_match": "nan"}}},
		{score("squad", "refuse"), map[string]any{"error": map[string]any{"kind": "no_references", "message": "because"}}},
		{score("squad", "refuse without a kind"), map[string]any{"error": map[string]any{"message": "refused"}}},
		{score("squad", "no"), map[string]any{"unsupported": "not that one"}},
		{score("toString", "x"), map[string]any{"unsupported": "no metric toString"}},
		{`{"id":7,"op":"normalize","metric":"squad","text":"caf\u00e9"}`, map[string]any{"text": "caf\u00e9\u2028\U0001F680"}},
	}
	lines := []string{`{"id":7,"op":"hello","protocol":1}`}
	for _, test := range tests {
		lines = append(lines, test.request)
	}
	got := run(t, write(t, scorer), lines...)
	if got.exit != 0 || len(got.replies) != len(lines) {
		t.Fatalf("exit %d, %d replies to %d requests; stderr %q", got.exit, len(got.replies), len(lines), got.stderr)
	}
	if hello := got.replies[0]; hello["name"] != "mine" || hello["version"] != "3" || hello["metrics"] == nil {
		t.Errorf("hello is %v", hello)
	}
	for i, test := range tests {
		reply := got.replies[i+1]
		if reply["id"] != 7.0 {
			t.Errorf("reply %v does not echo the id", reply)
		}
		delete(reply, "id")
		if !reflect.DeepEqual(reply, test.want) {
			t.Errorf("%s\ngot  %v\nwant %v", test.request, reply, test.want)
		}
	}
	for _, printed := range []string{"a print of the scorer's own", "and a rawer one"} {
		if !strings.Contains(got.stderr, printed) {
			t.Errorf("stderr lacks %q", printed)
		}
	}
}

func TestHelperLetsABugShow(t *testing.T) {
	mine := write(t, scorer)
	for prediction, stderr := range map[string]string{"crash": "TypeError", "infinite": "not a finite number"} {
		got := run(t, mine, score("squad", "anything"), score("squad", prediction), score("squad", "anything"))
		if got.exit != 1 || len(got.replies) != 1 || !strings.Contains(got.stderr, stderr) {
			t.Errorf("%s: exit %d, %d replies, stderr %q; want the first answered, then a crash that says %q", prediction, got.exit, len(got.replies), got.stderr, stderr)
		}
	}
}

func TestExample(t *testing.T) {
	got := run(t, "example.mjs",
		`{"id":0,"op":"hello","protocol":1}`,
		`{"id":1,"op":"normalize","metric":"squad","pin":"hf-evaluate@a7dd338","options":{},"text":" The  Car, a-b"}`)
	if len(got.replies) != 2 || got.replies[0]["name"] != "acme" || got.replies[1]["text"] != "car ab" {
		t.Errorf("replies %v, stderr %q", got.replies, got.stderr)
	}
}
