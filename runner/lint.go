package runner

import (
	"context"
	"fmt"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// Showing is what a case shows, computed from the goldens of every pin.
type Showing struct {
	WrongAccepts, WrongRejects, Agrees int
	// Missing are the checks without a golden.
	Missing int
}

// Contrast reports whether the case is one that all pins get right.
func (s Showing) Contrast() bool { return s.Agrees > 0 && s.WrongAccepts == 0 && s.WrongRejects == 0 }

// Wrong reports whether a pin gets the case wrong.
func (s Showing) Wrong() bool { return s.WrongAccepts > 0 || s.WrongRejects > 0 }

// ShowingOf computes what a case shows.
func ShowingOf(one cases.Case, set *golden.Set) Showing {
	var s Showing
	for _, setup := range one.Setups {
		for _, goldens := range set.Pins() {
			if _, covered := goldens.Pin.Covers(setup.Metric); !covered {
				continue
			}
			record, recorded := goldens.Record(one.ID, setup.String())
			if !recorded {
				s.Missing++
				continue
			}
			switch Decide(one, setup, goldens.Pin, record) {
			case WrongAccept:
				s.WrongAccepts++
			case WrongReject:
				s.WrongRejects++
			case Agrees:
				s.Agrees++
			}
		}
	}
	return s
}

// Lint returns what only goldens show to be wrong with a corpus: a hazard
// without a contrast that stays right, and a case that shows nothing: no wrong
// accept, no wrong reject, no right decision, and that catches no variation
// either. Where goldens are missing nothing is said; see MissingGoldens.
func Lint(ctx context.Context, corpus cases.Corpus, set *golden.Set) ([]*cases.Error, error) {
	var problems []*cases.Error
	var silent cases.Corpus
	for _, hazard := range corpus.Hazards {
		contrasts, missing := 0, 0
		quiet := cases.Hazard{Name: hazard.Name, About: hazard.About}
		for _, one := range hazard.Cases {
			s := ShowingOf(one, set)
			missing += s.Missing
			if s.Contrast() {
				contrasts++
			}
			if !s.Wrong() && !s.Contrast() && s.Missing == 0 && one.Purpose == "" {
				quiet.Cases = append(quiet.Cases, one)
			}
		}
		if contrasts == 0 && missing == 0 {
			problems = append(problems, &cases.Error{Place: cases.Place{File: hazard.Name + ".toml"},
				Err: fmt.Errorf("the hazard has no contrast: add a case beside the trap that every pin decides as a person does")})
		}
		if len(quiet.Cases) > 0 {
			silent.Hazards = append(silent.Hazards, quiet)
		}
	}
	busy, err := catching(ctx, silent, set)
	if err != nil {
		return nil, err
	}
	for one := range silent.Cases {
		if !busy[one.ID] {
			problems = append(problems, &cases.Error{Place: one.Place, Case: one.ID,
				Err: fmt.Errorf("it shows nothing: no pin decides it wrongly or rightly, and it catches no variation; drop it, or say in purpose what it is for")})
		}
	}
	return problems, nil
}

// catching returns the cases that catch a variation other than the floors.
func catching(ctx context.Context, corpus cases.Corpus, set *golden.Set) (map[string]bool, error) {
	busy := map[string]bool{}
	hello, err := reference.New().Hello(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range everyClaim(set) {
		claim, err := resolve(name[0], name[1], hello, set)
		if err != nil {
			return nil, err
		}
		found, err := checks(claim, corpus, nil)
		if err != nil {
			return nil, err
		}
		for _, variation := range reference.Catalogue() {
			if variation.Floor || !variation.AppliesTo(claim.Metric.Name, claim.Pin.Name()) {
				continue
			}
			for _, result := range judgeVaried(ctx, found, variation) {
				if catches(result) {
					busy[result.Case.ID] = true
				}
			}
		}
	}
	return busy, ctx.Err()
}

// everyClaim are the metrics that the pins of a checkout cover, each with the
// pin; a checkout need not have those that the reference knows.
func everyClaim(set *golden.Set) [][2]string {
	var list [][2]string
	for _, goldens := range set.Pins() {
		for _, coverage := range goldens.Pin.Metrics {
			list = append(list, [2]string{coverage.Name, goldens.Pin.Name()})
		}
	}
	return list
}
