package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/normcert/normcert/runner"
)

// A run shows its progress once it takes longer than a moment, and then not
// more often than can be read.
const (
	moment = time.Second
	beat   = 100 * time.Millisecond
)

// showProgress lets the run write how far it is, where errs is a terminal. The
// function it returns takes the line away again.
func showProgress(errs io.Writer, config *runner.Config) (ended func()) {
	file, isFile := errs.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	start := time.Now()
	var last time.Time
	config.Progress = func(done, of int) {
		now := time.Now()
		if now.Sub(start) < moment || now.Sub(last) < beat {
			return
		}
		last = now
		fmt.Fprintf(errs, "\r%d of %d answers\x1b[K", done, of)
	}
	return func() {
		if !last.IsZero() {
			fmt.Fprint(errs, "\r\x1b[K")
		}
	}
}
