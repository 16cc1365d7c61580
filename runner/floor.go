package runner

import (
	"context"

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
	claim.Support.Scale = 0
	own := make([]*Check, len(checks))
	for i, check := range checks {
		copied := *check
		copied.Claim = &claim
		own[i] = &copied
	}
	q := plan(own)
	support := func(adapters.Request) adapters.Support { return claim.Support }
	q.run(ctx, only{reference.New(variations...), claim.Support}, support, order{window: 1})
	results := make([]*Result, len(own))
	for i, check := range own {
		results[i] = q.judge(check)
	}
	return results
}

// only leaves out the scores that a claim does not name.
type only struct {
	adapters.Adapter
	support adapters.Support
}

func (o only) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
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
