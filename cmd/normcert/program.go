package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/internal/visible"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

// How long a program may take, unless flags say otherwise.
const (
	defaultStartTimeout = 10 * time.Second
	defaultTimeout      = 5 * time.Second
)

// programFlags say how a program is run and asked.
type programFlags struct {
	startTimeout, timeout time.Duration
	jobs                  int
	shuffle               seedFlag
	filter                bool
}

func (p *programFlags) add(f *pflag.FlagSet) {
	f.DurationVar(&p.startTimeout, "start-timeout", defaultStartTimeout, "how long the program may take to say hello")
	f.DurationVar(&p.timeout, "timeout", defaultTimeout, "how long it may take for an answer")
	f.IntVar(&p.jobs, "jobs", 1, "how many processes of the program answer side by side")
	f.Var(&p.shuffle, "shuffle", "ask in the random order that this `SEED` gives")
}

func (p *programFlags) addFilter(f *pflag.FlagSet) {
	f.BoolVar(&p.filter, "filter", false, "the program is a filter: one text on stdin, its normalized form on stdout; needs --claim")
}

// seedFlag is a number that may be left out.
type seedFlag struct{ seed *uint64 }

func (s *seedFlag) String() string {
	if s.seed == nil {
		return ""
	}
	return strconv.FormatUint(*s.seed, 10)
}

func (s *seedFlag) Set(text string) error {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("it is a number from 0 on")
	}
	s.seed = &seed
	return nil
}

func (s *seedFlag) Type() string { return "SEED" }

func (p *programFlags) validate(command, claims []string) error {
	switch {
	case p.startTimeout <= 0 || p.timeout <= 0:
		return errors.New("--start-timeout and --timeout are longer than 0s")
	case p.jobs < 1:
		return fmt.Errorf("--jobs %d: it is at least 1", p.jobs)
	case p.filter && len(command) == 0:
		return errors.New("--filter goes with a command after --")
	case p.filter && len(claims) == 0:
		return errors.New("--filter goes with --claim: a filter says no hello")
	}
	if p.filter {
		for _, claim := range claims {
			name, _, _ := strings.Cut(claim, "@")
			if m, err := metric.Lookup(name); err == nil && !m.Normalizes {
				return fmt.Errorf("--filter --claim %s: a filter only normalizes, and %s has no function from text to text", claim, name)
			}
		}
	}
	return nil
}

// program is what is asked, and the end of what it wrote to stderr.
type program interface {
	adapters.Adapter
	Stderr() string
}

// builtIn is the reference; it writes nothing to stderr.
type builtIn struct{ *reference.Adapter }

func (builtIn) Stderr() string { return "" }

// start returns the command as an adapter; no command is the reference. The
// error is a *process.StartError or names the program.
func (p *programFlags) start(command, claims []string) (program, error) {
	config := process.Config{Command: command, StartTimeout: p.startTimeout, RequestTimeout: p.timeout}
	switch {
	case len(command) == 0:
		return builtIn{reference.New()}, nil
	case p.filter:
		pins := map[string][]string{}
		for _, claim := range claims {
			name, pin, _ := strings.Cut(claim, "@")
			pins[name] = append(pins[name], pin)
		}
		return process.NewFilter(config, pins)
	}
	return process.NewPool(config, p.jobs)
}

// again are the flags of the command line that the answers may depend on.
func (p *programFlags) again(dir string) []string {
	var flags []string
	if dir != "" {
		flags = append(flags, "--dir", dir)
	}
	if p.filter {
		flags = append(flags, "--filter")
	}
	if p.timeout != defaultTimeout {
		flags = append(flags, "--timeout", p.timeout.String())
	}
	if p.startTimeout != defaultStartTimeout {
		flags = append(flags, "--start-timeout", p.startTimeout.String())
	}
	return flags
}

// window is how many requests are in flight: a filter has a process for each,
// and every other process is sent the same number ahead.
func (p *programFlags) window() int {
	if p.filter {
		return p.jobs
	}
	return p.jobs * runner.DefaultWindow
}

// tellStderr shows the end of what the program wrote there. It is no part of
// the report, which is the same however many processes answer.
func tellStderr(errs io.Writer, from program) {
	if remarked, has := from.(interface{ Remarks() []string }); has {
		for _, remark := range remarked.Remarks() {
			fmt.Fprintln(errs, "normcert: of the program: "+remark)
		}
	}
	text := strings.TrimSpace(from.Stderr())
	if text == "" {
		return
	}
	fmt.Fprintln(errs, "normcert: the program's stderr ends in:")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(errs, "  "+visible.Line(strings.TrimSuffix(line, "\r")))
	}
}
