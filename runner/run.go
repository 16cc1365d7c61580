package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/metric"
)

// ask is one request on its way, and its reply.
type ask struct {
	request adapters.Request
	answer  adapters.Answer
	err     error
	// reached says that the adapter was asked and had its say.
	reached bool
	// first is the ask that this one repeats.
	first *ask
	// unstable says how a second answer differs; "" where none does.
	unstable string
}

// questions are the requests of a run; each text of a claim is asked for once.
type questions struct {
	asks  []*ask
	score map[*Check]*ask
	text  map[textKey]*ask
	// repeats are asked a second time.
	repeats []*ask
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

// order is in which order, and how many at a time, an adapter is asked.
type order struct {
	window int
	// shuffle, where it is not nil, seeds the order of the requests.
	shuffle *uint64
	// progress may be nil.
	progress func(done, of int)
}

// run puts the questions to the adapter until all are answered or ctx ends.
func (q *questions) run(ctx context.Context, adapter adapters.Adapter, support func(adapters.Request) adapters.Support, o order) {
	list := slices.Clone(q.asks)
	if o.shuffle != nil {
		r := rand.New(rand.NewPCG(*o.shuffle, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	putAll(ctx, adapter, support, list, o)
}

func putAll(ctx context.Context, adapter adapters.Adapter, support func(adapters.Request) adapters.Support, list []*ask, o order) {
	next := make(chan *ask)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(o.window, max(1, len(list))) {
		workers.Go(func() {
			for one := range next {
				one.put(ctx, adapter, support(one.request))
				mu.Lock()
				done++
				if o.progress != nil {
					o.progress(done, len(list))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, one := range list {
		select {
		case next <- one:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
}

// mostAgain is how many requests are asked a second time.
const mostAgain = 100

// again asks some of the requests that were answered a second time, backwards,
// so that an answer which depends on order or time is caught.
func (q *questions) again(ctx context.Context, adapter adapters.Adapter, support func(adapters.Request) adapters.Support, o order) {
	every := 1 + len(q.asks)/mostAgain
	var list []*ask
	for i := len(q.asks) - 1; i >= 0; i -= every {
		if first := q.asks[i]; first.spoke() {
			second := &ask{request: first.request, first: first}
			second.request.Mark = len(q.asks) + len(list)
			list = append(list, second)
		}
	}
	o.progress = nil
	putAll(ctx, adapter, support, list, o)
	q.repeats = list
}

// settle holds the second answers against the first ones.
func (q *questions) settle() {
	for _, second := range q.repeats {
		first := second.first
		var no *adapters.Unsupported
		switch {
		case !second.reached || !first.spoke() || second.sameAs(first):
		case second.spoke() || errors.As(second.err, &no):
			first.unstable = fmt.Sprintf("asked again, it answered %s; first %s", second, first)
		default:
			first.err = second.err
		}
	}
}

// sameAs compares two answers to one request, to the last bit: a program that
// adds up in another order each time is not one whose score can be repeated.
func (a *ask) sameAs(other *ask) bool {
	var refusal, otherRefusal *metric.Refusal
	if errors.As(a.err, &refusal) || errors.As(other.err, &otherRefusal) {
		return errors.As(a.err, &refusal) && errors.As(other.err, &otherRefusal)
	}
	if a.err != nil || other.err != nil {
		return a.err != nil && other.err != nil
	}
	return a.answer.Text == other.answer.Text && maps.EqualFunc(a.answer.Scores, other.answer.Scores, func(x, y float64) bool {
		return compareDoubles(x, y) == Same
	})
}

// String is what came back, for people.
func (a *ask) String() string {
	switch {
	case a.err != nil:
		return masked(a.err)
	case a.request.Op == adapters.Normalize:
		return strconv.Quote(a.answer.Text)
	}
	return string(metric.ASCIIJSON(a.answer.Scores))
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
		at := fault.Mark
		if repeat := at - len(q.asks); repeat >= 0 && repeat < len(q.repeats) {
			at = q.repeats[repeat].first.request.Mark
		}
		if at >= 0 && at < len(q.asks) {
			q.asks[at].err = fault.Fault
		}
	}
}
