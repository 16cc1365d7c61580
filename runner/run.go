package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/normcert/normcert/adapters"
)

// ask is one request on its way, and its reply.
type ask struct {
	request adapters.Request
	answer  adapters.Answer
	err     error
	// reached says that the adapter was asked and had its say.
	reached bool
}

// questions are the requests of a run; each text of a claim is asked for once.
type questions struct {
	asks  []*ask
	score map[*Check]*ask
	text  map[textKey]*ask
}

// textKey leaves the options out: no metric's normalizer looks at them.
type textKey struct {
	claim *Claim
	text  string
}

func plan(checks []*Check) *questions {
	q := &questions{score: map[*Check]*ask{}, text: map[textKey]*ask{}}
	for _, check := range checks {
		if !check.Asks() {
			continue
		}
		base := adapters.Request{Metric: check.Setup.Metric, Pin: check.Claim.Pin.Name(), Options: check.Setup.Options}
		if check.Claim.Normalizes() {
			for _, text := range check.texts() {
				key := textKey{check.Claim, text}
				if q.text[key] == nil {
					request := base
					request.Op, request.Text, request.Options = adapters.Normalize, text, nil
					q.text[key] = q.add(request)
				}
			}
		}
		if len(check.Claim.Keys()) > 0 {
			request := base
			request.Op, request.Items = adapters.Score, check.Case.Batch()
			q.score[check] = q.add(request)
		}
	}
	return q
}

func (q *questions) add(request adapters.Request) *ask {
	request.Mark = len(q.asks)
	one := &ask{request: request}
	q.asks = append(q.asks, one)
	return one
}

// run puts the questions to the adapter, window of them at a time, until all
// are answered or ctx ends. progress may be nil.
func (q *questions) run(ctx context.Context, adapter adapters.Adapter, support func(adapters.Request) adapters.Support, window int, progress func(done, of int)) {
	next := make(chan *ask)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(window, max(1, len(q.asks))) {
		workers.Go(func() {
			for one := range next {
				one.put(ctx, adapter, support(one.request))
				mu.Lock()
				done++
				if progress != nil {
					progress(done, len(q.asks))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, one := range q.asks {
		select {
		case next <- one:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
}

func (a *ask) put(ctx context.Context, adapter adapters.Adapter, support adapters.Support) {
	a.answer, a.err = answer(ctx, adapter, a.request)
	if ctx.Err() != nil && errors.Is(a.err, ctx.Err()) {
		return
	}
	a.reached = true
	if a.err == nil {
		if fault := a.answer.Check(a.request, support); fault != nil {
			a.err = fault
		}
	}
}

// answer turns a panic of the adapter into a crash, the outcome of its check.
func answer(ctx context.Context, adapter adapters.Adapter, request adapters.Request) (given adapters.Answer, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = &adapters.Fault{Kind: adapters.Crash, What: fmt.Sprintf("the adapter panicked: %v", broken)}
		}
	}()
	return adapter.Answer(ctx, request)
}

// late puts the faults that showed only afterwards in the place of answers.
func (q *questions) late(faults []adapters.LateFault) {
	for _, fault := range faults {
		if fault.Mark >= 0 && fault.Mark < len(q.asks) {
			q.asks[fault.Mark].err = fault.Fault
		}
	}
}
