package golden

import "golang.org/x/sys/unix"

// exchange swaps two folders in one step, so that there is always a pin. Not
// every file system can.
func exchange(staging, target string) error {
	if unix.Renameat2(unix.AT_FDCWD, staging, unix.AT_FDCWD, target, unix.RENAME_EXCHANGE) == nil {
		return nil
	}
	return exchangeByTwo(staging, target)
}
