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
func orphanEscaped() { escape("47.11", nil) }

// orphanHidden leaves one that has no environment either, so that nothing finds
// it. It ends on its own.
func orphanHidden() { escape("9", []string{}) }

func escape(seconds string, environment []string) {
	child := exec.Command("sleep", seconds)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr, child.Env = &syscall.SysProcAttr{Setsid: true}, environment
	_ = child.Start()
}
