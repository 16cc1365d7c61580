package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestFullDisk: a report that is cut short is no verdict.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"certify", "--case", "dates"}, {"certify", "--case", "dates", "--format", "json"}, {"list", "--outcomes"}} {
		device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skipf("this system has no /dev/full: %v", err)
		}
		var stderr strings.Builder
		command := exec.Command("normcert", args...)
		command.Stdout, command.Stderr = device, &stderr
		_ = command.Run()
		device.Close()
		if code := command.ProcessState.ExitCode(); code != exitNoVerdict || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: %v, stderr %q", args, command.ProcessState, stderr.String())
		}
	}
}
