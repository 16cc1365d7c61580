package cases

import (
	"maps"
	"slices"
	"unicode"
)

// Scripts are the writing systems that the strings of a case are in, sorted, by
// the names that Unicode has for them. Digits, signs, spaces and marks that
// belong to all scripts count for none.
func (c Case) Scripts() []string {
	found := map[string]bool{}
	for _, item := range c.Items {
		texts := item.References
		if item.Prediction != nil {
			texts = append([]string{*item.Prediction}, texts...)
		}
		for _, text := range texts {
			for _, r := range text {
				if name := scriptOf(r); name != "" {
					found[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func scriptOf(r rune) string {
	if r < 0x80 {
		if unicode.IsLetter(r) {
			return "Latin"
		}
		return ""
	}
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return name
		}
	}
	return ""
}
