package pyre

// joined makes one sequence of alternatives: what all of them begin with goes
// in front, and what is left is a character set where each is one character. Both
// are as Python does it; they show in which repeats are simple ones.
func joined(alternatives []*sequence) *sequence {
	result := &sequence{}
	for {
		first, ok := sharedFirst(alternatives)
		if !ok {
			break
		}
		for _, alternative := range alternatives {
			alternative.items = alternative.items[1:]
		}
		result.add(first)
	}
	if members, ok := asMembers(alternatives); ok {
		result.add(item{kind: set, members: members})
		return result
	}
	result.add(item{kind: branch, subs: alternatives})
	return result
}

func sharedFirst(alternatives []*sequence) (item, bool) {
	for _, alternative := range alternatives {
		if len(alternative.items) == 0 || !sameLeaf(&alternative.items[0], &alternatives[0].items[0]) {
			return item{}, false
		}
	}
	return alternatives[0].items[0], true
}

func asMembers(alternatives []*sequence) ([]member, bool) {
	var members []member
	for _, alternative := range alternatives {
		if len(alternative.items) != 1 {
			return nil, false
		}
		switch it := &alternative.items[0]; {
		case it.kind == literal:
			members = append(members, member{lo: it.char, hi: it.char})
		case it.kind == set && !it.negated:
			members = append(members, it.members...)
		default:
			return nil, false
		}
	}
	return distinct(members), true
}

func distinct(members []member) []member {
	seen := make(map[member]bool, len(members))
	kept := members[:0:0]
	for _, m := range members {
		if !seen[m] {
			seen[m] = true
			kept = append(kept, m)
		}
	}
	return kept
}
