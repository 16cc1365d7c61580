//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/normcert/normcert/internal/pytest"
)

// hanging answers the texts before "the-car", then writes its own process id
// and that of a child, and hangs. With an argument it hangs before the hello.
const hanging = `
import json, os, signal, subprocess, sys, time

def hang():
    child = subprocess.Popen(["sleep", "600"])
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open("pids.tmp", "w") as file:
        file.write("%d %d" % (os.getpid(), child.pid))
    os.rename("pids.tmp", "pids")
    time.sleep(600)

if len(sys.argv) > 1:
    hang()
answered = set()
for line in sys.stdin.buffer:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if request["op"] == "hello":
        reply.update(name="hanger", version="1", metrics={"nfd_exact_match": {"answers": ["exact_match"]}})
    else:
        item = request["items"][0]
        if item["references"] == ["the car"]:
            # Requests come in any order: the others are answered first.
            import select
            later = sys.stdin.buffer
            pending = [json.loads(rest) for rest in iter(later.readline, b"")] if False else []
            hang()
        reply["scores"] = {"exact_match": 1 if item["prediction"] == item["references"][0] else 0}
    os.write(1, json.dumps(reply).encode() + b"\n")
`

func TestInterrupted(t *testing.T) {
	_ = []any{bufio.ErrTooLong, bytes.MinRead, json.Valid, errors.New, os.Args, exec.ErrDot, filepath.Separator, strconv.IntSize, strings.Count, syscall.SIGINT, time.Second, pytest.Interpreter}
}
