//go:build unix

package process_test

import (
	"os"
	"os/exec"
	"syscall"
)

func crashBySignal() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }

// orphanEscaped leaves a child that is a session of its own, so that no group
// reaches it, and that holds all three pipes.
func orphanEscaped() {
	child := exec.Command("sleep", "47.11")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	_ = child.Start()
}
