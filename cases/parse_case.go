package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/normcert/normcert/metric"
)

// itemKeys are the keys of an item; in a case with a single item they stand in
// the case itself, where id is the case's own.
var itemKeys = []string{"prediction", "references", "intent", "no_answer_probability"}

// one reads one [[case]]. defaulted says that the head of the file names
// setups, which defaults lacks where they are wrong.
func (p *parser) one(c chunk, table map[string]any, hazard string, defaults []metric.Setup, defaulted bool) Case {
	name, _ := table["id"].(string)
	id := ""
	switch {
	case name == "":
		p.problem(c.line, "", "id is missing or not a string; it is lower case with hyphens and says what the case shows")
	case !kebab.MatchString(name):
		p.problem(c.at("id"), "", "id %s is not lower case with hyphens", quote(name))
	default:
		id = hazard + "/" + name
	}
	one := Case{ID: id, Place: Place{p.file, c.line}, Setups: p.setups(c, table, id)}
	_, own := table["setups"]
	if !own {
		one.Setups = defaults
	}
	if !own && !defaulted {
		p.problem(c.line, id, "no setups: name them in the case or at the head of the file")
	}
	one.Why = p.text(c, id, table, "why")
	if _, there := table["purpose"]; there {
		one.Purpose = p.text(c, id, table, "purpose")
	}
	one.Source = p.source(c, id, table)
	p.items(c, id, table, &one)
	for _, setup := range one.Setups {
		p.takes(c, id, setup, one.Items)
	}
	return one
}

func (p *parser) source(c chunk, id string, table map[string]any) string {
	value, there := table["source"]
	if !there {
		return ""
	}
	source := p.text(c, id, table, "source")
	if text, ok := value.(string); ok && !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		p.problem(c.at("source"), id, "source %s is not a URL; leave it out for a case written for this corpus", quote(text))
	}
	return source
}

// items reads either the one item that stands in the case itself, or items.
func (p *parser) items(c chunk, id string, table map[string]any, one *Case) {
	common := []string{"id", "setups", "why", "purpose", "source"}
	value, several := table["items"]
	if !several {
		one.Single = true
		p.known(c, id, table, append(slices.Clone(common), append([]string{"items"}, itemKeys...)...)...)
		one.Items = []Item{p.item(c, c.at("references"), id, table, "", 0)}
		return
	}
	p.known(c, id, table, append(slices.Clone(common), "items")...)
	list, ok := tables(value)
	if empty, isList := value.([]any); isList && len(empty) == 0 {
		ok = true
	}
	if !ok {
		p.problem(c.at("items"), id, "items is a list of tables; [] is the empty batch")
		return
	}
	for i, entry := range list {
		where := "item " + strconv.Itoa(i) + ": "
		for _, key := range slices.Sorted(maps.Keys(entry)) {
			if key != "id" && !slices.Contains(itemKeys, key) {
				p.problem(c.at("items"), id, "%sunknown key %s%s", where, quote(key), closest(key, append([]string{"id"}, itemKeys...)))
			}
		}
		item := p.item(c, c.at("items"), id, entry, where, i)
		if value, there := entry["id"]; there {
			name, ok := value.(string)
			if !ok {
				p.problem(c.at("items"), id, "%sid is %s, not a string", where, kindOf(value))
			}
			item.ID = name
		}
		one.Items = append(one.Items, item)
	}
}

// item reads the fields of an item; where names it in problems.
func (p *parser) item(c chunk, line int, id string, table map[string]any, where string, index int) Item {
	item := Item{Item: metric.Item{ID: metric.DefaultID(index)}}
	if value, there := table["prediction"]; there {
		prediction, ok := value.(string)
		if !ok {
			p.problem(line, id, "%sprediction is %s, not a string", where, kindOf(value))
		}
		item.Prediction = &prediction
	}
	item.References = p.references(line, id, table, where)
	if value, there := table["no_answer_probability"]; there {
		switch value := value.(type) {
		case float64:
			item.NoAnswerProbability = value
		case int64:
			item.NoAnswerProbability = float64(value)
		default:
			p.problem(line, id, "%sno_answer_probability is %s, not a number", where, kindOf(value))
		}
	}
	intents := []string{string(Match), string(NoMatch), string(Ambiguous)}
	value, there := table["intent"]
	intent, isText := value.(string)
	switch {
	case !there:
		p.problem(line, id, "%sintent is missing: what would a person say? %s", where, strings.Join(intents, ", "))
	case !isText || !slices.Contains(intents, intent):
		p.problem(line, id, "%sintent is %v; it is one of %s", where, value, strings.Join(intents, ", "))
	}
	item.Intent = Intent(intent)
	return item
}

func (p *parser) references(line int, id string, table map[string]any, where string) []string {
	value, there := table["references"]
	if !there {
		p.problem(line, id, "%sreferences is missing; [] is an item without one", where)
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		p.problem(line, id, "%sreferences is %s, not a list of strings", where, kindOf(value))
	}
	references := make([]string, 0, len(list))
	for i, element := range list {
		text, ok := element.(string)
		if !ok {
			p.problem(line, id, "%sreference %d is %s, not a string", where, i, kindOf(element))
		}
		references = append(references, text)
	}
	return references
}

// takes reports the items that a setup's metric has no shape for.
func (p *parser) takes(c chunk, id string, setup metric.Setup, items []Item) {
	m, err := metric.Lookup(setup.Metric)
	if err != nil {
		p.problem(c.line, id, "%w", err)
		return
	}
	for i, item := range items {
		if err := item.Validate(m); err != nil {
			p.problem(c.line, id, "item %d: %w", i, err)
		}
	}
}
