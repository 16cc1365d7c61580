package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// program is a process with its pipes and the group of all that it starts.
type program struct {
	cmd    *exec.Cmd
	group  group
	stdin  *os.File
	stdout *os.File
	stderr *os.File
}

// pipe makes a pipe.
type pipe func() (r, w *os.File, err error)

// begin starts the program at path. The pipes are made here and not by os/exec,
// whose Wait would wait for descendants that hold them, or close them too early.
func (p *program) begin(path string, config Config, stdout pipe) error {
	var theirs [3]*os.File
	var mine [3]*os.File
	for i, open := range []pipe{inputPipe, stdout, os.Pipe} {
		r, w, err := open()
		if err != nil {
			closeAll(theirs[:i])
			closeAll(mine[:i])
			return fmt.Errorf("making a pipe: %w", err)
		}
		theirs[i], mine[i] = w, r
		if i == 0 {
			theirs[i], mine[i] = r, w
		}
	}
	p.stdin, p.stdout, p.stderr = mine[0], mine[1], mine[2]
	p.cmd = &exec.Cmd{
		Path: path, Args: config.Command, Dir: config.Dir, Env: append(os.Environ(), config.Env...),
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
	}
	p.group.prepare(p.cmd)
	err := p.cmd.Start()
	closeAll(theirs[:])
	if err != nil {
		closeAll(mine[:])
		return cause(err)
	}
	if err := p.group.started(p.cmd); err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		closeAll(mine[:])
		return err
	}
	return nil
}

func closeAll(files []*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

// notRunnable is the error of a program that the operating system refuses.
func notRunnable(command []string, err error) *StartError {
	hint := ""
	if strings.Contains(err.Error(), "exec format") {
		hint = "a script needs a first line such as #!/usr/bin/env python3; or name its interpreter first, as in: -- python3 " + command[0]
	}
	return &StartError{Command: command, What: err.Error(), Hint: hint}
}

// Program is a running program and nothing more: no protocol, no deadlines.
// [Adapter] is what speaks with one; this is for those who have to see every
// byte. Kill and Wait end it.
type Program struct {
	// Stdin, Stdout and Stderr are this side's ends of its pipes. Closing Stdin
	// says that the run is over.
	Stdin          io.WriteCloser
	Stdout, Stderr *os.File
	// Left is what it left running when it ended by itself, by command line; set
	// by Wait.
	Left    []string
	running program
	over    atomic.Bool
}

// lastInput notes that the stdin of a program is closed.
type lastInput struct {
	*os.File
	over *atomic.Bool
}

func (l lastInput) Close() error {
	l.over.Store(true)
	return l.File.Close()
}

// Start looks the program up and starts it, in a group with all that it will
// start. Only Command, Dir and Env count. The error says what to do.
func (c Config) Start() (*Program, error) {
	path, err := c.find()
	if err != nil {
		return nil, err
	}
	p := &Program{}
	if err := p.running.begin(path, c, os.Pipe); err != nil {
		return nil, notRunnable(c.Command, err)
	}
	p.Stdin, p.Stdout, p.Stderr = lastInput{p.running.stdin, &p.over}, p.running.stdout, p.running.stderr
	return p, nil
}

// Kill ends the program and all that it started. It returns at once.
func (p *Program) Kill() { p.running.group.kill() }

// Wait waits for the program itself and then ends what it left behind. It may
// be called once. drained is closed by the caller when both outputs were read
// to their end; they are closed here then, or half a second later.
func (p *Program) Wait(drained <-chan struct{}) *os.ProcessState {
	_ = p.running.cmd.Wait()
	p.Left = p.running.group.sweep(patienceOnceOver(p.over.Load()))
	p.running.group.close()
	select {
	case <-drained:
	case <-time.After(exitGrace):
	}
	closeAll([]*os.File{p.running.stdin, p.Stdout, p.Stderr})
	return p.running.cmd.ProcessState
}
