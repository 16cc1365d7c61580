package runner_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// scoreLines scores lines that come from a stream.
func scoreLines(t *testing.T, setup, pin, lines string) (*runner.ScoreResult, []string, error) {
	t.Helper()
	var rows bytes.Buffer
	result, err := runner.ScoreFile(t.Context(), runner.ScoreConfig{Setup: setup, Pin: pin, Name: "answers.jsonl", Input: strings.NewReader(lines), Rows: &rows})
	return result, strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n"), err
}

// upstreamRow is a line of the truth data: what upstream itself returned.
type upstreamRow struct {
	Metric  string            `json:"metric"`
	Options map[string]any    `json:"options"`
	Items   []json.RawMessage `json:"items"`
	Pins    map[string]struct {
		Scores metric.Scores `json:"scores"`
		Error  *struct {
			Type string `json:"type"`
		} `json:"error"`
	} `json:"pins"`
}

func eachUpstreamRow(t *testing.T, name string, do func(line int, row upstreamRow)) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "adapters", "reference", "testdata", "upstream-truth", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(unzipped)
	scanner.Buffer(nil, 1<<24)
	for line := 1; scanner.Scan(); line++ {
		var row upstreamRow
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, line, err)
		}
		do(line, row)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestScoreFileIsUpstream: a file of items scores as upstream scored them, in
// every metric and under its options, refusals included.
func TestScoreFileIsUpstream(t *testing.T) {
	every := map[string]int{"squad.jsonl.gz": 11, "squad_v2.jsonl.gz": 11, "exact_match.jsonl.gz": 29, "f1.jsonl.gz": 11, "edge.jsonl.gz": 1}
	for name, step := range every {
		t.Run(name, func(t *testing.T) {
			compared := 0
			eachUpstreamRow(t, name, func(line int, row upstreamRow) {
				if line%step != 0 {
					return
				}
				setup, err := metric.NewSetup(row.Metric, row.Options)
				if err != nil {
					t.Fatalf("line %d: %v", line, err)
				}
				var lines strings.Builder
				for _, item := range row.Items {
					fmt.Fprintf(&lines, "%s\n", item)
				}
				for pin, want := range row.Pins {
					got, _, err := scoreLines(t, setup.String(), "hf-evaluate@"+pin, lines.String())
					switch {
					case err != nil:
						t.Errorf("line %d at %s: %v", line, pin, err)
					case (want.Error != nil) != (got.Error != nil) || len(got.Scores) != len(want.Scores) || got.Rows != len(row.Items):
						t.Errorf("line %d at %s: %+v, upstream's %+v", line, pin, got, want)
					}
					for key, score := range want.Scores {
						if g := got.Scores[key]; math.Float64bits(g) != math.Float64bits(score) && !(math.IsNaN(g) && math.IsNaN(score)) {
							t.Errorf("line %d at %s, %s: %s is %v, upstream's %v", line, pin, setup, key, g, score)
						}
					}
					compared++
				}
			})
			t.Logf("%d scores are upstream's", compared)
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// TestScoreFileByHand: values that are evident, with rows.
func TestScoreFileByHand(t *testing.T) {
	tests := []struct {
		name, setup, pin string
		lines            []string
		want             metric.Scores
		rows             []string
	}{
		{
			name: "squad", setup: "squad", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"prediction":"The car","references":["a car"]}`, `{"prediction":"b c","references":["x","b d"]}`},
			want:  metric.Scores{"exact_match": 50, "f1": 75},
			rows:  []string{`{"row":1,"id":"0","exact_match":100,"f1":100}`, `{"row":2,"id":"1","exact_match":0,"f1":50}`},
		},
		{
			name: "squad: of one id the last answer counts for each of its rows", setup: "squad", pin: "hf-evaluate@86baf12",
			lines: []string{`{"id":"q","prediction":"x","references":["x"]}`, `{"id":"r","prediction":"r","references":["r"]}`, `{"id":"q","prediction":"y","references":["y"]}`, `{"id":"q","prediction":"z","references":["z"]}`},
			want:  metric.Scores{"exact_match": 50, "f1": 50},
			rows: []string{
				`{"row":1,"id":"q","exact_match":0,"f1":0}`, `{"row":2,"id":"r","exact_match":100,"f1":100}`,
				`{"row":3,"id":"q","exact_match":0,"f1":0}`, `{"row":4,"id":"q","exact_match":100,"f1":100}`,
			},
		},
		{
			name: "squad: unanswered scores 0", setup: "squad", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"references":["x"]}`, `{"prediction":"x","references":["x"]}`},
			want:  metric.Scores{"exact_match": 50, "f1": 50},
			rows:  []string{`{"row":1,"id":"0","exact_match":0,"f1":0}`, `{"row":2,"id":"1","exact_match":100,"f1":100}`},
		},
		{
			name: "squad_v2: an id counts once", setup: "squad_v2", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"id":"q","prediction":"x","references":["x"]}`, `{"id":"q","prediction":"y","references":["z"]}`, `{"id":"r","prediction":"","references":[]}`},
			want: metric.Scores{
				"exact": 50, "f1": 50, "total": 2, "HasAns_exact": 0, "HasAns_f1": 0, "HasAns_total": 1, "NoAns_exact": 100, "NoAns_f1": 100, "NoAns_total": 1,
				"best_exact": 50, "best_exact_thresh": 0, "best_f1": 50, "best_f1_thresh": 0,
			},
			rows: []string{
				`{"row":1,"id":"q","exact_match":0,"f1":0,"superseded":true}`, `{"row":2,"id":"q","exact_match":0,"f1":0}`, `{"row":3,"id":"r","exact_match":100,"f1":100}`,
			},
		},
		{
			name: "squad_v2: over the threshold", setup: "squad_v2{no_answer_threshold=0.5}", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"prediction":"x","references":["x"],"no_answer_probability":0.75}`},
			want: metric.Scores{
				"exact": 0, "f1": 0, "total": 1, "HasAns_exact": 0, "HasAns_f1": 0, "HasAns_total": 1,
				"best_exact": 100, "best_exact_thresh": 0.75, "best_f1": 100, "best_f1_thresh": 0.75,
			},
			rows: []string{`{"row":1,"id":"0","exact_match":0,"f1":0}`},
		},
		{
			name: "exact_match at 0 to 100", setup: "exact_match{ignore_case=true}", pin: "hf-evaluate@86baf12",
			lines: []string{`{"prediction":"A","references":["a"]}`, `{"prediction":"A","references":["b"]}`},
			want:  metric.Scores{"exact_match": 50},
			rows:  []string{`{"row":1,"id":"0","exact_match":100}`, `{"row":2,"id":"1","exact_match":0}`},
		},
		{
			name: "exact_match at 0 to 1, lists as a whole", setup: "exact_match{regexes_to_ignore=[]}", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"prediction":"a","references":["a"]}`, `{"prediction":"A","references":["b"]}`},
			want:  metric.Scores{"exact_match": 0},
			rows:  []string{`{"row":1,"id":"0","exact_match":1}`, `{"row":2,"id":"1","exact_match":0}`},
		},
		{
			name: "exact_match: width of the batch", setup: "exact_match{ignore_case=true}", pin: "hf-evaluate@a7dd338",
			lines: []string{`{"prediction":"\u0130","references":["i"]}`, `{"prediction":"xx","references":["xx"]}`},
			want:  metric.Scores{"exact_match": 0.5},
			rows:  []string{`{"row":1,"id":"0","exact_match":0}`, `{"row":2,"id":"1","exact_match":1}`},
		},
		{
			name: "nfd_exact_match", setup: "nfd_exact_match", pin: "article@1",
			lines: []string{`{"prediction":"Café","references":["x","the cafe"]}`, `{"prediction":"a","references":["b"]}`, `{"prediction":"","references":["an"]}`, `{"prediction":"b","references":["c"]}`},
			want:  metric.Scores{"exact_match": 0.5},
			rows:  []string{`{"row":1,"id":"0","exact_match":1}`, `{"row":2,"id":"1","exact_match":0}`, `{"row":3,"id":"2","exact_match":1}`, `{"row":4,"id":"3","exact_match":0}`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, end := range []string{"\n", "\r\n"} {
				for _, last := range []string{end, ""} {
					got, rows, err := scoreLines(t, test.setup, test.pin, strings.Join(test.lines, end)+last)
					if err != nil {
						t.Fatal(err)
					}
					if got.Error != nil || got.Rows != len(test.lines) || fmt.Sprint(got.Scores) != fmt.Sprint(test.want) {
						t.Errorf("with %q and %q: %+v, want %v", end, last, got, test.want)
					}
					if fmt.Sprint(rows) != fmt.Sprint(test.rows) {
						t.Errorf("rows\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(test.rows, "\n"))
					}
					for _, part := range []string{"setup:" + test.setup + "|", "pin:" + test.pin + "|", "unicode:", "normcert:"} {
						if !strings.Contains(got.Signature, part) {
							t.Errorf("the signature %q lacks %q", got.Signature, part)
						}
					}
				}
			}
		})
	}
}

// TestScoreFileOfNothing: an empty file is the empty batch.
func TestScoreFileOfNothing(t *testing.T) {
	tests := []struct{ setup, pin, scores, kind string }{
		{"squad", "hf-evaluate@a7dd338", "", "empty_input"},
		{"squad_v2", "hf-evaluate@86baf12", "", "empty_input"},
		{"nfd_exact_match", "article@1", "", "empty_input"},
		{"exact_match{ignore_case=true}", "hf-evaluate@a7dd338", "", "empty_input"},
		{"exact_match", "hf-evaluate@a7dd338", `{"exact_match":"nan"}`, ""},
		{"exact_match{regexes_to_ignore=[]}", "hf-evaluate@86baf12", `{"exact_match":100}`, ""},
	}
	for _, test := range tests {
		got, _, err := scoreLines(t, test.setup, test.pin, "")
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var object struct {
			Scores json.RawMessage
			Error  struct{ Kind, Message string }
			Rows   *int
		}
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		if string(object.Scores) != test.scores || object.Error.Kind != test.kind || object.Rows == nil || *object.Rows != 0 {
			t.Errorf("%s at %s: %s", test.setup, test.pin, text)
		}
	}
}

// TestScoreFileRefuses: where upstream raises, so does the file.
func TestScoreFileRefuses(t *testing.T) {
	tests := []struct{ setup, lines, kind string }{
		{"squad", `{"prediction":"x","references":[]}`, "no_references"},
		{"squad_v2", `{"references":["x"]}` + "\n" + `{"prediction":"x","references":["x"]}`, "missing_prediction"},
		{"squad_v2", `{"references":["x"]}`, "empty_input"},
		{`exact_match{regexes_to_ignore=["("]}`, `{"prediction":"x","references":["x"]}`, "invalid_regex"},
	}
	for _, test := range tests {
		got, _, err := scoreLines(t, test.setup, "hf-evaluate@a7dd338", test.lines)
		if err != nil || got.Error == nil || string(got.Error.Kind) != test.kind || got.Scores != nil {
			t.Errorf("%s of %s: %+v, %v", test.setup, test.lines, got, err)
		}
	}
}

// TestBadLines: each is named by its line, none is dropped, and nothing is scored.
func TestBadLines(t *testing.T) {
	const good = `{"prediction":"x","references":["x"]}`
	tests := []struct{ name, line, says string }{
		{"not JSON", `nope`, "not a JSON object"},
		{"half a line", `{"prediction":"x","refer`, "not strict JSON"},
		{"a list", `["x"]`, "not a JSON object"},
		{"blank", ``, "not a JSON object"},
		{"only spaces", "  \t", "not a JSON object"},
		{"two objects", good + good, "not strict JSON"},
		{"no references", `{"prediction":"x"}`, "references is missing"},
		{"references null", `{"prediction":"x","references":null}`, "references is missing"},
		{"a null reference", `{"prediction":"x","references":["x",null]}`, "reference 1 is null"},
		{"a number as reference", `{"prediction":"x","references":[1]}`, "number"},
		{"a string for a list", `{"prediction":"x","references":"x"}`, "string"},
		{"a number as prediction", `{"prediction":1,"references":["x"]}`, "number"},
		{"an id that is a number", `{"id":7,"prediction":"x","references":["x"]}`, "number"},
		{"invalid UTF-8", "{\"prediction\":\"\xff\",\"references\":[\"x\"]}", "not valid UTF-8"},
		{"a lone surrogate", `{"prediction":"\ud800","references":["x"]}`, "surrogate"},
		{"a duplicate key", `{"prediction":"x","prediction":"y","references":["x"]}`, "duplicate key"},
		{"NaN", `{"prediction":"x","references":["x"],"no_answer_probability":NaN}`, "not strict JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result, rows, err := scoreLines(t, "squad", "hf-evaluate@a7dd338", strings.Join([]string{good, test.line, good}, "\n")+"\n")
			if !usageError(err) || result != nil {
				t.Fatalf("%v, %v", result, err)
			}
			text := err.Error()
			if !strings.HasPrefix(text, "answers.jsonl:2: ") || !strings.Contains(text, test.says) || !strings.Contains(text, "nothing was scored") {
				t.Errorf("it says %q, want line 2 and %q", text, test.says)
			}
			if strings.Count(text, "answers.jsonl:") != 1 || strings.Join(rows, "") != "" {
				t.Errorf("it says %q, with rows %q", text, rows)
			}
		})
	}
	t.Run("two references under exact_match", func(t *testing.T) {
		_, _, err := scoreLines(t, "exact_match", "hf-evaluate@a7dd338", good+"\n"+`{"prediction":"x","references":["x","y"]}`)
		if !usageError(err) || !strings.HasPrefix(err.Error(), "answers.jsonl:2: exact_match takes exactly one reference, not 2") {
			t.Error(err)
		}
	})
	t.Run("unanswered under exact_match", func(t *testing.T) {
		_, _, err := scoreLines(t, "exact_match", "hf-evaluate@a7dd338", good+"\n"+`{"references":["x"]}`)
		if !usageError(err) || !strings.HasPrefix(err.Error(), "answers.jsonl:2: prediction is missing") {
			t.Error(err)
		}
	})
	t.Run("more than ten", func(t *testing.T) {
		for bad, more := range map[int]string{10: "", 11: "and 1 more bad line\n", 25: "and 15 more bad lines\n"} {
			_, _, err := scoreLines(t, "squad", "hf-evaluate@a7dd338", good+"\n"+strings.Repeat("nope\n", bad)+good)
			if !usageError(err) || strings.Count(err.Error(), "answers.jsonl:") != 10 || !strings.Contains(err.Error(), more) || strings.Contains(err.Error(), " more bad ") != (more != "") {
				t.Errorf("of %d: %v", bad, err)
			}
		}
	})
}

// TestScoreFileUsage: what does not exist is a mistake of the caller.
func TestScoreFileUsage(t *testing.T) {
	for _, test := range []struct{ setup, pin, says string }{
		{"meteor", "hf-evaluate@a7dd338", `unknown metric "meteor"`},
		{"squad{x=1}", "hf-evaluate@a7dd338", `no option "x"`},
		{"exact_match{ignore_case=1}", "hf-evaluate@a7dd338", "ignore_case"},
		{"squad", "hf-evaluate@0000000", "squad is there at hf-evaluate@86baf12, hf-evaluate@a7dd338"},
		{"squad", "article@1", "squad is there at "},
		{"squad{", "hf-evaluate@a7dd338", "squad{"},
		{"", "hf-evaluate@a7dd338", "known metrics: "},
	} {
		if _, _, err := scoreLines(t, test.setup, test.pin, ""); !usageError(err) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s at %s: %v, want %q", test.setup, test.pin, err, test.says)
		}
	}
}

// TestFileIsStream: a file that can be read again and a stream that cannot
// give the same.
func TestFileIsStream(t *testing.T) {
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, `{"id":"%d","prediction":"the answer %d","references":["answer %d","an answer"]}`+"\n", i%97, i%7, i%5)
	}
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	if err := os.WriteFile(name, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, setup := range []string{"squad", "squad_v2"} {
		streamed, rows, err := scoreLines(t, setup, "hf-evaluate@a7dd338", lines.String())
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var rowsOfFile bytes.Buffer
		read, err := runner.ScoreFile(t.Context(), runner.ScoreConfig{Setup: setup, Pin: "hf-evaluate@a7dd338", Name: name, Input: file, Rows: &rowsOfFile})
		if err != nil || fmt.Sprint(read) != fmt.Sprint(streamed) || rowsOfFile.String() != strings.Join(rows, "\n")+"\n" || len(rows) != 500 {
			t.Errorf("%s: the file gives %v, %v; the stream %v; %d rows", setup, read, err, streamed, len(rows))
		}
	}
}

// TestCatastrophicPattern ends in an error that names it, soon.
func TestCatastrophicPattern(t *testing.T) {
	start := time.Now()
	item := fmt.Sprintf(`{"prediction":"%s","references":["x"]}`, strings.Repeat("a", 5000))
	result, _, err := scoreLines(t, `exact_match{regexes_to_ignore=["(a*)*b"]}`, "hf-evaluate@a7dd338", item)
	var no *adapters.Unsupported
	if result != nil || !errors.As(err, &no) || !strings.Contains(err.Error(), `"(a*)*b"`) || !strings.Contains(err.Error(), "gave up") {
		t.Errorf("%v, %v", result, err)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestScoreFileStops when it is told to, and passes on what fails.
func TestScoreFileStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lines := strings.Repeat(`{"prediction":"x","references":["x"]}`+"\n", 10_000)
	config := runner.ScoreConfig{Setup: "squad", Pin: "hf-evaluate@a7dd338", Input: strings.NewReader(lines)}
	if result, err := runner.ScoreFile(ctx, config); !errors.Is(err, context.Canceled) || result != nil {
		t.Errorf("cancelled: %v, %v", result, err)
	}
	full := errors.New("no space left")
	config.Input, config.Rows = strings.NewReader(lines), writerFunc(func([]byte) (int, error) { return 0, full })
	if _, err := runner.ScoreFile(t.Context(), config); !errors.Is(err, full) || !strings.Contains(err.Error(), "writing rows") {
		t.Errorf("rows that cannot be written: %v", err)
	}
	config.Input, config.Rows, config.Name = io.MultiReader(strings.NewReader(lines), failingReader{full}), nil, "stdin"
	if _, err := runner.ScoreFile(t.Context(), config); !errors.Is(err, full) || !strings.Contains(err.Error(), "reading stdin") {
		t.Errorf("input that cannot be read: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(data []byte) (int, error) { return f(data) }

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// TestScoreFileKeepsNoTexts: what lives on the heap grows by far less than the
// file is large. 200,000 rows are 80 MB; their ids' hashes about 6.
func TestScoreFileKeepsNoTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 80 MB")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "answers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const rows = 200_000
	out := bufio.NewWriter(file)
	long := strings.Repeat("word ", 60)
	for i := range rows {
		fmt.Fprintf(out, `{"id":"question-%d","prediction":"%s%d","references":["the answer %d"]}`+"\n", i, long, i, i)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	live := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, most := live(), uint64(0)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			most = max(most, live())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	result, err := runner.ScoreFile(t.Context(), runner.ScoreConfig{Setup: "squad", Pin: "hf-evaluate@a7dd338", Name: file.Name(), Input: file})
	close(done)
	<-stopped
	if err != nil || result.Rows != rows {
		t.Fatalf("%+v, %v", result, err)
	}
	grown := int64(most) - int64(before)
	t.Logf("the file has %d MB; %d MB more were live at most", info.Size()>>20, grown>>20)
	if grown > info.Size()/3 {
		t.Errorf("%d of %d bytes were live", grown, info.Size())
	}
}
