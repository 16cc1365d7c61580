package reference

// tokenF1 is the F1 of two bags of tokens, 0 to 1, by upstream's order of
// operations (f1_score in metrics/squad/compute_score.py, compute_f1 in
// metrics/squad_v2/compute_score.py): precision and recall first. The shorter
// 2*same/(m+n) differs in the last bit on about a third of all token counts.
func tokenF1(prediction, reference []string) float64 {
	return f1Of(common(prediction, reference), len(prediction), len(reference))
}

// f1Of is the F1 of so many common tokens of so many predicted and so many expected.
func f1Of(same, predicted, expected int) float64 {
	if same == 0 {
		return 0
	}
	precision := float64(same) / float64(predicted)
	recall := float64(same) / float64(expected)
	// The conversions keep a compiler from fusing the operations, which would round once less.
	return float64(float64(2*precision)*recall) / float64(precision+recall)
}

// tokenF1EmptyAgrees is squad_v2's: where either bag is empty, the F1 is 1 if
// both are and else 0. squad's own gives 0 for both.
func tokenF1EmptyAgrees(prediction, reference []string) float64 {
	if len(prediction) == 0 && len(reference) == 0 {
		return 1
	}
	return tokenF1(prediction, reference)
}

// common is the size of the multiset intersection.
func common(a, b []string) int {
	left := make(map[string]int, len(a))
	for _, token := range a {
		left[token]++
	}
	same := 0
	for _, token := range b {
		if left[token] > 0 {
			left[token]--
			same++
		}
	}
	return same
}
