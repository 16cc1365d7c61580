package reference

import "github.com/normcert/normcert/metric"

// nfdExactMatch is the pipeline that the answer normalization article
// describes: NFD, marks dropped, casefold, ASCII punctuation dropped, split on
// white space, a, an and the dropped, joined with a space.
func nfdExactMatch() *Pipeline {
	return &Pipeline{
		Scale: 1,
		Steps: []Step{decompose, dropMarks, casefold, removePunctuation, dropArticleTokens, collapseSpace},
		Match: equal,
		score: scoreNFD,
	}
}

// scoreNFD is the mean over the items of the best match over the references.
// The article says nothing of an empty batch; that the mean of nothing is
// refused is this project's reading.
func scoreNFD(p *Pipeline, _ metric.Options, items []metric.Item) (metric.Scores, error) {
	if len(items) == 0 {
		return nil, &metric.Refusal{Kind: metric.EmptyInput, Message: "the mean of no items"}
	}
	count := 0.0
	for _, item := range items {
		prediction, err := p.Normalize(*item.Prediction)
		if err != nil {
			return nil, err
		}
		matched := false
		for _, text := range item.References {
			reference, err := p.Normalize(text)
			if err != nil {
				return nil, err
			}
			matched = matched || p.Match(prediction, reference)
		}
		if matched {
			count++
		}
	}
	return metric.Scores{"exact_match": p.Scale * (count / float64(len(items)))}, nil
}
