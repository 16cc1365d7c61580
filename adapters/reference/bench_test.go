package reference_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/internal/pytest"
)

// benchPairs is how many pairs both sides score.
const benchPairs = 100_000

// BenchmarkScorerAgainstUpstream scores the same generated pairs with the
// reference, on one thread and on two, and with upstream's own Python, in one
// run, and prints the ratios. bench.sh in this folder is the one command for it.
// NORMCERT_UPSTREAM names a folder that holds a7dd338/metrics/….
func BenchmarkScorerAgainstUpstream(b *testing.B) {
	root := os.Getenv("NORMCERT_UPSTREAM")
	if root == "" {
		b.Skip("set NORMCERT_UPSTREAM to a folder with a tree of upstream's source, as a7dd338/metrics/…")
	}
	pairs := shortAnswers(rand.New(rand.NewPCG(7, 7)), benchPairs)
	describePairs(b, pairs)
	var one, two time.Duration
	var exact, f1 float64
	for b.Loop() {
		one, exact, f1 = fastest(pairs, 1)
		two, _, _ = fastest(pairs, 2)
	}
	theirs := timeUpstream(b, pairs, filepath.Join(root, "a7dd338"))
	if exact != theirs.Scores["exact_match"] {
		b.Fatalf("exact match is %v, upstream's %v", exact, theirs.Scores["exact_match"])
	}
	if f1 != theirs.Scores["f1"] {
		b.Fatalf("F1 is %v, upstream's %v", f1, theirs.Scores["f1"])
	}
	perPair := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / benchPairs }
	upstream := time.Duration(theirs.Seconds * float64(time.Second))
	b.Logf("upstream, CPython %s: %.0f ns a pair", theirs.Python, perPair(upstream))
	b.Logf("reference, one thread: %.0f ns a pair, %.1f times upstream's throughput", perPair(one), float64(upstream)/float64(one))
	b.Logf("reference, two threads: %.0f ns a pair, %.1f times upstream's throughput (GOMAXPROCS %d)", perPair(two), float64(upstream)/float64(two), runtime.GOMAXPROCS(0))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(perPair(upstream), "upstream-ns/pair")
	b.ReportMetric(perPair(one), "ns/pair")
	b.ReportMetric(float64(upstream)/float64(one), "x-one-thread")
	b.ReportMetric(float64(upstream)/float64(two), "x-two-threads")
}

// fastest is the shortest of several passes over the pairs, and their scores.
func fastest(pairs [][2]string, threads int) (best time.Duration, exact, f1 float64) {
	for range 5 {
		start := time.Now()
		exacts, f1s := make([]float64, len(pairs)), make([]float64, len(pairs))
		var workers sync.WaitGroup
		for thread := range threads {
			from, to := thread*len(pairs)/threads, (thread+1)*len(pairs)/threads
			workers.Go(func() {
				var scorer reference.Scorer
				reference := make([]string, 1)
				for i := from; i < to; i++ {
					reference[0] = pairs[i][1]
					matched, f := scorer.Squad(pairs[i][0], reference)
					if matched {
						exacts[i] = 1
					}
					f1s[i] = f
				}
			})
		}
		workers.Wait()
		exact, f1 = 0, 0
		for i := range exacts {
			exact += exacts[i]
			f1 += f1s[i]
		}
		n := float64(len(pairs))
		exact, f1 = 100*exact/n, 100*f1/n
		if took := time.Since(start); best == 0 || took < best {
			best = took
		}
	}
	return best, exact, f1
}

// shortAnswers are pairs as question answering has them: 21 characters on
// average, 13 % of the strings not ASCII.
func shortAnswers(r *rand.Rand, count int) [][2]string {
	ascii := []string{"the", "a", "Nile", "River", "New York", "1,500", "President", "Obama", "of", "in", "U.S.", "don't", "(1999)", "answer", "an", "Paris", "seven"}
	wide := []string{"café", "São Paulo", "Zürich", "İzmir", "日本", "Москва", "don’t", "10–12", "Αθήνα"}
	text := func() string {
		words := make([]string, 0, 6)
		for length := 0; length < 18; {
			word := ascii[r.IntN(len(ascii))]
			words = append(words, word)
			length += len(word) + 1
		}
		if r.IntN(100) < 13 {
			words[r.IntN(len(words))] = wide[r.IntN(len(wide))]
		}
		return strings.Join(words, " ")
	}
	pairs := make([][2]string, count)
	for i := range pairs {
		pairs[i] = [2]string{text(), text()}
		if r.IntN(3) == 0 {
			pairs[i][1] = "The " + pairs[i][0] + "."
		}
	}
	return pairs
}

func describePairs(b *testing.B, pairs [][2]string) {
	characters, wide := 0, 0
	for _, pair := range pairs {
		for _, text := range pair {
			characters += len([]rune(text))
			if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
				wide++
			}
		}
	}
	n := float64(2 * len(pairs))
	b.Logf("%d pairs, %.1f characters a string, %.1f %% of the strings not ASCII", len(pairs), float64(characters)/n, 100*float64(wide)/n)
}

type upstreamTime struct {
	Seconds float64            `json:"seconds"`
	Scores  map[string]float64 `json:"scores"`
	Python  string             `json:"python"`
}

func timeUpstream(b *testing.B, pairs [][2]string, source string) upstreamTime {
	encoded, err := json.Marshal(pairs)
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "pairs.json")
	if err := os.WriteFile(file, encoded, 0o644); err != nil {
		b.Fatal(err)
	}
	out, err := exec.CommandContext(b.Context(), pytest.Interpreter(b), filepath.Join("testdata", "bench.py"), file, source).Output()
	if err != nil {
		b.Fatalf("timing upstream: %v", err)
	}
	var result upstreamTime
	if err := json.Unmarshal(out, &result); err != nil {
		b.Fatal(err)
	}
	return result
}
