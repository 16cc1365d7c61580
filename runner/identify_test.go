package runner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/runner"
)

// disguised answers as one metric at one pin, with variations, under the name
// of another.
type disguised struct {
	*reference.Adapter
	name, as, pin string
}

func (d disguised) Hello(context.Context) (adapters.Hello, error) {
	support := full(d.name)
	// What both have: a scorer under another's name knows nothing of its conditions.
	if d.name != d.as {
		support = adapters.Support{Answers: []string{"normalize", "exact_match"}}
	}
	return adapters.Hello{Name: "acme", Metrics: map[string]adapters.Support{d.name: support}}, nil
}

func (d disguised) Answer(ctx context.Context, r adapters.Request) (adapters.Answer, error) {
	r.Metric, r.Pin = d.as, d.pin
	answer, err := d.Adapter.Answer(ctx, r)
	if d.name != d.as {
		for key := range answer.Scores {
			if key != "exact_match" {
				delete(answer.Scores, key)
			}
		}
	}
	return answer, err
}

func identify(t *testing.T, d disguised, patterns ...string) []runner.Likeness {
	t.Helper()
	config := embedded(t)
	config.Patterns = patterns
	hello, ranking, err := runner.Identify(t.Context(), d, config)
	if err != nil {
		t.Fatal(err)
	}
	if hello.Name != "acme" || len(ranking) != 1 {
		t.Errorf("%+v, %d rankings", hello, len(ranking))
	}
	return ranking[d.name]
}

// TestIdentify: what an unknown scorer is comes first, with what it does
// otherwise, and the ranking falls from there.
func TestIdentify(t *testing.T) {
	articles := []string{"article-glue", "article-boundary", "f1-tokens", "case"}
	tests := []struct {
		name, as, pin string
		variations    []string
		patterns      []string
		first         []string // any of these: pins at which upstream is the same
	}{
		{"squad", "squad", "hf-evaluate@86baf12", nil, articles, []string{"squad@hf-evaluate@86baf12"}},
		{"squad", "squad", "hf-evaluate@a7dd338", []string{"articles-first"}, articles, []string{"squad@hf-evaluate@86baf12"}},
		{"squad", "squad", "hf-evaluate@a7dd338", []string{"articles-first", "set-f1"}, articles, []string{"squad@hf-evaluate@86baf12"}},
		{"exact_match", "exact_match", "hf-evaluate@10ee266", nil, []string{"numbers-erased", "batch-shape", "case"}, []string{"exact_match@hf-evaluate@10ee266"}},
		{"exact_match", "exact_match", "hf-evaluate@86baf12", []string{"casefold"}, []string{"case", "batch-shape", "numbers-erased"}, []string{"exact_match@hf-evaluate@86baf12"}},
		{"nfd_exact_match", "nfd_exact_match", "article@1", []string{"accents-kept"}, []string{"accents", "case"}, []string{"nfd_exact_match@article@1"}},
		// It says squad and is the article's.
		{"squad", "nfd_exact_match", "article@1", nil, []string{"accents", "case", "article-glue"}, []string{"nfd_exact_match@article@1"}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s at %s with %s under the name %s", test.as, test.pin, strings.Join(test.variations, ", "), test.name), func(t *testing.T) {
			t.Parallel()
			variations, err := reference.Named(test.variations...)
			if err != nil {
				t.Fatal(err)
			}
			list := identify(t, disguised{reference.New(variations...), test.name, test.as, test.pin}, test.patterns...)
			best := list[0]
			var causes []string
			for _, cause := range best.Causes {
				causes = append(causes, cause.Variation.Name)
				if cause.Explains == 0 {
					t.Errorf("%s explains nothing", cause.Variation.Name)
				}
			}
			slices.Sort(causes)
			if !slices.Contains(test.first, best.Metric+"@"+best.Pin) || !slices.Equal(causes, test.variations) || best.With != best.Answers {
				t.Errorf("it is nearest to %s@%s with %v: %d of %d answers", best.Metric, best.Pin, causes, best.With, best.Answers)
			}
			if as := best.AsIs == best.Answers; as != (len(test.variations) == 0) {
				t.Errorf("as it is, %d of %d answers are equal", best.AsIs, best.Answers)
			}
			for i := 1; i < len(list); i++ {
				if list[i].With*list[i-1].Answers > list[i-1].With*list[i].Answers {
					t.Errorf("rank %d is nearer than rank %d", i+1, i)
				}
			}
			if len(list) < 7 {
				t.Errorf("only %d metrics at pins are ranked", len(list))
			}
		})
	}
}

// TestIdentifyUsage: what selects nothing is a mistake of the caller, and an
// interrupted run is no ranking.
func TestIdentifyUsage(t *testing.T) {
	config := small(t)
	config.Patterns = []string{"nothing/like-this"}
	if _, _, err := runner.Identify(t.Context(), only("squad"), config); !usageError(err) {
		t.Errorf("a pattern without a case: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := runner.Identify(ctx, only("squad"), small(t)); err == nil {
		t.Error("interrupted, it has no error")
	}
}
