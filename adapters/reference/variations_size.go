package reference

import (
	"slices"
	"strings"

	"github.com/normcert/normcert/metric"
)

// choosing lets only some of an item's references count.
func choosing(choose func(references []string) []string) func(p *Pipeline) {
	return func(p *Pipeline) { p.Items.Choose = choose }
}

// sizeVariations reckon with less than may come. Where they stop is far enough
// out that small inputs never show it.
var sizeVariations = []Variation{
	{
		Name: "four-references-only", About: "Only the first four references count.",
		Metrics: normalizes, Hazards: []string{"size"}, Views: inScores,
		change: choosing(func(references []string) []string { return references[:min(4, len(references))] }),
	},
	{
		Name: "last-four-references-only", About: "Only the last four references count.",
		Metrics: normalizes, Hazards: []string{"size"}, Views: inScores,
		change: choosing(func(references []string) []string { return references[max(0, len(references)-4):] }),
	},
	{
		Name: "text-cut", About: "Only the first 1,000 characters of a text count.",
		Metrics: everyone, Hazards: []string{"size"}, Views: inText,
		change: func(p *Pipeline) {
			first := func(text string) string { return cut(text, 1000) }
			p.insert("cut", first)
			p.insertArrays("cut", first)
		},
	},
	{
		Name: "batch-cut", About: "Only the first 100 items of a batch count.",
		Metrics: everyone, Hazards: []string{"size"}, Views: inBatch,
		change: func(p *Pipeline) { p.Items.MostItems = 100 },
	},
	{
		Name: "three-patterns-only", About: "Only the first three patterns are removed.",
		Metrics: arrays, Hazards: []string{"size"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			p.Arrays.Steps = slices.Clone(p.Arrays.Steps)
			for i, step := range p.Arrays.Steps {
				if step.Name != ignoreRegexes.Name {
					continue
				}
				all := step.Operations
				p.Arrays.Steps[i].Operations = func(options metric.Options) []operation {
					operations := all(options)
					return operations[:min(3, len(operations))]
				}
			}
		},
	},
	{
		Name: "line-ends-changed", About: "A carriage return before a line feed is dropped.",
		Metrics: arrays, Hazards: []string{"whitespace"}, Views: []View{Exact, Batches},
		change: func(p *Pipeline) {
			p.insertArrays("line-ends", func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") })
		},
	},
}

// insertArrays puts a step before all others of exact_match, which changes the
// texts that the arrays are made of.
func (p *Pipeline) insertArrays(name string, change func(text string) string) {
	step := ArrayStep{Name: name, Operations: func(metric.Options) []operation {
		return []operation{{name: name, change: func(text string) (string, error) { return change(text), nil }, fresh: true}}
	}}
	p.Arrays.Steps = slices.Insert(slices.Clone(p.Arrays.Steps), 0, step)
}
