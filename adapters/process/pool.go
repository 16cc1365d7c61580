package process

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/normcert/normcert/adapters"
)

// Pool is several processes of one program, which answer side by side. A
// request goes to the process that its Mark picks, so that it is always the
// same one whatever the others take. It is an [adapters.Closer].
type Pool struct{ members []*Adapter }

var (
	_ adapters.Closer = (*Pool)(nil)
	_ adapters.Noted  = (*Pool)(nil)
)

// NewPool returns a pool of so many processes, at least one.
func NewPool(config Config, processes int) (*Pool, error) {
	pool := &Pool{}
	for range max(1, processes) {
		member, err := New(config)
		if err != nil {
			return nil, err
		}
		pool.members = append(pool.members, member)
	}
	return pool, nil
}

// Hello starts every process. All have to say the same of themselves.
func (p *Pool) Hello(ctx context.Context) (adapters.Hello, error) {
	hellos, errs := make([]adapters.Hello, len(p.members)), make([]error, len(p.members))
	var starting sync.WaitGroup
	for i, member := range p.members {
		starting.Go(func() { hellos[i], errs[i] = member.Hello(ctx) })
	}
	starting.Wait()
	for i := range p.members {
		if errs[i] != nil {
			return adapters.Hello{}, errs[i]
		}
		if !reflect.DeepEqual(hellos[i], hellos[0]) {
			return adapters.Hello{}, &StartError{Command: p.members[i].config.Command, What: "one of its processes says another hello than the first: what it answers depends on more than the requests"}
		}
	}
	return hellos[0], nil
}

// Answer implements [adapters.Adapter].
func (p *Pool) Answer(ctx context.Context, request adapters.Request) (adapters.Answer, error) {
	return p.members[request.Mark%len(p.members)].Answer(ctx, request)
}

// Close ends every process and returns their late faults, sorted by Mark.
func (p *Pool) Close() ([]adapters.LateFault, error) {
	var late []adapters.LateFault
	var errs []error
	var mu sync.Mutex
	var ending sync.WaitGroup
	for _, member := range p.members {
		ending.Go(func() {
			faults, err := member.Close()
			mu.Lock()
			defer mu.Unlock()
			late, errs = append(late, faults...), append(errs, err)
		})
	}
	ending.Wait()
	slices.SortFunc(late, func(a, b adapters.LateFault) int { return a.Mark - b.Mark })
	return late, errors.Join(errs...)
}

// Notes implements [adapters.Noted].
func (p *Pool) Notes() []string { return p.union((*Adapter).Notes) }

// Remarks are those of each process, each once.
func (p *Pool) Remarks() []string { return p.union((*Adapter).Remarks) }

func (p *Pool) union(of func(*Adapter) []string) []string {
	var all []string
	for _, member := range p.members {
		all = append(all, of(member)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Stderr is the end of what each process wrote there, one after the other.
func (p *Pool) Stderr() string {
	var tails []string
	for _, member := range p.members {
		if tail := member.Stderr(); tail != "" {
			tails = append(tails, tail)
		}
	}
	return strings.Join(tails, "")
}
