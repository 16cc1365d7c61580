package reference_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/adapters/python"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/internal/pytest"
	"github.com/normcert/normcert/metric"
)

// patterns are put into regexes_to_ignore, one or several at a time. Some are
// not patterns at all.
var patterns = []string{
	".", "a", "the ", `\.`, `\bthe\b`, `\b(a|an|the)\b`, `\w+`, `\W`, `\d`, `\D+`, `\s+$`, `^\s*`, "[^a-z]", "(?i)THE", "(?i)σ", "(?i)İ", `[\u0300-\u036f]`,
	"a??", "x*", `(?<=a)\W`, `(?!a)\w`, `(.)\1`, "$", `\Z`, "(?s).", "(?a)\\w", `\x00`, `[\x00-\x1f]`, "é|e", "((a)|b)+", "a{2,}", "[a-", "(", "*", "(?P<n>a)(?P=n)",
	`(?>a+)b`, "a++", "(?:the|an?) ", "[²½]", `\S{3}`, "\u00a0", "’", "[[:alpha:]]", `\N{LATIN SMALL LETTER A}`, `\8`,
}

// question is one disagreement to look for.
type question struct {
	setup metric.Setup
	pin   string
	items []metric.Item
}

func (q question) request() adapters.Request {
	return adapters.Request{Op: adapters.Score, Metric: q.setup.Metric, Pin: q.pin, Options: q.setup.Options, Items: q.items}
}

func (q question) String() string {
	return fmt.Sprintf("%s at %s: %s", q.setup, q.pin, adapters.EncodeRequest(0, q.request()))
}

func randomQuestion(r *rand.Rand) question {
	name := metric.Names()[r.IntN(4)]
	m, err := metric.Lookup(name)
	if err != nil {
		panic(err)
	}
	pins := reference.Pins(name)
	q := question{setup: metric.Setup{Metric: name, Options: randomOptions(r, m)}, pin: pins[r.IntN(len(pins))]}
	for range [...]int{1, 1, 1, 2, 3, 5, 0}[r.IntN(7)] {
		q.items = append(q.items, randomItem(r, m, len(q.items)))
	}
	return q
}

func randomItem(r *rand.Rand, m metric.Metric, index int) metric.Item {
	prediction := randomText(r, 5)
	item := metric.Item{ID: metric.DefaultID(index), Prediction: &prediction}
	count := 1
	if !m.OneReference {
		count = 1 + r.IntN(3)
	}
	if m.Questions {
		if r.IntN(8) == 0 {
			count = 0
		}
		if r.IntN(20) == 0 {
			item.Prediction = nil
		}
		if r.IntN(6) == 0 {
			item.ID = "0"
		}
		item.NoAnswerProbability = [...]float64{0, 0.3, 0.5, 1, 1.5}[r.IntN(5)]
	}
	for range count {
		// Half of the references are the prediction, slightly changed.
		text := randomText(r, 5)
		if r.IntN(2) == 0 {
			text = alphabet[r.IntN(len(alphabet))] + prediction
		}
		if r.IntN(3) == 0 {
			text = strings.ToUpper(prediction)
		}
		item.References = append(item.References, text)
	}
	return item
}

func randomOptions(r *rand.Rand, m metric.Metric) metric.Options {
	options := map[string]any{}
	for _, option := range m.Options {
		switch {
		case r.IntN(2) == 0:
		case option.Kind == metric.Bool:
			options[option.Name] = true
		case option.Kind == metric.Number:
			options[option.Name] = [...]float64{0, 0.3, 0.5, 1}[r.IntN(4)]
		case r.IntN(20) == 0:
			options[option.Name] = "a."
		default:
			list := []string{}
			for range r.IntN(3) {
				list = append(list, patterns[r.IntN(len(patterns))])
			}
			options[option.Name] = list
		}
	}
	setup, err := metric.NewSetup(m.Name, options)
	if err != nil {
		panic(err)
	}
	return setup.Options
}

// disagreement says how the reference and the independent implementation differ,
// "" where they do not. unsupported is the reference's honest no.
func disagreement(ctx context.Context, independent adapters.Adapter, q question) (text string, unsupported bool) {
	got, errGot := reference.New().Answer(ctx, q.request())
	want, errWant := independent.Answer(ctx, q.request())
	var no *adapters.Unsupported
	var refusedGot, refusedWant *metric.Refusal
	switch {
	case errors.As(errGot, &no):
		return "", true
	case errors.As(errGot, &refusedGot) && errors.As(errWant, &refusedWant):
		if refusedGot.Kind != refusedWant.Kind {
			return fmt.Sprintf("the reference refuses with %q, the other with %q", refusedGot.Kind, refusedWant.Kind), false
		}
		return "", false
	case errGot != nil || errWant != nil:
		return fmt.Sprintf("the reference: %v, %v; the other: %v, %v", got.Scores, errGot, want.Scores, errWant), false
	}
	if diff := bits(got.Scores, want.Scores); diff != "" {
		return "the other is taken for upstream: " + diff, false
	}
	return "", false
}

// shrink drops items, references, options, patterns and characters for as long
// as the disagreement stays.
func shrink(q question, disagrees func(question) bool) question {
	for again := true; again; {
		again = false
		for _, smaller := range smaller(q) {
			if disagrees(smaller) {
				q, again = smaller, true
				break
			}
		}
	}
	return q
}

// smaller returns every question that is q with one thing less.
func smaller(q question) []question {
	var list []question
	with := func(items []metric.Item) { list = append(list, question{q.setup, q.pin, items}) }
	for i := range q.items {
		with(slices.Delete(slices.Clone(q.items), i, i+1))
	}
	m, err := metric.Lookup(q.setup.Metric)
	if err != nil {
		panic(err)
	}
	for name := range q.setup.Options {
		options := metric.Options{}
		for other, value := range q.setup.Options {
			if other != name {
				options[other] = value
			}
		}
		list = append(list, question{metric.Setup{Metric: m.Name, Options: options}, q.pin, q.items})
	}
	for i, item := range q.items {
		change := func(changed metric.Item) {
			if changed.Validate(m) == nil {
				items := slices.Clone(q.items)
				items[i] = changed
				with(items)
			}
		}
		for r := range item.References {
			fewer := item
			fewer.References = slices.Delete(slices.Clone(item.References), r, r+1)
			change(fewer)
			for _, text := range shorter(item.References[r]) {
				shorter := item
				shorter.References = slices.Clone(item.References)
				shorter.References[r] = text
				change(shorter)
			}
		}
		if item.Prediction != nil {
			for _, text := range shorter(*item.Prediction) {
				shorter := item
				shorter.Prediction = &text
				change(shorter)
			}
		}
	}
	return list
}

func shorter(text string) []string {
	runes := []rune(text)
	list := make([]string, len(runes))
	for i := range runes {
		list[i] = string(slices.Delete(slices.Clone(runes), i, i+1))
	}
	return list
}

// startIndependent starts our Python implementation, which shares no code with
// the reference and runs Python's own str and re.
func startIndependent(t testing.TB) *process.Adapter {
	t.Helper()
	script := filepath.Join(t.TempDir(), "independent.py")
	if err := os.WriteFile(script, []byte(python.Independent), 0o644); err != nil {
		t.Fatal(err)
	}
	adapter, err := process.New(process.Config{Command: []string{pytest.Interpreter(t), script}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { adapter.Close() })
	hello, err := adapter.Hello(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if hello.Unicode != "14.0.0" {
		t.Skipf("NOT COMPARED: the interpreter has Unicode %s, the reference 14.0.0; name one in NORMCERT_PYTHON (CPython 3.11)", hello.Unicode)
	}
	return adapter
}

// TestDifferential puts random batches to the reference and to the independent
// implementation: every metric, option and pin. NORMCERT_SEED repeats a run,
// NORMCERT_QUESTIONS sets how many.
func TestDifferential(t *testing.T) {
	differ(t, startIndependent(t), func(question) bool { return true })
}

// TestDifferentialUpstream is TestDifferential against upstream's own source.
// NORMCERT_UPSTREAM names a folder that holds a tree of upstream for each pin,
// as <commit>/metrics/…; see CONTRIBUTING.
func TestDifferentialUpstream(t *testing.T) {
	root := os.Getenv("NORMCERT_UPSTREAM")
	if root == "" {
		t.Skip("set NORMCERT_UPSTREAM to a folder with a tree of upstream's source for each pin, as 86baf12/metrics/…")
	}
	script := filepath.Join(t.TempDir(), "upstream.py")
	if err := os.WriteFile(script, []byte(python.Upstream), 0o644); err != nil {
		t.Fatal(err)
	}
	upstreams := byPin{}
	for _, name := range metric.Names() {
		for _, pin := range reference.Pins(name) {
			upstream, short, _ := strings.Cut(pin, "@")
			if upstream != "hf-evaluate" || upstreams[pin] != nil {
				continue
			}
			command := []string{pytest.Interpreter(t, "numpy"), script, "--source", filepath.Join(root, short), "--pin", pin}
			adapter, err := process.New(process.Config{Command: command})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { adapter.Close() })
			upstreams[pin] = adapter
		}
	}
	differ(t, upstreams, func(q question) bool { return upstreams[q.pin] != nil })
}

// byPin sends each request to the adapter of its pin.
type byPin map[string]adapters.Adapter

func (b byPin) Hello(context.Context) (adapters.Hello, error) { return adapters.Hello{}, nil }

func (b byPin) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	return b[request.Pin].Answer(ctx, request)
}

// differ compares the reference with another adapter over random batches of
// those that are wanted.
func differ(t *testing.T, other adapters.Adapter, wanted func(question) bool) {
	seed, count := rand.Uint64(), 30_000
	if text := os.Getenv("NORMCERT_SEED"); text != "" {
		seed = parseEnv(t, text)
	}
	if text := os.Getenv("NORMCERT_QUESTIONS"); text != "" {
		count = int(parseEnv(t, text))
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	questions := make(chan question)
	var workers sync.WaitGroup
	var mu sync.Mutex
	unsupported := 0
	var found []question
	for range 32 {
		workers.Go(func() {
			for q := range questions {
				text, no := disagreement(t.Context(), other, q)
				mu.Lock()
				if no {
					unsupported++
				}
				if text != "" && len(found) < 5 {
					found = append(found, q)
				}
				mu.Unlock()
			}
		})
	}
	for range count {
		q := randomQuestion(r)
		for !wanted(q) {
			q = randomQuestion(r)
		}
		questions <- q
	}
	close(questions)
	workers.Wait()
	for _, q := range found {
		report(t, other, q)
	}
	t.Logf("%d batches compared, %d unsupported", count-unsupported, unsupported)
	if unsupported > count/100 {
		t.Errorf("%d of %d batches are unsupported", unsupported, count)
	}
}

func report(t *testing.T, independent adapters.Adapter, q question) {
	t.Helper()
	small := shrink(q, func(q question) bool {
		text, _ := disagreement(t.Context(), independent, q)
		return text != ""
	})
	text, _ := disagreement(t.Context(), independent, small)
	t.Errorf("%s\n%s", small, text)
}

func parseEnv(t *testing.T, text string) uint64 {
	t.Helper()
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// FuzzDifferential is TestDifferential open-ended: the input seeds the batch.
func FuzzDifferential(f *testing.F) {
	independent := startIndependent(f)
	f.Add(uint64(1), "the \u0130", "a\x00")
	f.Fuzz(func(t *testing.T, seed uint64, prediction, text string) {
		q := randomQuestion(rand.New(rand.NewPCG(seed, 0)))
		if len(q.items) > 0 {
			prediction, text = strings.ToValidUTF8(prediction, "?"), strings.ToValidUTF8(text, "?")
			q.items[0].Prediction = &prediction
			if len(q.items[0].References) > 0 {
				q.items[0].References[0] = text
			}
		}
		if text, _ := disagreement(t.Context(), independent, q); text != "" {
			report(t, independent, q)
		}
	})
}
