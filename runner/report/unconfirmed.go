package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/normcert/normcert/runner"
)

// unconfirmed are the golden files of a pin, by hazard, that were asked for and
// that nobody recorded from upstream.
type unconfirmed struct {
	pin     string
	hazards []string
}

// unconfirmedOf gathers them by pin: claims at the same pin share its files.
func unconfirmedOf(claims ...*runner.ClaimReport) []unconfirmed {
	var list []unconfirmed
	for _, claim := range claims {
		if len(claim.Unconfirmed) > 0 {
			list = appendUnconfirmed(list, claim.Pin.Name(), claim.Unconfirmed)
		}
	}
	return sortedUnconfirmed(list)
}

func appendUnconfirmed(list []unconfirmed, pin string, hazards []string) []unconfirmed {
	at := slices.IndexFunc(list, func(u unconfirmed) bool { return u.pin == pin })
	if at < 0 {
		at, list = len(list), append(list, unconfirmed{pin: pin})
	}
	list[at].hazards = append(list[at].hazards, hazards...)
	return list
}

func sortedUnconfirmed(list []unconfirmed) []unconfirmed {
	for i := range list {
		slices.Sort(list[i].hazards)
		list[i].hazards = slices.Compact(list[i].hazards)
	}
	slices.SortFunc(list, func(a, b unconfirmed) int { return cmp.Compare(a.pin, b.pin) })
	return list
}

func (u unconfirmed) names() string { return strings.Join(u.hazards, ", ") }

// String is a line without an end.
func (u unconfirmed) String() string { return u.sentence(u.names()) }

func (u unconfirmed) sentence(names string) string {
	were := "were"
	if len(u.hazards) == 1 {
		were = "was"
	}
	return fmt.Sprintf("%s of %s %s not recorded from upstream: %s", plural(len(u.hazards), "golden file"), u.pin, were, names)
}
