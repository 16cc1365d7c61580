// Package process speaks the protocol of adapters/PROTOCOL.md with an external
// program over its stdin and stdout. Whatever the program does (hang, crash,
// flood, print, answer twice) is the outcome of the request at hand; the rest
// goes on in a fresh process.
package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Config says which program is run, and how patiently.
type Config struct {
	// Command is the program and its arguments; no shell is involved.
	Command []string
	// Dir is the program's working directory; empty is this process's own.
	Dir string
	// Env is added to this process's environment, as NAME=value.
	Env []string
	// Window is how many requests are in flight at most; 0 is 512.
	Window int
	// StartTimeout is how long the program may take to answer the hello; 0 is 10 s.
	StartTimeout time.Duration
	// RequestTimeout is how long the program may leave every waiting request
	// without an answer; 0 is 5 s. A program that answers one after the other
	// is not charged for the requests sent ahead: each answer sets the clock back.
	RequestTimeout time.Duration
	// MaxRestarts bounds the fresh processes after faults; 0 is 50, and a
	// negative number is none.
	MaxRestarts int
}

const (
	// maxLine is the longest line that is read; a longer one is a flood.
	maxLine = 16 << 20
	// stderrKept is how much of the end of stderr is kept, in bytes.
	stderrKept = 8 << 10
	// remembered is how many answered requests can still be named when they
	// are answered again.
	remembered = 4096
	// gather is how long the reader lets answers come together. A program that
	// flushes each answer would else wake this process for every one, and the
	// two would take turns on a processor.
	gather = 200 * time.Microsecond
	// gatherFrom is how many requests have to be on their way for that: with
	// fewer the program might have nothing left to do.
	gatherFrom = 256
	// closeGrace is how long a program may go on after its stdin is closed.
	closeGrace = 2 * time.Second
	// exitGrace is how long an exit may follow the end of stdout, and the end
	// of the pipes an exit, before either is taken to be missing.
	exitGrace = 500 * time.Millisecond
)

func (c Config) withDefaults() Config {
	if c.Window <= 0 {
		c.Window = 512
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = 10 * time.Second
	}
	if c.RequestTimeout <= 0 {
		c.RequestTimeout = 5 * time.Second
	}
	if c.MaxRestarts == 0 {
		c.MaxRestarts = 50
	}
	return c
}

// find returns the program's path. The error names the program and what to do.
func (c Config) find() (string, error) {
	if len(c.Command) == 0 || c.Command[0] == "" {
		return "", errors.New("no program was named; write it and its arguments after --, as in: -- python3 my_adapter.py")
	}
	name := c.Command[0]
	// A path with a slash is taken from Dir, as the operating system will.
	named := strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator)
	if named && c.Dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	path, err := exec.LookPath(name)
	if err == nil {
		return filepath.Abs(path)
	}
	return "", fmt.Errorf("the program %q cannot be run: %w", c.Command[0], c.whyMissing(name, named, err))
}

func (c Config) whyMissing(name string, named bool, err error) error {
	_, statErr := os.Stat(name)
	switch {
	case len(c.Command) == 1 && strings.ContainsAny(name, " \t") && statErr != nil:
		return fmt.Errorf("%w; write the program and its arguments as separate words, without quotes around them all", cause(err))
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("it is not on PATH, only in the current directory; write ./%s", name)
	case named && statErr == nil:
		return fmt.Errorf("%w; make it executable (chmod +x %s), or name its interpreter first, as in: -- python3 %[2]s", cause(err), c.Command[0])
	case named:
		return fmt.Errorf("there is no such file; check the path")
	case statErr == nil:
		return fmt.Errorf("it is not on PATH; it is a file here: write ./%s, or name its interpreter first, as in: -- python3 %[1]s", name)
	}
	return fmt.Errorf("it is not on PATH; install it, or write its path")
}

// cause strips the name that exec's errors repeat.
func cause(err error) error {
	var missing *exec.Error
	if errors.As(err, &missing) {
		err = missing.Err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err
}
