//go:build unix

package process

import (
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
)

// group is the program with all it started, ended as one. On Linux that is also
// what has left the process group, by a mark in its environment; elsewhere such
// a process goes on, and cannot hold anything up.
type group struct {
	mu     sync.Mutex
	pgid   int // 0 before the start and after close
	marker string
	killed bool
}

// prepare makes the program the leader of a group, so that the terminal's
// Ctrl-C does not reach it.
func (g *group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if g.marker = newMarker(); g.marker != "" {
		cmd.Env = append(cmd.Environ(), g.marker)
	}
}

func (g *group) started(cmd *exec.Cmd) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pgid = cmd.Process.Pid
	return nil
}

// kill ends every member at once; SIGKILL cannot be ignored. A group that is
// gone already is fine.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.killed = true
	if g.pgid != 0 {
		_ = syscall.Kill(-g.pgid, syscall.SIGKILL)
	}
}

// sweep ends what the program has left behind, once it has ended itself. It
// returns what that was, by command line, and lets it end on its own for so long
// before; of a program that was killed it is nobody's fault, and not told.
func (g *group) sweep(patience time.Duration) (left []string) {
	const pause, most = 10 * time.Millisecond, 100
	g.mu.Lock()
	killed := g.killed
	g.mu.Unlock()
	if killed {
		patience = 0
	}
	found := marked(g.marker)
	for until := time.Now().Add(patience); len(found) > 0 && time.Now().Before(until); found = marked(g.marker) {
		time.Sleep(pause)
	}
	for _, process := range found {
		if !killed {
			left = append(left, process.name)
		}
	}
	g.kill()
	// What is ended may have started more.
	for range most {
		for _, process := range found {
			process.kill(g.marker)
		}
		if found = marked(g.marker); len(found) == 0 {
			break
		}
		time.Sleep(pause)
	}
	slices.Sort(left)
	return slices.Compact(left)
}

// close forgets the group: once its leader is reaped and its members are
// killed, its number may come to mean somebody else.
func (g *group) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pgid = 0
}
