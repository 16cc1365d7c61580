package runner

import (
	"context"
	"path"
	"strings"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// MissingGolden is a line that a golden file lacks, or has for other input or in
// other words than the reference gives.
type MissingGolden struct {
	Pin    golden.Pin
	Record golden.Record
	// Stands is the record in its place; nil where there is none.
	Stands *golden.Record
}

// Line is the line of the golden file.
func (m MissingGolden) Line() string { return lineOf(m.Record) }

// StandsLine is the line in its place.
func (m MissingGolden) StandsLine() string { return lineOf(*m.Stands) }

// File is the golden file, from the root of a checkout.
func (m MissingGolden) File() string {
	hazard, _, _ := strings.Cut(m.Record.Case, "/")
	return path.Join("golden", m.Pin.Upstream, m.Pin.Short, hazard+".golden")
}

func lineOf(record golden.Record) string {
	return strings.TrimSuffix(string(golden.Encode([]golden.Record{record})), "\n")
}

// MissingGoldens returns the lines that golden files lack for a corpus, as the
// reference gives them, by pin and in the order of the corpus, and the lines
// that stand for no case or setup of it.
func MissingGoldens(ctx context.Context, corpus cases.Corpus, set *golden.Set) (missing []MissingGolden, stray []MissingGolden, err error) {
	for _, goldens := range set.Pins() {
		recorded, err := Record(ctx, reference.New(), goldens.Pin, corpus)
		if err != nil {
			return nil, nil, err
		}
		asked := map[[2]string]bool{}
		for _, hazard := range corpus.Hazards {
			for _, record := range recorded[hazard.Name] {
				asked[[2]string{record.Case, record.Setup}] = true
				stands, there := goldens.Record(record.Case, record.Setup)
				switch {
				case !there:
					missing = append(missing, MissingGolden{Pin: goldens.Pin, Record: record})
				case lineOf(stands) != lineOf(record):
					missing = append(missing, MissingGolden{Pin: goldens.Pin, Record: record, Stands: &stands})
				}
			}
		}
		for _, name := range goldens.Hazards() {
			for _, record := range goldens.Records(name) {
				if !asked[[2]string{record.Case, record.Setup}] {
					stray = append(stray, MissingGolden{Pin: goldens.Pin, Record: record, Stands: &record})
				}
			}
		}
	}
	return missing, stray, nil
}
