package adapters

import (
	"context"

	"github.com/normcert/normcert/metric"
)

// Functions makes an Adapter of plain Go functions; leave out the one that
// Metrics does not name. Both must be safe for concurrent use.
type Functions struct {
	Name, Version string
	Metrics       map[string]Support
	// Normalize returns the normalized form of text under a setup.
	Normalize func(setup metric.Setup, text string) (string, error)
	// Score scores items as one batch. A *metric.Refusal says that the metric
	// refuses them.
	Score func(setup metric.Setup, pin string, items []metric.Item) (metric.Scores, error)
}

// Hello implements Adapter.
func (f Functions) Hello(context.Context) (Hello, error) {
	return Hello{Name: f.Name, Version: f.Version, Metrics: f.Metrics, Language: "Go"}, nil
}

// Answer implements Adapter.
func (f Functions) Answer(_ context.Context, request Request) (Answer, error) {
	setup := metric.Setup{Metric: request.Metric, Options: request.Options}
	switch {
	case request.Op == Normalize && f.Normalize != nil:
		text, err := f.Normalize(setup, request.Text)
		return Answer{Text: text}, err
	case request.Op == Score && f.Score != nil:
		scores, err := f.Score(setup, request.Pin, request.Items)
		return Answer{Scores: scores}, err
	}
	return Answer{}, &Unsupported{Why: "no function for " + string(request.Op)}
}
