package process_test

import "os"

func crashBySignal() { os.Exit(0xC0000005 - 1<<32) }

func orphanEscaped() { orphan() }

func orphanHidden() { orphan() }
