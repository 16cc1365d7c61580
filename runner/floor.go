package runner

import (
	"context"
	"slices"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// FloorCount is what doing nothing achieves over the same checks.
type FloorCount struct {
	Name         string `json:"name"`
	Same         int    `json:"same"`
	WrongAccepts int    `json:"wrong_accepts"`
	WrongRejects int    `json:"wrong_rejects"`
}

// floors puts the checks of a claim to identity, never-match and always-match.
// Their wrong decisions are counted where the adapter made one, so that both
// are of the same checks also where it did not get through.
func floors(ctx context.Context, checks []*Check, results []*Result) []FloorCount {
	var counts []FloorCount
	for _, variation := range reference.Floors() {
		count := FloorCount{Name: variation.Name}
		for i, result := range judgeVaried(ctx, checks, variation) {
			if len(result.Excepted) > 0 {
				continue
			}
			for _, thing := range result.Things {
				if thing.Outcome == Same || thing.Outcome == Rounding {
					count.Same++
				}
			}
			if !results[i].Decides() {
				continue
			}
			switch result.Decision {
			case WrongAccept:
				count.WrongAccepts++
			case WrongReject:
				count.WrongRejects++
			}
		}
		counts = append(counts, count)
	}
	return counts
}

// judgeVaried judges a variation of the reference as if it had made the claim:
// for the same answers and conditions, on the pin's scale.
func judgeVaried(ctx context.Context, checks []*Check, variations ...reference.Variation) []*Result {
	if len(checks) == 0 {
		return nil
	}
	claim := *checks[0].Claim
	var pin string
	pin, claim.Support.Scale = standIn(&claim)
	own := make([]*Check, len(checks))
	for i, check := range checks {
		copied := *check
		copied.Claim = &claim
		own[i] = &copied
	}
	q := plan(own)
	support := func(adapters.Request) adapters.Support { return claim.Support }
	q.run(ctx, only{reference.New(variations...), claim.Support, pin}, support, order{window: 1})
	results := make([]*Result, len(own))
	for i, check := range own {
		results[i] = q.judge(check)
	}
	return results
}

// standIn returns the pin at which the reference is asked about a claim, and its
// scale: the claim's own, or, where the reference does not have that, one of the
// same scale. What does nothing for its score does so at any pin.
func standIn(claim *Claim) (pin string, scale float64) {
	pins := reference.Pins(claim.Metric.Name)
	if len(pins) == 0 || slices.Contains(pins, claim.Pin.Name()) {
		return claim.Pin.Name(), 0
	}
	for _, other := range pins {
		if pipeline, err := reference.For(claim.Metric.Name, other); err == nil && (pin == "" || pipeline.Scale == claim.Scale) {
			pin, scale = other, pipeline.Scale
		}
	}
	return pin, scale
}

// only asks for a claim at a pin and leaves out the scores that the claim does
// not name.
type only struct {
	adapters.Adapter
	support adapters.Support
	pin     string
}

func (o only) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	request.Pin = o.pin
	answer, err := o.Adapter.Answer(ctx, request)
	if answer.Scores == nil {
		return answer, err
	}
	scores := metric.Scores{}
	for _, name := range o.support.Answers {
		if score, there := answer.Scores[name]; there {
			scores[name] = score
		}
	}
	return adapters.Answer{Scores: scores}, err
}
