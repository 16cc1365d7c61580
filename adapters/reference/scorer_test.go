package reference_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/metric"
)

// alphabet holds what the steps treat apart: articles, every kind of space,
// signs, controls, digits, marks, sigmas, the dotted I, ligatures, other scripts.
var alphabet = []string{
	"a", "an", "the", "A", "The", "THE", "b", "nile", "x", "7", "½", "²", "_", "-", ".", ",", "'", "’", "–", "—", "“", "$", "`",
	" ", " ", "  ", "\t", "\n", "\x1c", "\x1f", "\u0085", "\u00a0", "\u1680", "\u2009", "\u2028", "\u202f", "\u3000", "\u200b", "\ufeff",
	"\x00", "\x08", "\x7f", "\u0301", "\u0345", "\u0323", "é", "e\u0301", "à", "Σ", "σ", "ς", "İ", "ı", "ß", "ﬁ", "Ⅷ", "ǅ", "ª",
	"日本", "한", "\u1112\u1161\u11ab", "กา", "ع", "٣", "２", "א", "ि", "😀", "𝐀", "𐐀", "Ꭰ", "ꭰ",
}

func randomText(r *rand.Rand, most int) string {
	var text strings.Builder
	for range r.IntN(most + 1) {
		text.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return text.String()
}

// TestScorerIsTheSteps: the shortcut through Scorer is the pipeline of steps,
// to the last bit, for squad and squad_v2.
func TestScorerIsTheSteps(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var scorer reference.Scorer
	for range 60_000 {
		text := randomText(r, 8)
		compareNormalized(t, &scorer, text)
		items := []metric.Item{metric.Answered(text)}
		for range r.IntN(4) {
			items[0].References = append(items[0].References, randomText(r, 8))
		}
		compareScores(t, items)
	}
}

func compareNormalized(t *testing.T, scorer *reference.Scorer, text string) {
	t.Helper()
	pipeline, err := reference.For("squad", "hf-evaluate@a7dd338")
	if err != nil {
		t.Fatal(err)
	}
	want, err := pipeline.Normalize(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(scorer.AppendNormalized(nil, text)); got != want {
		t.Errorf("%+q becomes %+q, by the steps %+q", text, got, want)
	}
	if got := string(scorer.AppendNormalized([]byte("x"), text)); got != "x"+want {
		t.Errorf("%+q appended to x is %+q, by the steps x%+q", text, got, want)
	}
}

func compareScores(t *testing.T, items []metric.Item) {
	t.Helper()
	for _, name := range []string{"squad", "squad_v2"} {
		pipeline, err := reference.For(name, "hf-evaluate@a7dd338")
		if err != nil {
			t.Fatal(err)
		}
		got, errGot := pipeline.Score(nil, items)
		want, errWant := pipeline.StepByStep().Score(nil, items)
		if (errGot == nil) != (errWant == nil) {
			t.Fatalf("%s of %+v: error %v, by the steps %v", name, items, errGot, errWant)
		}
		for key := range want {
			if math.Float64bits(got[key]) != math.Float64bits(want[key]) {
				t.Errorf("%s of %+v: %s is %v, by the steps %v", name, items, key, got[key], want[key])
			}
		}
	}
}

// TestManyTokens goes beyond the number of tokens that are compared one by one.
func TestManyTokens(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	long := func() string {
		words := make([]string, 100)
		for i := range words {
			words[i] = "w" + string(rune('b'+r.IntN(20)))
		}
		return strings.Join(words, " ")
	}
	for range 20 {
		compareScores(t, []metric.Item{metric.Answered(long(), long(), long())})
	}
}

func TestScorerDoesNotAllocate(t *testing.T) {
	var scorer reference.Scorer
	references := []string{"the Nile River", "The Amazon, in South America"}
	pass := func() {
		scorer.Squad("A river in the south of Egypt (Nile)", references)
		scorer.SquadV2("A river in the south of Egypt (Nile)", references)
	}
	pass()
	if allocations := testing.AllocsPerRun(100, pass); allocations != 0 {
		t.Errorf("scoring a pair in ASCII allocates %v times", allocations)
	}
}

// FuzzScorer looks for a text on which the shortcut is not the steps.
func FuzzScorer(f *testing.F) {
	f.Add("The car", "the-car")
	f.Add("a\x00the \u0301An", "ΑΣ İ")
	f.Fuzz(func(t *testing.T, prediction, text string) {
		prediction, text = strings.ToValidUTF8(prediction, "?"), strings.ToValidUTF8(text, "?")
		var scorer reference.Scorer
		compareNormalized(t, &scorer, prediction)
		compareScores(t, []metric.Item{metric.Answered(prediction, text, prediction+text)})
	})
}
