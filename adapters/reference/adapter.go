package reference

import (
	"context"
	"strings"
	"sync"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/metric"
)

// Adapter answers with the reference, or with variations of it.
type Adapter struct {
	variations []Variation
	mu         sync.Mutex
	pipelines  map[[2]string]*Pipeline
}

// New returns the reference as an adapter, changed by the variations given.
func New(variations ...Variation) *Adapter {
	return &Adapter{variations: variations, pipelines: map[[2]string]*Pipeline{}}
}

// Hello implements adapters.Adapter: every metric at every pin, every key,
// every condition.
func (a *Adapter) Hello(context.Context) (adapters.Hello, error) {
	hello := adapters.Hello{
		Name:     strings.Join(append([]string{"reference"}, a.names()...), "+"),
		Version:  version.Version,
		Metrics:  map[string]adapters.Support{},
		Language: "Go",
		Unicode:  pystr.UnicodeVersion,
	}
	for _, m := range metric.All() {
		support := adapters.Support{Pins: Pins(m.Name), Answers: m.KeyNames(), Handles: adapters.Structural(m)}
		if m.Normalizes {
			support.Answers = append([]string{adapters.NormalizeAnswer}, support.Answers...)
		}
		hello.Metrics[m.Name] = support
	}
	return hello, nil
}

func (a *Adapter) names() []string {
	names := make([]string, len(a.variations))
	for i, variation := range a.variations {
		names[i] = variation.Name
	}
	return names
}

// Answer implements adapters.Adapter. A metric or pin that the reference does
// not have is unsupported.
func (a *Adapter) Answer(_ context.Context, request adapters.Request) (adapters.Answer, error) {
	pipeline, err := a.pipeline(request.Metric, request.Pin)
	if err != nil {
		return adapters.Answer{}, &adapters.Unsupported{Why: err.Error()}
	}
	if request.Op == adapters.Normalize {
		text, err := pipeline.Normalize(request.Text)
		if err != nil {
			return adapters.Answer{}, &adapters.Unsupported{Why: err.Error()}
		}
		return adapters.Answer{Text: text}, nil
	}
	scores, err := pipeline.Score(request.Options, request.Items)
	return adapters.Answer{Scores: scores}, err
}

func (a *Adapter) pipeline(name, pin string) (*Pipeline, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := [2]string{name, pin}
	if p, known := a.pipelines[key]; known {
		return p, nil
	}
	p, err := For(name, pin, a.variations...)
	if err == nil {
		a.pipelines[key] = p
	}
	return p, err
}
