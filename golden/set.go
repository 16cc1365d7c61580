package golden

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed */*
var embedded embed.FS

// Embedded loads the goldens that are compiled in.
func Embedded() (*Set, error) { return Load(embedded) }

// Set is the goldens of several pins.
type Set struct{ pins []*Goldens }

// Goldens are the golden files of one pin.
type Goldens struct {
	Pin     Pin
	records map[[2]string]Record
	sums    map[string]string // SHA-256 of each golden file as it lies here, by hazard
}

// Load reads every pin below files: <upstream>/<commit>/pin.toml and the
// *.golden beside it. Errors name the file and the line.
func Load(files fs.FS) (*Set, error) {
	names, err := fs.Glob(files, "*/*/pin.toml")
	if err != nil {
		return nil, fmt.Errorf("listing pins: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("no goldens: expected <upstream>/<commit>/pin.toml")
	}
	set := &Set{}
	for _, name := range names {
		goldens, err := load(files, name)
		if err != nil {
			return nil, err
		}
		set.pins = append(set.pins, goldens)
	}
	return set, nil
}

func load(files fs.FS, name string) (*Goldens, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	folder := path.Dir(name)
	pin, err := DecodePin(name, path.Dir(folder), path.Base(folder), content)
	if err != nil {
		return nil, err
	}
	g := &Goldens{Pin: pin, records: map[[2]string]Record{}, sums: map[string]string{}}
	paths, err := fs.Glob(files, folder+"/*.golden")
	if err != nil {
		return nil, err
	}
	for _, file := range paths {
		content, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		records, err := Decode(file, content)
		if err != nil {
			return nil, err
		}
		hazard := strings.TrimSuffix(path.Base(file), ".golden")
		g.sums[hazard] = SHA256(content)
		for _, record := range records {
			if before, _, _ := strings.Cut(record.Case, "/"); before != hazard {
				return nil, fmt.Errorf("%s: case %s belongs into %s.golden", file, record.Case, before)
			}
			g.records[[2]string{record.Case, record.Setup}] = record
		}
	}
	return g, nil
}

// Pins returns the goldens of every pin, sorted by name.
func (s *Set) Pins() []*Goldens { return slices.Clone(s.pins) }

// Find returns the goldens of a pin by its name or by a longer form of its
// commit. The error lists the pins there are.
func (s *Set) Find(name string) (*Goldens, error) {
	upstream, commit, _ := strings.Cut(name, "@")
	names := make([]string, len(s.pins))
	for i, g := range s.pins {
		names[i] = g.Pin.Name()
		if upstream == g.Pin.Upstream && strings.HasPrefix(g.Pin.Commit, commit) && len(commit) >= len(g.Pin.Short) {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown pin %q; known pins: %s", name, strings.Join(names, ", "))
}

// Default returns the default pin of a metric.
func (s *Set) Default(name string) (*Goldens, error) {
	for _, g := range s.pins {
		if c, covers := g.Pin.Covers(name); covers && c.Default {
			return g, nil
		}
	}
	return nil, fmt.Errorf("metric %s has no default pin", name)
}

// Record returns what the pin returns for a case under a setup.
func (g *Goldens) Record(caseID, setup string) (Record, bool) {
	record, there := g.records[[2]string{caseID, setup}]
	return record, there
}

// Hazards returns the hazards that have a golden file, sorted.
func (g *Goldens) Hazards() []string {
	var list []string
	for hazard := range g.sums {
		list = append(list, hazard)
	}
	slices.Sort(list)
	return list
}

// Records returns the records of a hazard, sorted by case and setup.
func (g *Goldens) Records(hazard string) []Record {
	var list []Record
	for key, record := range g.records {
		if strings.HasPrefix(key[0], hazard+"/") {
			list = append(list, record)
		}
	}
	slices.SortFunc(list, compare)
	return list
}

// Confirmed reports whether the golden file of a hazard is as upstream wrote
// it, and was recorded for these inputs (cases.Hazard.Inputs).
func (g *Goldens) Confirmed(hazard, inputs string) bool {
	digests, listed := g.Pin.Files[hazard+".golden"]
	return listed && digests.SHA256 == g.sums[hazard] && digests.Inputs == inputs
}

// Digest identifies the pin's goldens: the scale of every metric, and every
// file's name and content.
func (g *Goldens) Digest() string {
	sum := sha256.New()
	for _, coverage := range g.Pin.Metrics {
		fmt.Fprintf(sum, "%s on %v\n", coverage.Name, coverage.Scale)
	}
	for _, hazard := range g.Hazards() {
		fmt.Fprintf(sum, "%s %s\n", hazard, g.sums[hazard])
	}
	return hex.EncodeToString(sum.Sum(nil))
}
