package process

import "runtime"

// MakeRoom leaves the processes of a program processors of their own, as long
// as they are asked: with one left for this process, two that take turns on the
// same one take longer. The function it returns takes the room back.
func MakeRoom(processes int) (restore func()) {
	before := runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)-processes))
	return func() { runtime.GOMAXPROCS(before) }
}
