package doctor

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/internal/pytest"
)

var goldens = sync.OnceValue(func() *golden.Set {
	set, err := golden.Embedded()
	if err != nil {
		panic(err)
	}
	return set
})

// inProcess has an adapter answer over pipes, without a process.
func inProcess(adapter adapters.Adapter) func() (*conversation, error) {
	return func() (*conversation, error) {
		in, stdin := io.Pipe()
		stdout, out := io.Pipe()
		stderr, errs := io.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = adapters.Serve(context.Background(), adapter, in, out)
			in.Close()
			out.Close()
			errs.Close()
		}()
		kill := sync.OnceFunc(func() { in.Close(); out.Close(); errs.Close() })
		return &conversation{stdin: stdin, stdout: stdout, stderr: stderr, kill: kill, wait: func(<-chan struct{}) string {
			<-ended
			return "exit status 0"
		}}, nil
	}
}

// examine returns the report of an examination that comes to its end.
func examine(t *testing.T, config Config) *Report {
	t.Helper()
	config.Goldens = goldens()
	report, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// found lists the findings as "wrong, probe: what", and the notes.
func found(report *Report) []string {
	var list []string
	for _, p := range report.Probes {
		for _, finding := range p.Findings {
			kind := Wrong
			if finding.Note {
				kind = Note
			}
			list = append(list, fmt.Sprintf("%s, %s: %s", kind, p.Name, finding.What))
		}
	}
	return list
}

func text(t *testing.T, report *Report) string {
	t.Helper()
	var out bytes.Buffer
	for _, p := range report.Probes {
		if err := WriteProbe(&out, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFindings(&out, report); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSoundPrograms: nothing is found in programs that speak the protocol well.
func TestSoundPrograms(t *testing.T) {
	found, err := exec.Command(pytest.Interpreter(t), "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	python := strings.TrimSpace(string(found)) // and not a shim, which costs each start another
	folder := filepath.Join("..", "..", "adapters")
	commands := map[string][]string{
		"independent": {python, filepath.Join(folder, "python", "independent.py")},
		"example.py":  {python, filepath.Join(folder, "python", "example_adapter.py")},
	}
	if node, err := exec.LookPath("node"); err == nil {
		commands["example.mjs"] = []string{node, filepath.Join(folder, "node", "example.mjs")}
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := examine(t, Config{Command: command})
			if report.Count(Wrong)+report.Count(Note) > 0 {
				t.Errorf("%s", text(t, report))
			}
			if report.Adapter == "" || report.Count(OK) < 10 {
				t.Errorf("little was looked at:\n%s", text(t, report))
			}
		})
	}
}

// asIs claims what the reference claims, less what is not wanted.
type asIs struct {
	*reference.Adapter
	claim func(hello *adapters.Hello)
}

func (a asIs) Hello(ctx context.Context) (adapters.Hello, error) {
	hello, err := a.Adapter.Hello(ctx)
	if a.claim != nil {
		a.claim(&hello)
	}
	return hello, err
}

func (a asIs) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	answer, err := a.Adapter.Answer(ctx, request)
	hello, _ := a.Hello(ctx)
	support := hello.Metrics[request.Metric]
	for name := range answer.Scores {
		if !slices.Contains(support.Answers, name) {
			delete(answer.Scores, name)
		}
	}
	return answer, err
}

// only leaves one metric in a hello, with these answers and conditions.
func only(name string, scale float64, answers, handles []string) func(*adapters.Hello) {
	return func(hello *adapters.Hello) {
		hello.Metrics = map[string]adapters.Support{name: {Answers: answers, Handles: handles, Scale: scale}}
	}
}

// TestSoundClaims: whatever part of the reference is claimed, nothing is wrong.
func TestSoundClaims(t *testing.T) {
	tests := map[string]struct {
		claim func(*adapters.Hello)
		notes bool // something is answered that is not named
	}{
		"everything":                  {claim: nil},
		"squad, normalize only":       {claim: only("squad", 0, []string{"normalize"}, nil)},
		"squad_v2, normalize only":    {claim: only("squad_v2", 0, []string{"normalize"}, nil)},
		"nfd, normalize only":         {claim: only("nfd_exact_match", 0, []string{"normalize"}, nil)},
		"nfd, exact match":            {claim: only("nfd_exact_match", 1, []string{"exact_match"}, []string{"batch"})},
		"squad, f1 only":              {claim: only("squad", 0, []string{"f1"}, nil), notes: true},
		"exact_match":                 {claim: only("exact_match", 0, []string{"exact_match"}, nil), notes: true},
		"exact_match, options":        {claim: only("exact_match", 1, []string{"exact_match"}, []string{"ignore_case", "regexes_to_ignore"}), notes: true},
		"squad_v2, thresholds":        {claim: only("squad_v2", 0, []string{"best_f1_thresh", "best_f1"}, []string{"batch"}), notes: true},
		"squad_v2, totals only":       {claim: only("squad_v2", 0, []string{"total", "HasAns_total"}, nil)},
		"squad_v2, HasAns_exact only": {claim: only("squad_v2", 0, []string{"HasAns_exact"}, nil)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := examine(t, Config{begin: inProcess(asIs{reference.New(), test.claim}), grace: 1})
			if report.Count(Wrong) > 0 || report.Count(Note) > 0 != test.notes {
				t.Errorf("%s", text(t, report))
			}
		})
	}
}

// variationFindings are the variations that are themselves what is looked for,
// with what has to be said of each, and nothing else.
var variationFindings = map[string][]string{
	"digits-kept":       {"ignore_numbers makes no difference"},
	"identity":          {"ignore_case makes no difference", "ignore_numbers makes no difference", "ignore_punctuation makes no difference", "regexes_to_ignore makes no difference"},
	"ids-ignored":       {"two items with one id score as if each had its own"},
	"no-lower":          {"ignore_case makes no difference"},
	"no-punctuation":    {"ignore_punctuation makes no difference"},
	"other-scale":       {"a full score is 100, and should be 1", "a full score is 1, and should be 100"},
	"patterns-ignored":  {"regexes_to_ignore makes no difference"},
	"rounded":           {"it looks rounded"},
	"threshold-ignored": {"no_answer_threshold makes no difference"},
}

// judging are the probes that look at what an answer is.
func judging() []string {
	list := []string{"scores", "scale", "rounding", "references", "empty batch", "no_answer_probability", "not named"}
	for _, c := range characters {
		list = append(list, c.name)
	}
	for _, condition := range conditions() {
		list = append(list, "handles "+condition)
	}
	return list
}

// TestVariations: a scorer that differs is nothing for the doctor, unless its
// difference is one of those that come of a mistake in the adapter. Each is
// asked for all of it, for normalize alone, and for exact match alone.
func TestVariations(t *testing.T) {
	claims := map[string]func(*adapters.Hello){"all": nil, "normalize": textOnly, "exact match": exact}
	for _, variation := range reference.Catalogue() {
		t.Run(variation.Name, func(t *testing.T) {
			t.Parallel()
			for claimed, claim := range claims {
				report := examine(t, Config{begin: inProcess(asIs{reference.New(variation), claim}), only: judging(), grace: 1})
				expected := variationFindings[variation.Name]
				var wrong []string
				for _, one := range found(report) {
					if strings.HasPrefix(one, string(Wrong)) {
						wrong = append(wrong, one)
					}
				}
				for _, one := range wrong {
					if !slices.ContainsFunc(expected, func(part string) bool { return strings.Contains(one, part) }) {
						t.Errorf("%s: %s", claimed, one)
					}
				}
				for _, part := range expected {
					if claim == nil && !slices.ContainsFunc(wrong, func(one string) bool { return strings.Contains(one, part) }) {
						t.Errorf("it was not found that %s", part)
					}
				}
			}
		})
	}
}

// TestCannotStart: what cannot be started is an error, and no finding.
func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.py")
	if err := os.WriteFile(plain, []byte("print()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command []string
		want    string
	}{
		{[]string{"no-such-program-anywhere"}, "not on PATH"},
		{[]string{filepath.Join(dir, "missing")}, "no such file"},
		{[]string{plain}, "cannot be run"},
	} {
		report, err := Run(t.Context(), Config{Command: test.command})
		if err == nil || !strings.Contains(err.Error(), test.want) || len(report.Probes) > 0 {
			t.Errorf("%v: %v, %d probes", test.command, err, len(report.Probes))
		}
	}
}

// TestInterrupted: what was found until then is in the report.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	config := fakeConfig("hang")
	config.RequestTimeout, config.Goldens = time.Minute, goldens()
	config.Each = func(p Probe) {
		if p.Name == "end of input" {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}
	began := time.Now()
	report, err := Run(ctx, config)
	if err != context.Canceled || len(report.Probes) != 2 || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v, %d probes", err, time.Since(began), len(report.Probes))
	}
}

func TestBadNumber(t *testing.T) {
	for value, want := range map[string]string{
		`1`: "", `-0.5e3`: "", `"nan"`: "", `"\u006ean"`: "",
		`"NaN"`: "string number", `"1"`: "string number", `null`: "null", `true`: "boolean", `[1]`: "list score", `1e999`: "large",
	} {
		if key, what, _ := badNumber("f1", []byte(value)); key != want {
			t.Errorf("%s: %q, %s", value, key, what)
		}
	}
}
