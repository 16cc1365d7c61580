package reference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

var (
	inScores = []View{Exact, TokenF1, Batches}
	inF1     = []View{TokenF1, Batches}
	inBatch  = []View{Batches}
)

var itemVariations = []Variation{
	{
		Name: "blank-prediction-scores-0", About: "A prediction that is empty or only white space scores 0, whatever is expected.",
		Metrics: answering, Hazards: []string{"empty-collapse", "has-answer", "no-references"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.BlankScoresZero = true },
	},
	{
		Name: "blank-references-dropped", About: "References that are empty or only white space do not count.",
		Metrics: []string{"squad"}, Hazards: []string{"empty-collapse", "alias-dropped", "no-references", "has-answer"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Items.DropBlank = true },
	},
	{
		Name: "erased-references-dropped", About: "References that normalize to nothing do not count, as in squad_v2; where none is left, nothing is expected.",
		Metrics: []string{"squad"}, Hazards: []string{"alias-dropped", "no-references"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Items.DropErased, p.Items.NoneLeft = true, ExpectBlank },
	},
	{
		Name: "erased-references-kept", About: "References that normalize to nothing count, as in squad.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"alias-dropped"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.DropErased = false },
	},
	{
		Name: "none-left-raises", About: "A batch is refused that has an item without a reference that counts.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = Raise },
	},
	{
		Name: "no-references-scores-0", About: "An item without a reference scores 0.",
		Metrics: answering, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = ScoreZero },
	},
	{
		Name: "no-references-scores-1", About: "An item without a reference scores as a match.",
		Metrics: answering, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = ScoreTop },
	},
	{
		Name: "first-reference-only", About: "Only the first reference counts.",
		Metrics: normalizes, Hazards: []string{"aliases", "alias-dropped"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.FirstReference = true },
	},
	{
		Name: "last-item-counts", About: "Of the items with one id only the last counts.",
		Metrics: []string{"squad"}, Hazards: []string{"repeated-id"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.Answers = LastItem },
	},
	{
		Name: "ids-ignored", About: "Every item is scored with its own prediction, whatever its id.",
		Metrics: answering, Hazards: []string{"repeated-id"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.Answers = OwnAnswer },
	},
	{
		Name: "unanswered-skipped", About: "An item without a prediction is left out of every count.",
		Metrics: answering, Hazards: []string{"unanswered"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.SkipUnanswered = true },
	},
	{
		Name: "empty-batch-scores-0", About: "A batch without items scores 0.",
		Metrics: []string{"squad", "squad_v2", "exact_match"}, Hazards: []string{"batch-shape", "no-references", "unanswered"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.EmptyScoresZero = true },
	},
	{
		Name: "threshold-inclusive", About: "A no-answer probability at the threshold is over it.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"no-answer-threshold"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.ThresholdInclusive = true },
	},
	{
		Name: "threshold-ignored", About: "The no-answer threshold changes nothing.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"no-answer-threshold"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.ThresholdIgnored = true },
	},
	{
		Name: "has-answer-after-dropping", About: "A question whose references all normalize to nothing has no answer.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.HasAnswerAfterDropping = true },
	},
}

func matching(match func(prediction, reference string) bool) func(p *Pipeline) {
	return func(p *Pipeline) { p.Match = match }
}

var scoreVariations = []Variation{
	{
		Name: "both-empty-f1-1", About: "Two texts that normalize to nothing have F1 1.",
		Metrics: []string{"squad"}, Hazards: []string{"empty-collapse", "f1-tokens"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 {
				if len(prediction) == 0 && len(reference) == 0 {
					return 1
				}
				return f1(prediction, reference)
			}
		},
	},
	{
		Name: "both-empty-f1-0", About: "Two texts that normalize to nothing have F1 0.",
		Metrics: []string{"squad_v2"}, Hazards: []string{"empty-collapse", "f1-tokens", "has-answer", "no-references"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 {
				if len(prediction) == 0 && len(reference) == 0 {
					return 0
				}
				return f1(prediction, reference)
			}
		},
	},
	{
		Name: "set-f1", About: "F1 counts every different token once.",
		Metrics: answering, Hazards: []string{"f1-tokens"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 { return f1(distinct(prediction), distinct(reference)) }
		},
	},
	{
		Name: "f1-short-form", About: "F1 is 2*same/(m+n), which differs in the last bit.",
		Metrics: answering, Hazards: []string{"f1-arithmetic"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 {
				if same := common(prediction, reference); same > 0 {
					return float64(2*same) / float64(len(prediction)+len(reference))
				}
				return f1(prediction, reference)
			}
		},
	},
	{
		Name: "float32", About: "Scores are single-precision numbers.",
		Metrics: everyone, Hazards: []string{"f1-arithmetic", "f1-tokens", "batch-shape"}, Views: []View{TokenF1, Batches},
		change: func(p *Pipeline) {
			if f1 := p.F1; f1 != nil {
				p.F1 = func(prediction, reference []string) float64 { return float64(float32(f1(prediction, reference))) }
			}
			p.Means.Round = func(share float64) float64 { return float64(float32(share)) }
		},
	},
	{
		Name: "rounded", About: "Scores are rounded to two decimals.",
		Metrics: everyone, Hazards: []string{"f1-arithmetic", "f1-tokens", "batch-shape"}, Views: []View{TokenF1, Batches},
		change: func(p *Pipeline) {
			p.Means.Round = func(share float64) float64 {
				rounded, err := strconv.ParseFloat(strconv.FormatFloat(share, 'f', 2, 64), 64)
				if err != nil {
					return share
				}
				return rounded
			}
		},
	},
	{
		Name: "mean-before-scaling", About: "The mean is taken before it is multiplied by 100, which differs in the last bit.",
		Metrics: answering, Hazards: []string{"f1-arithmetic"}, Views: inBatch,
		change: func(p *Pipeline) { p.Means.First = true },
	},
	{
		Name: "prefix-match", About: "A prediction matches that begins with a reference.",
		Metrics: everyone, Hazards: []string{"containment", "empty-collapse"}, Views: []View{Exact, Batches},
		change: matching(strings.HasPrefix),
	},
	{
		Name: "suffix-match", About: "A prediction matches that ends with a reference.",
		Metrics: everyone, Hazards: []string{"containment"}, Views: []View{Exact, Batches},
		change: matching(strings.HasSuffix),
	},
	{
		Name: "substring-match", About: "A prediction matches that contains a reference.",
		Metrics: everyone, Hazards: []string{"containment"}, Views: []View{Exact, Batches},
		change: matching(strings.Contains),
	},
	{
		Name: "contained-match", About: "A prediction matches that a reference contains.",
		Metrics: everyone, Hazards: []string{"containment"}, Views: []View{Exact, Batches},
		change: matching(func(prediction, reference string) bool { return strings.Contains(reference, prediction) }),
	},
	{
		Name: "other-scale", About: "Scores are on 0 to 1 where the pin's are on 0 to 100, or the other way round.",
		Metrics: everyone, Hazards: nil, Views: inScores,
		change: func(p *Pipeline) { p.Scale = 101 - p.Scale },
	},
}

func distinct(tokens []string) []string {
	sorted := slices.Clone(tokens)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

var arrayVariations = []Variation{
	{
		Name: "batch-blind", About: "No string is cut to the width of its array, so that a pair's score does not depend on its neighbours.",
		Metrics: arrays, Hazards: []string{"batch-width"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.Uncut = true },
	},
	{
		Name: "nuls-kept", About: "Trailing NULs are part of a string.",
		Metrics: arrays, Hazards: []string{"batch-width", "batch-shape"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.KeepNULs = true },
	},
	{
		Name: "lists-by-element", About: "With an empty list of patterns, pairs are compared one by one.", NotAt: []string{"hf-evaluate@10ee266"},
		Metrics: arrays, Hazards: []string{"batch-shape"}, Views: inBatch,
		change: func(p *Pipeline) { p.Arrays.ByElement = true },
	},
	{
		Name: "patterns-after-lower", About: "Patterns are removed after case was taken away.",
		Metrics: arrays, Hazards: []string{"regex-before-lowering"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			steps := slices.DeleteFunc(slices.Clone(p.Arrays.Steps), func(s ArrayStep) bool { return s.Name == ignoreRegexes.Name })
			if at := slices.IndexFunc(steps, func(s ArrayStep) bool { return s.Name == "lower" }); at >= 0 {
				p.Arrays.Steps = slices.Insert(steps, at+1, ignoreRegexes)
			}
		},
	},
	{
		Name: "patterns-as-literals", About: "Patterns are removed as they are written, not as regular expressions.",
		Metrics: arrays, Hazards: []string{"regex-literal"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			p.patterns(func(pattern string) func(string) (string, error) {
				return func(text string) (string, error) {
					if pattern == "" {
						return text, nil
					}
					return strings.ReplaceAll(text, pattern, ""), nil
				}
			})
		},
	},
	{
		Name: "patterns-ignore-case", About: "Patterns match without regard to case.",
		Metrics: arrays, Hazards: []string{"regex-before-lowering"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			p.patterns(func(pattern string) func(string) (string, error) { return remover("(?i)" + pattern) })
		},
	},
	{
		Name: "patterns-ignored", About: "Patterns are not removed.",
		Metrics: arrays, Hazards: []string{"regex-erased", "regex-literal"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.remove(ignoreRegexes.Name) },
	},
	{
		Name: "digits-unicode", About: "Every decimal digit goes, not only 0 to 9.",
		Metrics: arrays, Hazards: []string{"ascii-only-stripping", "numbers-erased"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			p.replace("remove-digits", func(text string) string { return drop(text, pystr.IsDecimal) })
		},
	},
	{
		Name: "digits-kept", About: "Digits are kept.",
		Metrics: arrays, Hazards: []string{"numbers-erased"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.remove("remove-digits") },
	},
	{
		Name: "erased-pairs-guard", About: "A pair that the options erase on both sides matches only if the originals were equal; or, where the pin has that guard, it is missing.",
		Metrics: arrays, Hazards: []string{"numbers-erased", "punctuation-erased", "regex-erased"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.Guard = !p.Arrays.Guard },
	},
}

// patterns replaces how a pattern is removed.
func (p *Pipeline) patterns(remover func(pattern string) func(string) (string, error)) {
	p.Arrays.Steps = slices.Clone(p.Arrays.Steps)
	for i, step := range p.Arrays.Steps {
		if step.Name == ignoreRegexes.Name {
			p.Arrays.Steps[i] = patternStep(remover)
		}
	}
}
