package runner

import (
	"errors"
	"fmt"

	"github.com/normcert/normcert/cases"
)

// FrozenSet is the set of cases that a run is held to: what a growing corpus
// adds is not scored, and is named.
type FrozenSet struct {
	Name, Digest string
	// Corpus is the part of the corpus that is in the set.
	Corpus cases.Corpus
	// Outside is what is in one and not in the other.
	Outside cases.Outside
}

// Freeze returns the set of a name for a run over a corpus; the name "" is all
// cases, nil. The error is a *UsageError: the set is unknown, or an entry of it
// was changed.
func Freeze(name string, sets cases.Sets, corpus cases.Corpus) (*FrozenSet, error) {
	if name == "" {
		return nil, nil
	}
	set, err := sets.Find(name)
	if err != nil {
		return nil, &UsageError{err}
	}
	within, outside, problems := set.Restrict(corpus, sets)
	if len(problems) > 0 {
		const most = 5
		var all []error
		for i, problem := range problems {
			if i == most {
				all = append(all, fmt.Errorf("and %d more; normcert case lint lists all", len(problems)-most))
				break
			}
			all = append(all, problem)
		}
		return nil, usage("set %s does not hold for these cases:\n%w", name, errors.Join(all...))
	}
	return &FrozenSet{Name: name, Digest: set.Digest(), Corpus: within, Outside: outside}, nil
}

// selected are the cases that a run is about.
func (c Config) selected() (cases.Corpus, error) {
	if c.Set != nil {
		return c.Set.Corpus.Select(c.Patterns)
	}
	return c.Corpus.Select(c.Patterns)
}

// String is the set as signatures have it.
func (s *FrozenSet) String() string {
	if s == nil {
		return "all"
	}
	return s.Name + ":" + s.Digest[:short]
}
