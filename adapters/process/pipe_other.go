//go:build !linux

package process

import "os"

func inputPipe() (r, w *os.File, err error) { return os.Pipe() }

func outputPipe() (r, w *os.File, err error) { return os.Pipe() }
