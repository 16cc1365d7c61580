// Package python holds the adapters that are written in Python: upstream's own
// metrics behind the protocol, a second implementation independent of the Go
// reference, and a one-file helper for writing one's own. The first two are
// embedded, so that the command can run them from anywhere.
package python

import _ "embed"

// Upstream is the program upstream.py. It answers the protocol with the metric
// source of huggingface/evaluate found in a plain directory:
//
//	python3 upstream.py --source DIR [--pin PIN] [--metrics NAME,…]
//
// It needs CPython 3.8 or newer, and numpy for exact_match only. An error of
// kind "unclassified" is a mistake of the harness, or an exception nobody has
// named yet, and must never be recorded.
//
//go:embed upstream.py
var Upstream string

// Independent is the program independent.py: squad, squad_v2, exact_match and
// nfd_exact_match at every pin, with every score, condition and option. It
// takes no arguments and needs CPython 3.8 or newer, without any package.
//
//go:embed independent.py
var Independent string
