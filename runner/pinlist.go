package runner

import (
	"maps"
	"slices"
	"strings"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// PinCoverage is what a pin has to say about one metric.
type PinCoverage struct {
	Pin      golden.Pin
	Coverage golden.Coverage
	// Cases and Checks of the corpus that it has goldens for; Missing are the
	// checks that it should have goldens for.
	Cases, Checks, Missing int
	// Files are the golden files that have to do with the metric; Unconfirmed
	// are the hazards of those that are not as upstream wrote them.
	Files       int
	Unconfirmed []string
}

// ListPins returns what each pin has to say about each metric.
func ListPins(corpus cases.Corpus, set *golden.Set) []PinCoverage {
	var list []PinCoverage
	for _, goldens := range set.Pins() {
		list = append(list, coverages(goldens, corpus)...)
	}
	return list
}

func coverages(goldens *golden.Goldens, corpus cases.Corpus) []PinCoverage {
	var list []PinCoverage
	for _, coverage := range goldens.Pin.Metrics {
		one := PinCoverage{Pin: goldens.Pin, Coverage: coverage}
		for _, hazard := range corpus.Hazards {
			one.count(goldens, hazard)
		}
		list = append(list, one)
	}
	return list
}

func (p *PinCoverage) count(goldens *golden.Goldens, hazard cases.Hazard) {
	asked := false
	for _, one := range hazard.Cases {
		recorded := false
		for _, setup := range one.Setups {
			if setup.Metric != p.Coverage.Name || !records(goldens.Pin, one, setup) {
				continue
			}
			asked = true
			if _, there := goldens.Record(one.ID, setup.String()); there {
				recorded = true
				p.Checks++
			} else {
				p.Missing++
			}
		}
		if recorded {
			p.Cases++
		}
	}
	if asked {
		p.Files++
		if !goldens.Confirmed(hazard.Name, hazard.Inputs(coveredBy(goldens.Pin))) {
			p.Unconfirmed = append(p.Unconfirmed, hazard.Name)
		}
	}
}

// Versions is what the pin was recorded under, as in "CPython 3.11.2, numpy
// 1.24.2, Unicode 14.0.0".
func Versions(pin golden.Pin) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(pin.Environment)) {
		switch version := pin.Environment[name]; name {
		case "interpreter":
			parts = append(parts, version)
		case "unicode":
			parts = append(parts, "Unicode "+version)
		default:
			parts = append(parts, name+" "+version)
		}
	}
	return strings.Join(parts, ", ")
}
