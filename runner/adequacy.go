package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
)

// Adequacy says whether a corpus is without holes: whether its cases catch
// every variation, and every case catches one.
type Adequacy struct {
	// Rows are by variation, metric and pin.
	Rows []AdequacyRow
	// Idle are the cases that catch nothing and do not say what else they are for.
	Idle []string
	// Pairs is how many random pairs of variations were tried; Missed are
	// those that no case catches.
	Pairs  int
	Missed []string
}

// AdequacyRow is a variation of a metric at a pin.
type AdequacyRow struct {
	Variation reference.Variation
	Metric    metric.Metric
	Pin       string
	// Caught are, by view, the cases that catch it; Related those of them
	// that belong to a hazard that has to do with it.
	Caught, Related map[reference.View][]string
}

// Uncaught are the views in which the variation must show and is caught by no
// case of a hazard that has to do with it.
func (r AdequacyRow) Uncaught() []reference.View {
	var views []reference.View
	for _, view := range r.Variation.Shows(r.Metric) {
		caught := r.Related[view]
		if r.Variation.Hazards == nil {
			caught = r.Caught[view]
		}
		if len(caught) == 0 {
			views = append(views, view)
		}
	}
	return views
}

// Cases are all cases that catch it in any view, sorted.
func (r AdequacyRow) Cases() []string {
	var all []string
	for _, list := range r.Caught {
		all = append(all, list...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Found reports whether anything was found that should not be.
func (a *Adequacy) Found() bool {
	return len(a.Idle) > 0 || len(a.Missed) > 0 || slices.ContainsFunc(a.Rows, func(r AdequacyRow) bool { return len(r.Uncaught()) > 0 })
}

// adequacyPairs is how many random pairs of variations are tried for each
// metric, at its default pin.
const adequacyPairs = 60

// CheckAdequacy puts every variation of the catalogue to the corpus, at every
// pin, and then random pairs of them. A variation is caught by a check in which
// anything is not same; rounding counts.
func CheckAdequacy(ctx context.Context, corpus cases.Corpus, set *golden.Set, seed uint64) (*Adequacy, error) {
	hello, err := reference.New().Hello(ctx)
	if err != nil {
		return nil, err
	}
	list, err := claims(nil, hello, set)
	if err != nil {
		return nil, err
	}
	perClaim, err := allChecks(list, corpus, nil)
	if err != nil {
		return nil, err
	}
	adequacy := &Adequacy{}
	var jobs []func()
	var mu sync.Mutex
	for i, claim := range list {
		for _, variation := range reference.Catalogue() {
			if variation.AppliesTo(claim.Metric.Name, claim.Pin.Name()) {
				jobs = append(jobs, func() {
					row := adequacyRow(ctx, claim, perClaim[i], variation)
					mu.Lock()
					adequacy.Rows = append(adequacy.Rows, row)
					mu.Unlock()
				})
			}
		}
		if coverage, _ := claim.Pin.Covers(claim.Metric.Name); coverage.Default {
			for _, pair := range randomPairs(claim, seed) {
				jobs = append(jobs, func() {
					caught := slices.ContainsFunc(judgeVaried(ctx, perClaim[i], pair...), catches)
					mu.Lock()
					adequacy.Pairs++
					if !caught {
						adequacy.Missed = append(adequacy.Missed, fmt.Sprintf("%s with %s in %s", pair[0].Name, pair[1].Name, claim.Name()))
					}
					mu.Unlock()
				})
			}
		}
	}
	inParallel(jobs)
	slices.SortFunc(adequacy.Rows, func(a, b AdequacyRow) int {
		return strings.Compare(a.Variation.Name+"\x00"+a.Metric.Name+"\x00"+a.Pin, b.Variation.Name+"\x00"+b.Metric.Name+"\x00"+b.Pin)
	})
	slices.Sort(adequacy.Missed)
	adequacy.Idle = idle(corpus, adequacy.Rows)
	return adequacy, ctx.Err()
}

// inParallel runs jobs on as many goroutines as run at once.
func inParallel(jobs []func()) {
	next := make(chan func())
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for job := range next {
				job()
			}
		})
	}
	for _, job := range jobs {
		next <- job
	}
	close(next)
	workers.Wait()
}

func adequacyRow(ctx context.Context, claim *Claim, checks []*Check, variation reference.Variation) AdequacyRow {
	row := AdequacyRow{
		Variation: variation, Metric: claim.Metric, Pin: claim.Pin.Name(),
		Caught: map[reference.View][]string{}, Related: map[reference.View][]string{},
	}
	for _, result := range judgeVaried(ctx, checks, variation) {
		for _, view := range viewsOf(claim.Metric, result) {
			add(row.Caught, view, result.Case.ID)
			if slices.Contains(variation.Hazards, result.Case.Hazard()) {
				add(row.Related, view, result.Case.ID)
			}
		}
	}
	return row
}

func add(lists map[reference.View][]string, view reference.View, id string) {
	if !slices.Contains(lists[view], id) {
		lists[view] = append(lists[view], id)
	}
}

// viewsOf are the views in which a result is not same.
func viewsOf(m metric.Metric, result *Result) []reference.View {
	var views []reference.View
	for _, thing := range result.Things {
		if thing.Outcome == Same {
			continue
		}
		view := reference.Normalized
		if thing.Name != adapters.NormalizeAnswer {
			key, _ := m.Key(thing.Name)
			switch {
			case len(result.Case.Items) != 1:
				view = reference.Batches
			case key.Kind == metric.ExactMatch:
				view = reference.Exact
			case key.Kind == metric.F1:
				view = reference.TokenF1
			default:
				continue
			}
		}
		if !slices.Contains(views, view) {
			views = append(views, view)
		}
	}
	return views
}

// catches reports whether anything of a check is not same.
func catches(result *Result) bool {
	return slices.ContainsFunc(result.Things, func(thing Thing) bool { return thing.Outcome != Same })
}

// randomPairs are pairs of variations of a metric, floors aside: nothing shows
// under a floor.
func randomPairs(claim *Claim, seed uint64) [][]reference.Variation {
	list := slices.DeleteFunc(reference.Catalogue(), func(v reference.Variation) bool { return v.Floor || !v.AppliesTo(claim.Metric.Name, claim.Pin.Name()) })
	r := rand.New(rand.NewPCG(seed, uint64(len(claim.Metric.Name))))
	pairs := make([][]reference.Variation, 0, adequacyPairs)
	for len(pairs) < adequacyPairs {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		if a.Name != b.Name {
			pairs = append(pairs, []reference.Variation{a, b})
		}
	}
	return pairs
}

// idle returns the cases that catch no variation but the floors, unless they say what
// else they are for.
func idle(corpus cases.Corpus, rows []AdequacyRow) []string {
	busy := map[string]bool{}
	for _, row := range rows {
		if row.Variation.Floor {
			continue
		}
		for _, id := range row.Cases() {
			busy[id] = true
		}
	}
	var list []string
	for one := range corpus.Cases {
		if !busy[one.ID] && one.Purpose == "" {
			list = append(list, one.ID)
		}
	}
	return list
}
