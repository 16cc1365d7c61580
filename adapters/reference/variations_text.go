package reference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

// inText is where a change of the normalizer shows.
var inText = []View{Normalized, Exact, TokenF1, Batches}

// toLower replaces whichever step takes case away.
func toLower(change func(string) string) func(p *Pipeline) {
	return func(p *Pipeline) {
		p.replace("lower", change)
		p.replace("casefold", change)
	}
}

func asciiLower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

var caseVariations = []Variation{
	{
		Name: "ascii-lower", About: "Only the letters A to Z are lowered.",
		Metrics: everyone, Hazards: []string{"case", "batch-width"}, Views: inText,
		change: toLower(asciiLower),
	},
	{
		Name: "no-lower", About: "Case is not taken away.",
		Seen:    "open-compass/opencompass opencompass/utils/text_postprocessors.py (a near relative)",
		Metrics: everyone, Hazards: []string{"case"}, Views: inText,
		change: func(p *Pipeline) { p.remove("lower"); p.remove("casefold") },
	},
	{
		Name: "casefold", About: "Case is folded instead of lowered, so that ß becomes ss and a final sigma a common one.",
		Seen:    "UKGovernmentBEIS/inspect_ai src/inspect_ai/scorer/_classification.py",
		Metrics: []string{"squad", "squad_v2", "exact_match"}, Hazards: []string{"case"}, Views: inText,
		change: toLower(pystr.Casefold),
	},
	{
		Name: "lower-for-casefold", About: "Case is lowered instead of folded.",
		Metrics: []string{"nfd_exact_match"}, Hazards: []string{"case", "accents"}, Views: inText,
		change: toLower(pystr.Lower),
	},
	{
		Name: "simple-lower", About: "Characters are lowered one by one: no final sigma, and İ becomes a plain i.",
		Metrics: []string{"squad", "squad_v2", "exact_match"}, Hazards: []string{"case", "batch-width"}, Views: inText,
		change: toLower(func(text string) string { return strings.Map(pystr.SimpleLower, text) }),
	},
}

// wordsTo replaces the words that are articles; word says what a word is made of.
func wordsTo(list []string, with string, word func(rune) bool) func(text string) string {
	return func(text string) string {
		var out strings.Builder
		for text != "" {
			run := prefix(text, word)
			if slices.Contains(list, text[:run]) {
				out.WriteString(with)
			} else {
				out.WriteString(text[:run])
			}
			text = text[run:]
			gap := prefix(text, func(r rune) bool { return !word(r) })
			out.WriteString(text[:gap])
			text = text[gap:]
		}
		return out.String()
	}
}

// prefix is the length of the longest prefix of characters of a class.
func prefix(text string, class func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); end >= 0 {
		return end
	}
	return len(text)
}

func isASCIIWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func isMark(r rune) bool { return strings.HasPrefix(pystr.Category(r), "M") }

// otherArticles are those of German, French, Spanish and Italian.
var otherArticles = strings.Fields("der die das den dem des ein eine einen einem einer eines le la les un une du el los las una unos unas il lo gli uno")

var articleVariations = []Variation{
	{
		Name: "articles-first", About: "Articles are removed before punctuation, so that one hidden behind a sign stays.",
		Seen:    "EleutherAI/lm-evaluation-harness lm_eval/tasks/infinitebench/utils.py",
		Metrics: normalizes, Hazards: []string{"article-glue"}, Views: inText,
		change: func(p *Pipeline) { p.moveBefore("remove-articles", "remove-punctuation") },
	},
	{
		Name: "articles-as-substrings", About: "Articles are removed inside words too.",
		Seen:    "ZACZ1NH0/hrm_1 train.py",
		Metrics: normalizes, Hazards: []string{"article-boundary"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-articles", strings.NewReplacer("a", " ", "the", " ").Replace) },
	},
	{
		Name: "articles-case-sensitive", About: "Articles are removed before case is taken away, so that The stays.",
		Seen:    "huggingface/lighteval src/lighteval/metrics/normalizations.py (a near relative)",
		Metrics: normalizes, Hazards: []string{"article-boundary", "article-as-content", "case"}, Views: inText,
		change: func(p *Pipeline) {
			// After punctuation, as in the pipeline; only case comes later.
			for _, name := range []string{"lower", "casefold"} {
				if at := p.step(name); at >= 0 {
					moved := p.Steps[at]
					p.Steps = slices.Delete(slices.Clone(p.Steps), at, at+1)
					p.Steps = slices.Insert(p.Steps, p.step("remove-articles")+1, moved)
				}
			}
		},
	},
	{
		Name: "no-articles", About: "Articles are kept.",
		Seen:    "huyenxam/QA-XLM metrics/normalize_answer.py",
		Metrics: normalizes, Hazards: []string{"article-as-content", "empty-collapse"}, Views: inText,
		change: func(p *Pipeline) { p.remove("remove-articles") },
	},
	{
		Name: "articles-of-other-languages", About: "The articles of German, French, Spanish and Italian go too.",
		Seen:    "facebookresearch/MLQA mlqa_evaluation_v1.py",
		Metrics: normalizes, Hazards: []string{"article-boundary", "article-as-content"}, Views: inText,
		change: func(p *Pipeline) { p.extend("remove-articles", wordsTo(otherArticles, " ", pystr.IsWord)) },
	},
	{
		Name: "articles-and", About: "The word and is removed as an article is.",
		Seen:    "snap-research/locomo task_eval/evaluation.py",
		Metrics: normalizes, Hazards: []string{"article-boundary", "article-as-content"}, Views: inText,
		change: func(p *Pipeline) { p.extend("remove-articles", wordsTo([]string{"and"}, " ", pystr.IsWord)) },
	},
	{
		Name: "ascii-word-boundary", About: "An article ends at any character outside ASCII, as where \\b knows only ASCII.",
		Seen:    "agentclash/agentclash runtime/scoring/string_validators.go",
		Metrics: answering, Hazards: []string{"article-boundary"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-articles", wordsTo(articles, " ", isASCIIWord)) },
	},
	{
		Name: "marks-as-word-characters", About: "A combining mark is part of the word, so that an article with an accent is none.",
		Seen:    "facebookresearch/atlas src/evaluation.py",
		Metrics: answering, Hazards: []string{"article-boundary", "composition"}, Views: inText,
		change: func(p *Pipeline) {
			p.replace("remove-articles", wordsTo(articles, " ", func(r rune) bool { return pystr.IsWord(r) || isMark(r) }))
		},
	},
	{
		Name: "articles-to-nothing", About: "An article leaves nothing behind instead of a space.",
		Seen:    "open-compass/opencompass opencompass/utils/text_postprocessors.py",
		Metrics: answering, Hazards: []string{"article-glue", "article-boundary"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-articles", wordsTo(articles, "", pystr.IsWord)) },
	},
	{
		Name: "articles-at-boundaries", About: "Articles are found by word boundaries instead of as whole tokens.",
		Metrics: []string{"nfd_exact_match"}, Hazards: []string{"article-boundary", "article-glue", "ascii-only-stripping"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-articles", articlesToSpaceIn) },
	},
	{
		Name: "first-article-only", About: "Only the first article of a text is removed.",
		Metrics: normalizes, Hazards: []string{"article-as-content", "article-boundary", "empty-collapse"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-articles", firstArticle) },
	},
}

func firstArticle(text string) string {
	done := false
	for start := 0; start < len(text); {
		run := prefix(text[start:], pystr.IsWord)
		if slices.Contains(articles, text[start:start+run]) && !done {
			return text[:start] + " " + text[start+run:]
		}
		start += run
		start += prefix(text[start:], func(r rune) bool { return !pystr.IsWord(r) })
	}
	return text
}

// dropping is a step that drops the characters of a class.
func dropping(class func(rune) bool) func(p *Pipeline) {
	return func(p *Pipeline) {
		p.replace("remove-punctuation", func(text string) string { return drop(text, class) })
	}
}

func category(r rune, letters string) bool {
	return strings.ContainsRune(letters, rune(pystr.Category(r)[0]))
}

var punctuationVariations = []Variation{
	{
		Name: "punctuation-to-space", About: "A sign becomes a space instead of nothing.",
		Seen:    "facebookresearch/ParlAI parlai/core/metrics.py",
		Metrics: everyone, Hazards: []string{"punctuation", "article-glue"}, Views: inText,
		change: func(p *Pipeline) {
			p.replace("remove-punctuation", func(text string) string {
				return strings.Map(func(r rune) rune {
					if isPunctuation(r) {
						return ' '
					}
					return r
				}, text)
			})
		},
	},
	{
		Name: "unicode-punctuation", About: "Unicode's category P goes in place of string.punctuation: ’ and – go, $ and + stay.",
		Seen:    "EleutherAI/lm-evaluation-harness lm_eval/tasks/bbh/zeroshot/utils.py",
		Metrics: everyone, Hazards: []string{"ascii-only-stripping", "punctuation"}, Views: inText,
		change: dropping(func(r rune) bool { return category(r, "P") }),
	},
	{
		Name: "punctuation-and-symbols", About: "Unicode's categories P and S go.",
		Seen:    "agentclash/agentclash runtime/scoring/string_validators.go",
		Metrics: everyone, Hazards: []string{"ascii-only-stripping", "punctuation", "look-alikes"}, Views: inText,
		change: dropping(func(r rune) bool { return category(r, "PS") }),
	},
	{
		Name: "non-word-removed", About: "All that is neither a word character nor white space goes, [^\\w\\s]: marks too, but not the underscore.",
		Metrics: everyone, Hazards: []string{"ascii-only-stripping", "punctuation"}, Views: inText,
		change: dropping(func(r rune) bool { return !pystr.IsWord(r) && !pystr.IsSpace(r) }),
	},
	{
		Name: "some-punctuation", About: "Only . , ! ? ; : quotes and brackets go, and hyphens, slashes and other signs stay.",
		Seen:    "baidu/DuReader DuReader-Robust/evaluate.py (a near relative)",
		Metrics: everyone, Hazards: []string{"punctuation"}, Views: inText,
		change: dropping(func(r rune) bool { return strings.ContainsRune(".,!?;:'\"()[]{}", r) }),
	},
	{
		Name: "underscore-kept", About: "The underscore stays.",
		Seen:    "DHEEPAK29/Agentic-AI-Experiments NatQns-Eval.py",
		Metrics: everyone, Hazards: []string{"punctuation"}, Views: inText,
		change: dropping(func(r rune) bool { return isPunctuation(r) && r != '_' }),
	},
	{
		Name: "symbols-kept", About: "The signs $ + < = > ^ ` | ~ stay, which Unicode counts as symbols.",
		Metrics: everyone, Hazards: []string{"punctuation", "punctuation-erased"}, Views: inText,
		change: dropping(func(r rune) bool { return isPunctuation(r) && !category(r, "S") }),
	},
	{
		Name: "apostrophe-kept", About: "The apostrophe stays.",
		Seen:    "GT-Vision-Lab/VQA PythonEvaluationTools/vqaEvaluation/vqaEval.py (a near relative)",
		Metrics: everyone, Hazards: []string{"punctuation", "ascii-only-stripping"}, Views: inText,
		change: dropping(func(r rune) bool { return isPunctuation(r) && r != '\'' }),
	},
	{
		Name: "extra-quotes", About: "Typographic quotes and the acute accent go as well.",
		Seen:    "mandarjoshi90/triviaqa evaluation/triviaqa_evaluation.py (a near relative)",
		Metrics: everyone, Hazards: []string{"ascii-only-stripping"}, Views: inText,
		change: dropping(func(r rune) bool { return isPunctuation(r) || strings.ContainsRune("‘’“”´", r) }),
	},
	{
		Name: "hyphen-split", About: "A hyphen becomes a space; the other signs go.",
		Seen:    "allenai/allennlp-reading-comprehension allennlp_rc/eval/drop_eval.py",
		Metrics: everyone, Hazards: []string{"punctuation", "article-glue"}, Views: inText,
		change: func(p *Pipeline) {
			p.replace("remove-punctuation", func(text string) string { return drop(strings.ReplaceAll(text, "-", " "), isPunctuation) })
		},
	},
	{
		Name: "no-punctuation", About: "Punctuation is kept.",
		Metrics: everyone, Hazards: []string{"punctuation"}, Views: inText,
		change: func(p *Pipeline) { p.remove("remove-punctuation") },
	},
	{
		Name: "numbers-parsed", About: "A token that is a number is compared by its value: 1,500.0 becomes 1500 and .5 becomes 0.5.",
		Seen:    "allenai/allennlp-reading-comprehension allennlp_rc/eval/drop_eval.py",
		Metrics: normalizes, Hazards: []string{"number-formats"}, Views: inText,
		change: func(p *Pipeline) { p.replace("remove-punctuation", numbersParsed) },
	},
}

// numbersParsed removes punctuation from the tokens that are no numbers, and
// writes those that are in the shortest form.
func numbersParsed(text string) string {
	tokens := pystr.Fields(text)
	for i, token := range tokens {
		plain := strings.ReplaceAll(token, ",", "")
		if value, err := strconv.ParseFloat(plain, 64); err == nil && prefix(plain, func(r rune) bool { return strings.ContainsRune("+-.0123456789eE", r) }) == len(plain) {
			tokens[i] = strconv.FormatFloat(value, 'f', -1, 64)
			continue
		}
		tokens[i] = drop(token, isPunctuation)
	}
	return strings.Join(tokens, " ")
}

var formVariations = []Variation{
	{
		Name: "nfc-first", About: "Texts are composed (NFC) first.",
		Metrics: answering, Hazards: []string{"composition"}, Views: inText,
		change: func(p *Pipeline) { p.insert("nfc", pystr.NFC) },
	},
	{
		Name: "nfd-first", About: "Texts are decomposed (NFD) first.",
		Seen:    "google-research/language language/orqa/utils/eval_utils.py",
		Metrics: answering, Hazards: []string{"composition"}, Views: inText,
		change: func(p *Pipeline) { p.insert("nfd", pystr.NFD) },
	},
	{
		Name: "nfkc-first", About: "Compatibility characters are replaced (NFKC) first: ２ becomes 2, ﬁ becomes fi.",
		Seen:    "sbintuitions/flexeval flexeval/core/string_processor/nfkc.py (a near relative)",
		Metrics: normalizes, Hazards: []string{"composition", "look-alikes", "ascii-only-stripping"}, Views: inText,
		change: func(p *Pipeline) { p.insert("nfkc", pystr.NFKC) },
	},
	{
		Name: "accents-dropped", About: "Texts are decomposed and lose their combining marks first.",
		Seen:    "jpablo/dspy4s modules/evaluate/src/main/scala/dspy4s/evaluate/metrics/NormalizeText.scala",
		Metrics: answering, Hazards: []string{"accents"}, Views: inText,
		change: func(p *Pipeline) {
			p.insert("drop-accents", func(text string) string { return dropMarks.Apply(pystr.NFD(text)) })
		},
	},
	{
		Name: "accents-kept", About: "Combining marks are kept.",
		Metrics: []string{"nfd_exact_match"}, Hazards: []string{"accents"}, Views: inText,
		change: func(p *Pipeline) { p.remove("drop-marks") },
	},
	{
		Name: "not-decomposed", About: "Texts are not decomposed before marks go, so that only accents written apart do.",
		Metrics: []string{"nfd_exact_match"}, Hazards: []string{"accents", "composition"}, Views: inText,
		change: func(p *Pipeline) { p.remove("nfd") },
	},
	{
		Name: "marks-by-category", About: "The characters of category Mn go, instead of those of a combining class.",
		Metrics: []string{"nfd_exact_match"}, Hazards: []string{"accents"}, Views: inText,
		change: func(p *Pipeline) {
			p.replace("drop-marks", func(text string) string { return drop(text, func(r rune) bool { return pystr.Category(r) == "Mn" }) })
		},
	},
	{
		Name: "no-collapse", About: "White space inside stays as it is; only the ends are trimmed.",
		Seen:    "huggingface/lighteval src/lighteval/metrics/normalizations.py (a near relative)",
		Metrics: answering, Hazards: []string{"whitespace", "article-as-content"}, Views: []View{Normalized, Exact, Batches},
		change: func(p *Pipeline) {
			p.replace("collapse-whitespace", func(text string) string { return strings.TrimFunc(text, pystr.IsSpace) })
		},
	},
	{
		Name: "no-trim", About: "White space collapses to one space, and the ends are not trimmed.",
		Seen:    "EvolvingLMMs-Lab/lmms-eval lmms_eval/tasks/videomme/revert_oe_mcq/utils.py (a near relative)",
		Metrics: answering, Hazards: []string{"whitespace", "article-as-content"}, Views: []View{Normalized, Exact, Batches},
		change: func(p *Pipeline) { p.replace("collapse-whitespace", collapsedUntrimmed) },
	},
	{
		Name: "white-space-deleted", About: "All white space goes.",
		Seen:    "modelscope/evalscope evalscope/benchmarks/gaia/scorer.py",
		Metrics: normalizes, Hazards: []string{"whitespace"}, Views: inText,
		change: func(p *Pipeline) {
			p.replace("collapse-whitespace", func(text string) string { return drop(text, pystr.IsSpace) })
		},
	},
	{
		Name: "ascii-spaces", About: "Texts are split at ASCII's space, tab and line ends only.",
		Seen:    "agentclash/agentclash runtime/scoring/string_validators.go",
		Metrics: normalizes, Hazards: []string{"whitespace"}, Views: inText,
		change: func(p *Pipeline) {
			join := func(text string) string { return strings.Join(asciiFields(text), " ") }
			p.replace("collapse-whitespace", join)
			p.Tokens = asciiFields
			if p.F1 == nil {
				p.replace("remove-articles", func(text string) string {
					tokens := slices.DeleteFunc(asciiFields(text), func(token string) bool { return slices.Contains(articles, token) })
					return strings.Join(tokens, " ")
				})
			}
		},
	},
}

func asciiFields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' })
}

func collapsedUntrimmed(text string) string {
	var out strings.Builder
	space := false
	for _, r := range text {
		if pystr.IsSpace(r) {
			if !space {
				out.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		out.WriteRune(r)
	}
	return out.String()
}
