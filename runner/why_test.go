package runner_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
	"github.com/normcert/normcert/metric"
	"github.com/normcert/normcert/runner"
)

var (
	embeddedCorpus  = sync.OnceValues(cases.Embedded)
	embeddedGoldens = sync.OnceValues(golden.Embedded)
)

// why certifies a variation of the reference for a metric's default pin and
// returns the names of the causes that are found, sorted.
func why(t *testing.T, name string, set ...reference.Variation) (causes []string, explanation *runner.Explanation) {
	t.Helper()
	corpus, err := embeddedCorpus()
	if err != nil {
		t.Fatal(err)
	}
	goldens, err := embeddedGoldens()
	if err != nil {
		t.Fatal(err)
	}
	pin, err := goldens.Default(name)
	if err != nil {
		t.Fatal(err)
	}
	report, err := runner.Certify(t.Context(), reference.New(set...), runner.Config{
		Corpus: corpus, Goldens: goldens, Claims: []string{name + "@" + pin.Pin.Name()},
	})
	if err != nil {
		t.Fatal(err)
	}
	explanation = report.Claims[0].Why
	if explanation == nil {
		return nil, nil
	}
	for _, cause := range explanation.Causes {
		causes = append(causes, cause.Variation.Name)
	}
	slices.Sort(causes)
	return causes, explanation
}

// TestWhyNamesEachVariation: for an implementation that differs in one way,
// certify names that way and nothing is left over. To save time each variation
// is tried in one of its metrics; NORMCERT_WHY_ALL tries them all.
func TestWhyNamesEachVariation(t *testing.T) {
	everywhere := os.Getenv("NORMCERT_WHY_ALL") != ""
	for i, variation := range reference.Catalogue() {
		for at, name := range variation.Metrics {
			m, err := metric.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			pins := reference.Pins(name)
			if !variation.AppliesTo(name, pins[len(pins)-1]) || !everywhere && at != i%len(variation.Metrics) {
				continue
			}
			t.Run(m.Name+"/"+variation.Name, func(t *testing.T) {
				t.Parallel()
				causes, explanation := why(t, m.Name, variation)
				if !slices.Equal(causes, []string{variation.Name}) {
					t.Fatalf("found %v", causes)
				}
				if explanation.Unexplained != 0 || explanation.Contradicted != 0 {
					t.Errorf("%d answers are unexplained, %d contradicted", explanation.Unexplained, explanation.Contradicted)
				}
			})
		}
	}
}

// TestWhyNamesSeveral: for implementations assembled from two to four
// variations, what is found reproduces every answer, with no more variations
// than went in. (Two of them may hide a third, so that fewer do.)
func TestWhyNamesSeveral(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	exactly := 0
	const rounds = 12
	for range rounds {
		name := []string{"squad", "squad_v2", "exact_match", "nfd_exact_match"}[r.IntN(4)]
		set := randomSet(r, name, 2+r.IntN(3))
		causes, explanation := why(t, name, set...)
		names := make([]string, len(set))
		for i, v := range set {
			names[i] = v.Name
		}
		if slices.Equal(names, causes) {
			exactly++
			continue
		}
		if explanation == nil {
			t.Errorf("%s with %s: no difference found", name, strings.Join(names, ", "))
			continue
		}
		share := float64(explanation.Unexplained+explanation.Contradicted) / float64(explanation.Deviating)
		t.Logf("%s with %s: found %s; %d of %d unexplained, %d contradicted", name, strings.Join(names, ", "), strings.Join(causes, ", "),
			explanation.Unexplained, explanation.Deviating, explanation.Contradicted)
		if share > 0.05 {
			t.Errorf("%s with %s: more than a twentieth of the answers is not explained", name, strings.Join(names, ", "))
		}
	}
	t.Logf("%d of %d sets were named exactly", exactly, rounds)
}

// randomSet returns different variations of a metric, floors aside, sorted by name.
func randomSet(r *rand.Rand, name string, size int) []reference.Variation {
	pins := reference.Pins(name)
	list := slices.DeleteFunc(reference.Catalogue(), func(v reference.Variation) bool { return v.Floor || !v.AppliesTo(name, pins[len(pins)-1]) })
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	set := list[:size]
	slices.SortFunc(set, func(a, b reference.Variation) int { return strings.Compare(a.Name, b.Name) })
	return set
}
