package process

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// markerName is the environment variable by which what a program starts is
// known again, in whatever group or session it is.
const markerName = "NORMCERT_PROCESS"

func newMarker() string { return markerName + "=" + rand.Text() }

// relative is a process that a program started, directly or not.
type relative struct {
	pid  int
	name string // its command line
}

// marked finds the processes with a marker in their environment. Those of
// other users, which cannot be read, are none of it.
func marked(marker string) []relative {
	var found []relative
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || !hasMarker(pid, marker) {
			continue
		}
		found = append(found, relative{pid, commandLine(folder)})
	}
	return found
}

// hasMarker is false for a process that has ended, reaped or not.
func hasMarker(pid int, marker string) bool {
	environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for variable := range bytes.SplitSeq(environment, []byte{0}) {
		if string(variable) == marker {
			return true
		}
	}
	return false
}

func commandLine(folder string) string {
	const most = 80
	line, _ := os.ReadFile(folder + "/cmdline")
	text := strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(line), "\uFFFD")))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	if text == "" {
		name, _ := os.ReadFile(folder + "/comm")
		text = strings.TrimSpace(string(name))
	}
	return text
}

// kill ends the process, if it is still the one that was found: the handle is
// taken first, so that its number cannot come to mean another.
func (r relative) kill(marker string) {
	process, err := os.FindProcess(r.pid)
	if err != nil {
		return
	}
	defer func() { _ = process.Release() }()
	if hasMarker(r.pid, marker) {
		_ = process.Kill()
	}
}
