//go:build !linux

package golden

func exchange(staging, target string) error { return exchangeByTwo(staging, target) }
