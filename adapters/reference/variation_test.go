package reference_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/metric"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestCatalogue: a variation can be named, is explained, and names only
// metrics, pins, hazards and views that there are.
func TestCatalogue(t *testing.T) {
	corpus, err := cases.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	hazards := map[string]bool{}
	for _, hazard := range corpus.Hazards {
		hazards[hazard.Name] = true
	}
	catalogue := reference.Catalogue()
	byName := func(a, b reference.Variation) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(catalogue, byName) {
		t.Error("it is not sorted by name")
	}
	for i, v := range catalogue {
		if i > 0 && catalogue[i-1].Name == v.Name {
			t.Errorf("%s is there twice", v.Name)
		}
		if !kebab.MatchString(v.Name) {
			t.Errorf("%q is not lower case with hyphens", v.Name)
		}
		if about := v.About; !strings.HasSuffix(about, ".") || pystr.SimpleLower([]rune(about)[0]) == []rune(about)[0] {
			t.Errorf("%s: %q is no sentence", v.Name, about)
		}
		if len(v.Metrics) == 0 || !distinct(v.Metrics) || !distinct(v.Hazards) || !distinct(v.Views) {
			t.Errorf("%s names something twice, or no metric", v.Name)
		}
		for _, hazard := range v.Hazards {
			if !hazards[hazard] {
				t.Errorf("%s has to do with %s, which no file of the corpus is called", v.Name, hazard)
			}
		}
		for _, name := range v.Metrics {
			m, err := metric.Lookup(name)
			if err != nil {
				t.Errorf("%s: %v", v.Name, err)
				continue
			}
			checkViews(t, v, m)
		}
		for _, pin := range v.NotAt {
			if !slices.ContainsFunc(v.Metrics, func(name string) bool { return slices.Contains(reference.Pins(name), pin) }) {
				t.Errorf("%s is not at %s, which none of its metrics is at either", v.Name, pin)
			}
		}
	}
}

func distinct[T ~string](list []T) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

// checkViews: a variation shows somewhere in each of its metrics, and a floor
// is held to nothing.
func checkViews(t *testing.T, v reference.Variation, m metric.Metric) {
	t.Helper()
	shows := v.Shows(m)
	if v.Floor != (len(shows) == 0) {
		t.Errorf("%s of %s has to show in %v", v.Name, m.Name, shows)
	}
	for _, view := range shows {
		_, known := m.Key(string(view))
		switch {
		case !slices.Contains(reference.Views(), view):
			t.Errorf("%s: there is no view %s", v.Name, view)
		case view == reference.Normalized && !m.Normalizes, view == reference.TokenF1 && !known:
			t.Errorf("%s has to show in %s, which %s does not answer", v.Name, view, m.Name)
		}
	}
}

// TestWhereVariationsShow: on the texts of the corpus, one that says it changes
// normalized forms does, and one that does not say so does not.
func TestWhereVariationsShow(t *testing.T) {
	texts := corpusTexts(t)
	for _, v := range reference.Catalogue() {
		for _, name := range v.Metrics {
			m, err := metric.Lookup(name)
			if err != nil || !m.Normalizes || v.Floor {
				continue
			}
			pin := reference.Pins(name)[0]
			varied, plain := pipeline(t, name, pin, v), pipeline(t, name, pin)
			changed := slices.ContainsFunc(texts, func(text string) bool { return normalized(t, varied, text) != normalized(t, plain, text) })
			if says := slices.Contains(v.Shows(m), reference.Normalized); changed != says {
				t.Errorf("%s of %s changes a normalized form: %v; its views say %v", v.Name, name, changed, says)
			}
		}
	}
}

func pipeline(t *testing.T, name, pin string, variations ...reference.Variation) *reference.Pipeline {
	t.Helper()
	p, err := reference.For(name, pin, variations...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func normalized(t *testing.T, p *reference.Pipeline, text string) string {
	t.Helper()
	form, err := p.Normalize(text)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

// sample is what the pipelines of these tests are asked: batches of every metric.
func sample(t *testing.T, r *rand.Rand, m metric.Metric) (list []question) {
	t.Helper()
	for range 40 {
		q := question{setup: metric.Setup{Metric: m.Name, Options: randomOptions(r, m)}}
		for range r.IntN(4) {
			q.items = append(q.items, randomItem(r, m, len(q.items)))
		}
		list = append(list, q)
	}
	return list
}

// answers are the scores, or the kind of refusal, of each question.
func answers(t *testing.T, p *reference.Pipeline, questions []question) (list []metric.Scores) {
	t.Helper()
	for _, q := range questions {
		scores, err := p.Score(q.setup.Options, q.items)
		var refusal *metric.Refusal
		switch {
		case errors.As(err, &refusal):
			scores = metric.Scores{string(refusal.Kind): 1}
		case err != nil:
			scores = metric.Scores{err.Error(): 1}
		}
		list = append(list, scores)
	}
	return list
}

func sameAnswers(a, b []metric.Scores) bool {
	return slices.EqualFunc(a, b, func(x, y metric.Scores) bool { return bits(x, y) == "" })
}

// TestApplyChangesOnePipeline: a variation changes the pipeline that it is
// applied to and no other, neither one that was there before nor a later one.
func TestApplyChangesOnePipeline(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, m := range metric.All() {
		questions := sample(t, r, m)
		for _, pin := range reference.Pins(m.Name) {
			bystander := pipeline(t, m.Name, pin).StepByStep()
			want := answers(t, bystander, questions)
			all := pipeline(t, m.Name, pin)
			for _, v := range reference.Catalogue() {
				first := answers(t, pipeline(t, m.Name, pin, v), questions)
				v.Apply(all)
				if again := answers(t, pipeline(t, m.Name, pin, v), questions); !sameAnswers(again, first) {
					t.Fatalf("%s at %s with %s answers otherwise the second time", m.Name, pin, v.Name)
				}
				later := pipeline(t, m.Name, pin)
				if !sameAnswers(answers(t, later, questions), want) || !sameAnswers(answers(t, bystander, questions), want) {
					t.Fatalf("%s at %s is another once %s was applied to one of its own", m.Name, pin, v.Name)
				}
				if !slices.Contains(v.Metrics, m.Name) && !sameAnswers(first, want) {
					t.Errorf("%s changes %s, which it does not name", v.Name, m.Name)
				}
			}
		}
	}
}

// TestVariationsCompose: of two, the second is applied to what the first left,
// whether For is given both or they are applied one after the other.
func TestVariationsCompose(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, m := range metric.All() {
		list := slices.DeleteFunc(reference.Catalogue(), func(v reference.Variation) bool { return !slices.Contains(v.Metrics, m.Name) })
		questions := sample(t, r, m)
		for range 60 {
			pins := reference.Pins(m.Name)
			pin := pins[r.IntN(len(pins))]
			a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
			both := answers(t, pipeline(t, m.Name, pin, a, b), questions)
			// StepByStep: Apply on its own leaves the shortcut in place.
			stepwise := pipeline(t, m.Name, pin).StepByStep()
			a.Apply(stepwise)
			b.Apply(stepwise)
			if !sameAnswers(answers(t, stepwise, questions), both) {
				t.Errorf("%s at %s with %s and %s: together and one after the other differ", m.Name, pin, a.Name, b.Name)
			}
		}
	}
}

// TestEveryPairComposes: any variation can be applied on top of any other, also
// on one that left nothing of the step it is about.
func TestEveryPairComposes(t *testing.T) {
	items := []metric.Item{metric.Answered("The car", "a car")}
	for _, m := range metric.All() {
		pin := reference.Pins(m.Name)[0]
		for _, a := range reference.Catalogue() {
			for _, b := range reference.Catalogue() {
				// Of two that drop references and refuse where none is left, a refusal is right.
				var refusal *metric.Refusal
				if _, err := pipeline(t, m.Name, pin, a, b).Score(nil, items); err != nil && !errors.As(err, &refusal) {
					t.Errorf("%s with %s and %s: %v", m.Name, a.Name, b.Name, err)
				}
			}
		}
	}
}

// TestTextVariationsCompose: one that changes texts before anything else, put
// on top of any other, is that other one on texts that are so changed.
func TestTextVariationsCompose(t *testing.T) {
	before := map[string]func(string) string{
		"nfc-first": pystr.NFC, "nfd-first": pystr.NFD, "nfkc-first": pystr.NFKC,
		"accents-dropped": func(text string) string {
			return strings.Map(func(r rune) rune {
				if pystr.CombiningClass(r) != 0 {
					return -1
				}
				return r
			}, pystr.NFD(text))
		},
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, name := range []string{"squad", "squad_v2", "nfd_exact_match"} {
		pin := reference.Pins(name)[0]
		for _, other := range reference.Catalogue() {
			if !other.AppliesTo(name, pin) || other.Floor {
				continue
			}
			for _, first := range slices.Sorted(maps.Keys(before)) {
				v, err := reference.Named(first)
				if err != nil {
					t.Fatal(err)
				}
				if !v[0].AppliesTo(name, pin) {
					continue
				}
				both, alone := pipeline(t, name, pin, other, v[0]), pipeline(t, name, pin, other)
				for range 60 {
					text := randomText(r, 6)
					if got, want := normalized(t, both, text), normalized(t, alone, before[first](text)); got != want {
						t.Errorf("%s with %s and %s: %+q becomes %+q; %s on the changed text gives %+q", name, other.Name, first, text, got, other.Name, want)
						break
					}
				}
			}
		}
	}
}

// TestNamed keeps the order it is given, and lists the catalogue where a name
// is unknown.
func TestNamed(t *testing.T) {
	list, err := reference.Named("set-f1", "articles-first")
	if err != nil || len(list) != 2 || list[0].Name != "set-f1" || list[1].Name != "articles-first" {
		t.Errorf("%v, %v", list, err)
	}
	if none, err := reference.Named(); err != nil || len(none) != 0 {
		t.Errorf("no name: %v, %v", none, err)
	}
	if _, err := reference.Named("set-f1", "Articles-First"); err == nil || !strings.Contains(err.Error(), `"Articles-First"`) || !strings.Contains(err.Error(), "articles-first, ") {
		t.Errorf("an unknown name: %v", err)
	}
	floors := reference.Floors()
	if len(floors) != 3 || floors[0].Name != "always-match" || floors[1].Name != "identity" || floors[2].Name != "never-match" {
		t.Errorf("the floors are %v", floors)
	}
	catalogue := reference.Catalogue()
	catalogue[0].Name = "changed"
	if reference.Catalogue()[0].Name == "changed" {
		t.Error("the catalogue is its caller's to change")
	}
}
