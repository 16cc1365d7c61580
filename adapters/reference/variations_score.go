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
		Seen:    "stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py",
		Metrics: answering, Hazards: []string{"empty-collapse", "has-answer", "no-references"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.BlankScoresZero = true },
	},
	{
		Name: "blank-references-dropped", About: "References that are empty or only white space do not count.",
		Seen:    "EleutherAI/lm-evaluation-harness lm_eval/tasks/drop/utils.py",
		Metrics: []string{"squad"}, Hazards: []string{"empty-collapse", "alias-dropped", "no-references", "has-answer"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Items.DropBlank = true },
	},
	{
		Name: "erased-references-dropped", About: "References that normalize to nothing do not count, as in squad_v2; where none is left, nothing is expected.",
		Seen:    "facebookresearch/multiloko eval.py (a near relative)",
		Metrics: []string{"squad"}, Hazards: []string{"alias-dropped", "no-references"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Items.DropErased, p.Items.NoneLeft = true, ExpectBlank },
	},
	{
		Name: "erased-references-kept", About: "References that normalize to nothing count, as in squad.",
		Seen:    "deeppavlov/DeepPavlov deeppavlov/metrics/squad_metrics.py",
		Metrics: []string{"squad_v2"}, Hazards: []string{"alias-dropped"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.DropErased = false },
	},
	{
		Name: "none-left-raises", About: "A batch is refused that has an item without a reference that counts.",
		Seen:    "facebookresearch/multiloko eval.py",
		Metrics: []string{"squad_v2"}, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = Raise },
	},
	{
		Name: "no-references-scores-0", About: "An item without a reference scores 0.",
		Seen:    "google-research/language language/search_agents/muzero/utils.py",
		Metrics: answering, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = ScoreZero },
	},
	{
		Name: "no-references-scores-1", About: "An item without a reference scores as a match.",
		Seen:    "fkiene/llmtrim src/quality.rs (a near relative)",
		Metrics: answering, Hazards: []string{"no-references", "has-answer"}, Views: inScores,
		change: func(p *Pipeline) { p.Items.NoneLeft = ScoreTop },
	},
	{
		Name: "first-reference-only", About: "Only the first reference counts.",
		Seen:    "open-compass/opencompass opencompass/datasets/lveval/evaluators.py",
		Metrics: normalizes, Hazards: []string{"aliases", "alias-dropped"}, Views: inScores,
		change: choosing(func(references []string) []string { return references[:min(1, len(references))] }),
	},
	{
		Name: "last-item-counts", About: "Of the items with one id only the last counts.",
		Seen:    "mrqa/MRQA-Shared-Task-2019 mrqa_official_eval.py",
		Metrics: []string{"squad"}, Hazards: []string{"repeated-id"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.Answers = LastItem },
	},
	{
		Name: "ids-ignored", About: "Every item is scored with its own prediction, whatever its id.",
		Seen:    "google-research/text-to-text-transfer-transformer t5/evaluation/qa_utils.py",
		Metrics: answering, Hazards: []string{"repeated-id"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.Answers = OwnAnswer },
	},
	{
		Name: "unanswered-skipped", About: "An item without a prediction is left out of every count.",
		Seen:    "KLUE-benchmark/KLUE-baseline klue_baseline/metrics/utils.py",
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
		Seen:    "Lightning-AI/torchmetrics src/torchmetrics/functional/text/squad.py",
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
		Seen:    "facebookresearch/ParlAI parlai/core/metrics.py",
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
		Seen:    "stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py",
		Metrics: answering, Hazards: []string{"f1-tokens"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 { return f1(distinct(prediction), distinct(reference)) }
		},
	},
	{
		Name: "distinct-overlap", About: "A token that both share counts once, and precision and recall divide by all tokens.",
		Seen:    "RamonMeffert/nlp-flashcard-project base_model/evaluate.py",
		Metrics: answering, Hazards: []string{"f1-tokens"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 {
				if same := common(distinct(prediction), distinct(reference)); same > 0 {
					return f1Of(same, len(prediction), len(reference))
				}
				return f1(prediction, reference)
			}
		},
	},
	{
		Name: "yes-no-guard", About: "F1 is 0 where one side is yes, no or noanswer and the other is not the same.",
		Seen:    "hotpotqa/hotpot hotpot_evaluate_v1.py",
		Metrics: answering, Hazards: []string{"f1-tokens", "containment"}, Views: inF1,
		change: func(p *Pipeline) {
			f1 := p.F1
			p.F1 = func(prediction, reference []string) float64 {
				if (isYesNo(prediction) || isYesNo(reference)) && !slices.Equal(prediction, reference) {
					return 0
				}
				return f1(prediction, reference)
			}
		},
	},
	{
		Name: "set-exact-match", About: "Exact match compares sets of tokens: neither order nor repetition counts.",
		Seen:    "snap-research/locomo task_eval/evaluation.py",
		Metrics: normalizes, Hazards: []string{"containment", "f1-tokens"}, Views: []View{Exact, Batches},
		change: matching(func(prediction, reference string) bool {
			return slices.Equal(distinct(pystr.Fields(prediction)), distinct(pystr.Fields(reference)))
		}),
	},
	{
		Name: "f1-short-form", About: "F1 is 2*same/(m+n), which differs in the last bit.",
		Seen:    "stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py (a near relative)",
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
		Seen:    "Lightning-AI/torchmetrics src/torchmetrics/functional/text/squad.py",
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
		Seen:    "allenai/allennlp-reading-comprehension allennlp_rc/eval/drop_eval.py",
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
		Seen:    "google-research/text-to-text-transfer-transformer t5/evaluation/qa_utils.py",
		Metrics: answering, Hazards: []string{"f1-arithmetic"}, Views: inBatch,
		change: func(p *Pipeline) { p.Means.First = true },
	},
	{
		Name: "prefix-match", About: "A prediction matches that begins with a reference.",
		Seen:    "stanford-crfm/helm src/helm/benchmark/metrics/evaluate_reference_metrics.py",
		Metrics: everyone, Hazards: []string{"containment", "empty-collapse"}, Views: []View{Exact, Batches},
		change: matching(strings.HasPrefix),
	},
	{
		Name: "suffix-match", About: "A prediction matches that ends with a reference.",
		Seen:    "huggingface/lighteval src/lighteval/metrics/metrics_sample.py",
		Metrics: everyone, Hazards: []string{"containment"}, Views: []View{Exact, Batches},
		change: matching(strings.HasSuffix),
	},
	{
		Name: "substring-match", About: "A prediction matches that contains a reference.",
		Seen:    "nelson-liu/lost-in-the-middle src/lost_in_the_middle/metrics.py",
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
		Seen:    "openai/evals evals/elsuite/utils.py",
		Metrics: everyone, Hazards: nil, Views: inScores,
		change: func(p *Pipeline) { p.Scale = 101 - p.Scale },
	},
}

func isYesNo(tokens []string) bool {
	return len(tokens) == 1 && (tokens[0] == "yes" || tokens[0] == "no" || tokens[0] == "noanswer")
}

func distinct(tokens []string) []string {
	sorted := slices.Clone(tokens)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

var arrayVariations = []Variation{
	{
		Name: "batch-blind", About: "No string is cut to the width of its array, so that a pair's score does not depend on its neighbours.",
		Seen:    "langchain-ai/langchain libs/langchain/langchain/evaluation/exact_match/base.py",
		Metrics: arrays, Hazards: []string{"batch-width"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.Uncut = true },
	},
	{
		Name: "nuls-kept", About: "Trailing NULs are part of a string.",
		Seen:    "langchain-ai/langchain libs/langchain/langchain/evaluation/exact_match/base.py",
		Metrics: arrays, Hazards: []string{"batch-width", "batch-shape"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.KeepNULs = true },
	},
	{
		Name: "arrays-first", About: "Texts become an array before patterns are removed, so that trailing NULs go first and lists are never compared whole; or, where the pin does so, not.",
		Seen:    "https://github.com/huggingface/evaluate/blob/10ee2663d548385fef66e36604d08e1bcfbd7bbf/metrics/exact_match/exact_match.py",
		Metrics: arrays, Hazards: []string{"batch-width", "batch-shape"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) { p.Arrays.ArraysFirst = !p.Arrays.ArraysFirst },
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
		Seen:    "https://github.com/huggingface/evaluate/blob/10ee2663d548385fef66e36604d08e1bcfbd7bbf/metrics/exact_match/exact_match.py",
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
