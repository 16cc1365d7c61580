//go:build unix

package process

import (
	"os/exec"
	"sync"
	"syscall"
)

// group is the program with all it started, ended as one. A descendant that
// makes itself a session of its own escapes it; it cannot hold anything up,
// since the pipes are closed on this side.
type group struct {
	mu   sync.Mutex
	pgid int // 0 before the start and after close
}

// prepare makes the program the leader of a group, so that the terminal's
// Ctrl-C does not reach it.
func (g *group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	if g.pgid != 0 {
		_ = syscall.Kill(-g.pgid, syscall.SIGKILL)
	}
}

// close forgets the group: once its leader is reaped and its members are
// killed, its number may come to mean somebody else.
func (g *group) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pgid = 0
}
