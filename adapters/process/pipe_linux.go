package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeSize holds a window of requests or of answers, unless they are long.
const pipeSize = 1 << 20

// inputPipe returns the pipe of a program's stdin. It takes what is sent ahead
// without waiting for the program to read: each page that it reads would else
// wake this process for another.
func inputPipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		widen(r)
	}
	return r, w, err
}

// outputPipe returns the pipe of its stdout. It is not one that the runtime
// polls: that would wake this process for each line, even while nobody reads.
// A read of it ends when nobody holds the other end any more, and not before.
func outputPipe() (r, w *os.File, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	r, w = os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1")
	widen(r)
	return r, w, nil
}

// widen makes a pipe longer, if the system lets it. The rest works without.
func widen(end *os.File) {
	if raw, err := end.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}
