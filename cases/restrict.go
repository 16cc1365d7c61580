package cases

import (
	"fmt"
	"slices"
)

// Outside is what of a corpus and a set is not in the other.
type Outside struct {
	// NotInSet are the cases, or with a setup the checks, that the set does not
	// have: they are not scored. Checks counts them.
	NotInSet []string
	Checks   int
	// Retired are the cases of the set that are gone.
	Retired []string
}

// Restrict returns the part of a corpus that is in the set, and what is
// outside. An entry that changed, or is gone without being retired, is an error:
// the result would not be of that set.
func (s Set) Restrict(corpus Corpus, sets Sets) (Corpus, Outside, []*Error) {
	r := restriction{set: s, left: map[[2]string]Entry{}}
	for _, entry := range s.Entries {
		r.left[[2]string{entry.Case, entry.Setup}] = entry
	}
	var kept Corpus
	for _, hazard := range corpus.Hazards {
		within := Hazard{Name: hazard.Name, About: hazard.About}
		for _, one := range hazard.Cases {
			if inside := r.inside(one); len(inside.Setups) > 0 {
				within.Cases = append(within.Cases, inside)
			}
		}
		if len(within.Cases) > 0 {
			kept.Hazards = append(kept.Hazards, within)
		}
	}
	r.gone(sets)
	return kept, r.outside, r.problems
}

// restriction is a corpus on its way to what of it is in a set.
type restriction struct {
	set      Set
	left     map[[2]string]Entry // what of the set was not met yet
	outside  Outside
	problems []*Error
}

// inside is a case under the setups that the set has.
func (r *restriction) inside(one Case) Case {
	inside := one
	inside.Setups = nil
	for _, setup := range one.Setups {
		key := [2]string{one.ID, setup.String()}
		entry, there := r.left[key]
		if !there {
			r.outside.Checks++
			continue
		}
		delete(r.left, key)
		if entry.Digest != one.entryDigest(setup) {
			r.problems = append(r.problems, &Error{Place: one.Place, Case: one.ID,
				Err: fmt.Errorf("it is frozen in set %s under %s and was changed; give the corrected case a new id and retire this one in %s", r.set.Name, setup, retiredFile)})
		}
		inside.Setups = append(inside.Setups, setup)
	}
	switch out := len(one.Setups) - len(inside.Setups); {
	case len(inside.Setups) == 0:
		r.outside.NotInSet = append(r.outside.NotInSet, one.ID)
	case out > 0:
		r.outside.NotInSet = append(r.outside.NotInSet, fmt.Sprintf("%s (%d of its %d setups)", one.ID, out, len(one.Setups)))
	}
	return inside
}

// gone names what the set has and the corpus does not.
func (r *restriction) gone(sets Sets) {
	for _, entry := range r.set.Entries {
		if _, left := r.left[[2]string{entry.Case, entry.Setup}]; !left {
			continue
		}
		if _, retired := sets.retired(entry.Case); !retired {
			r.problems = append(r.problems, &Error{Place: Place{File: r.set.File()}, Case: entry.Case,
				Err: fmt.Errorf("set %s has it under %s, the corpus does not; put it back, or retire it in %s", r.set.Name, entry.Setup, retiredFile)})
		} else if !slices.Contains(r.outside.Retired, entry.Case) {
			r.outside.Retired = append(r.outside.Retired, entry.Case)
		}
	}
}
