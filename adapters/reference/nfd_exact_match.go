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
		Means: Means{First: true},
		score: scoreNFD,
	}
}

// scoreNFD is the mean over the items of the best match over the references.
// The article says nothing of an empty batch; that the mean of nothing is
// refused is this project's reading.
func scoreNFD(p *Pipeline, _ metric.Options, batch Batch, each func(Row)) (metric.Scores, error) {
	var count, n float64
	for item, err := range batch {
		if err != nil {
			return nil, err
		}
		exact, _, err := p.item(nil, *item.Prediction, item.References)
		if err != nil {
			return nil, err
		}
		if each != nil {
			each(Row{Index: int(n), ID: item.ID, Exact: p.Scale * exact})
		}
		count += exact
		n++
	}
	if n == 0 {
		return p.noItems("the mean of no items")
	}
	return metric.Scores{"exact_match": p.share(count, n)}, nil
}
