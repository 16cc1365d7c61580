package pyre

import "slices"

//go:generate python3 gen.py . NameAliases.txt

// upperRun is every stride-th character from lo to hi, whose upper case is delta on.
type upperRun struct {
	lo, hi, stride, delta rune
}

// simpleUpper is sre's one-character upper case, the first character of str.upper.
func simpleUpper(r rune) rune {
	i, found := slices.BinarySearchFunc(uppers[:], r, func(u upperRun, r rune) int {
		switch {
		case u.hi < r:
			return -1
		case u.lo > r:
			return 1
		}
		return 0
	})
	if !found || (r-uppers[i].lo)%uppers[i].stride != 0 {
		return r
	}
	return r + uppers[i].delta
}
