package process_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/internal/pytest"
	"github.com/normcert/normcert/metric"
)

// trivial answers every request with the same scores.
const trivial = `import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        answer = {"name": "trivial", "metrics": {"squad": {"answers": ["exact_match", "f1"]}}}
    else:
        answer = {"scores": {"exact_match": 100.0, "f1": 100.0}}
    answer["id"] = request["id"]
    print(json.dumps(answer), flush=True)
`

// benchRequests is how many requests both sides answer.
const benchRequests = 100_000

// BenchmarkOverhead lets a trivial Python program answer the same requests from
// a file by itself, and as an adapter, in one run, and prints the ratio:
//
//	go test -run '^$' -bench Overhead -benchtime 3x ./adapters/process
func BenchmarkOverhead(b *testing.B) {
	python := pytest.Interpreter(b)
	folder := b.TempDir()
	script, file := filepath.Join(folder, "trivial.py"), filepath.Join(folder, "requests.jsonl")
	if err := os.WriteFile(script, []byte(trivial), 0o644); err != nil {
		b.Fatal(err)
	}
	var requests bytes.Buffer
	requests.Write(append(adapters.EncodeHelloRequest(0), '\n'))
	for i := range benchRequests {
		requests.Write(append(adapters.EncodeRequest(int64(i+1), benchRequest(i)), '\n'))
	}
	if err := os.WriteFile(file, requests.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	var ratios, alone, whole float64
	var grown uint64
	for b.Loop() {
		a, w, g := timeAlone(b, python, script, file), time.Duration(0), uint64(0)
		w, g = timeWhole(b, python, script)
		alone, whole, ratios, grown = alone+a.Seconds(), whole+w.Seconds(), ratios+w.Seconds()/a.Seconds(), max(grown, g)
	}
	n := float64(b.N)
	b.Logf("%d requests: alone %.2f s, as an adapter %.2f s, %.2f times; the heap grew by %d KB", benchRequests, alone/n, whole/n, ratios/n, grown>>10)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ratios/n, "x-alone")
}

func benchRequest(i int) adapters.Request {
	item := metric.Answered(fmt.Sprintf("an answer, number %d", i), "the answer", "another answer")
	return adapters.Request{Op: adapters.Score, Metric: "squad", Pin: "hf-evaluate@a7dd338", Items: []metric.Item{item}}
}

func timeAlone(b *testing.B, python, script, file string) time.Duration {
	in, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	// A file would take longer to write than a pipe, and flatter the adapter.
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	command := exec.CommandContext(b.Context(), python, script)
	command.Stdin, command.Stdout = in, out
	start := time.Now()
	if err := command.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func timeWhole(b *testing.B, python, script string) (took time.Duration, grown uint64) {
	start := time.Now()
	adapter, err := process.New(process.Config{Command: []string{python, script}})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := adapter.Hello(b.Context()); err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 512 {
		workers.Go(func() {
			for i := range numbers {
				if _, err := adapter.Answer(b.Context(), benchRequest(i)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range benchRequests {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
	took = time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if late, err := adapter.Close(); err != nil || len(late) > 0 {
		b.Fatal(late, err)
	}
	if after.HeapAlloc > before.HeapAlloc {
		grown = after.HeapAlloc - before.HeapAlloc
	}
	return took, grown
}
