package cases

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/normcert/normcert/metric"
)

// schemaCommand writes the schema; it stands in the schema itself.
const schemaCommand = "go run ./cmd/normcert case schema > cases/schema.json"

// object is a JSON Schema or a part of one.
type object = map[string]any

// Schema returns the JSON Schema (2020-12) of a case file, for editors that
// complete and check TOML by one: cases/schema.json. What a file holds beyond
// its shape, such as an id that is used twice, is checked by Parse alone.
func Schema() []byte {
	schema := object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$comment":    "Generated from the Go types by: " + schemaCommand,
		"title":       "A case file of normcert",
		"description": "The cases of one hazard; the file is named after it.",
		"type":        "object",
		"properties": object{
			"about":  sentence("What the trap is, in a sentence."),
			"setups": described(reference("setups"), "For every case that names none."),
			"case":   object{"type": "array", "minItems": 1, "items": reference("case")},
		},
		"required":             []string{"about", "case"},
		"additionalProperties": false,
		"$defs": object{
			"case":   caseSchema(),
			"item":   itemSchema(),
			"setups": setupsSchema(),
		},
	}
	encoded, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("encoding the schema of case files: %v", err))
	}
	return append(encoded, '\n')
}

func reference(name string) object { return object{"$ref": "#/$defs/" + name} }

func described(o object, text string) object {
	o["description"] = text
	return o
}

func sentence(text string) object {
	return object{"type": "string", "pattern": `\S`, "description": text}
}

// itemFields are the fields of an item, but for its id.
func itemFields() object {
	return object{
		"prediction":            object{"type": "string", "description": "What was answered. squad and squad_v2 may leave it out."},
		"references":            object{"type": "array", "items": object{"type": "string"}, "description": "The right answers; exact_match takes exactly one."},
		"intent":                object{"enum": Intents(), "description": "What a person would say who sees only the strings; ambiguous where two honest readings exist."},
		"no_answer_probability": object{"type": "number", "description": "squad_v2's, 0.0 if left out."},
	}
}

func itemSchema() object {
	fields := itemFields()
	fields["id"] = object{"type": "string", "description": "Its index if left out; repeats are allowed."}
	return object{"type": "object", "properties": fields, "required": []string{"references", "intent"}, "additionalProperties": false}
}

func caseSchema() object {
	fields := itemFields()
	fields["id"] = object{"type": "string", "pattern": kebab.String(), "description": "Unique in the file. It never changes and is never used again."}
	fields["setups"] = described(reference("setups"), "In place of the file's.")
	fields["why"] = sentence("Why a person judges so, and what happens: one or two plain sentences.")
	fields["purpose"] = sentence("What the case is for, where it catches no variation of the reference.")
	fields["source"] = object{"type": "string", "pattern": "^https?://", "description": "Where it was seen; left out when written for this corpus."}
	fields["items"] = object{"type": "array", "items": reference("item"), "description": "Several items, scored as one batch, in place of prediction, references and intent."}
	var single []object
	for _, key := range itemKeys {
		single = append(single, object{"required": []string{key}})
	}
	return object{
		"type": "object", "properties": fields, "required": []string{"id", "why"}, "additionalProperties": false,
		"if":   object{"required": []string{"items"}},
		"then": object{"not": object{"anyOf": single}},
		"else": object{"required": []string{"references", "intent"}},
	}
}

// setupsSchema has a choice for each metric, so that only its own options are
// completed.
func setupsSchema() object {
	var choices []object
	for _, m := range metric.All() {
		fields := object{"metric": object{"const": m.Name}}
		if len(m.Options) > 0 {
			options := object{}
			for _, option := range m.Options {
				options[option.Name] = optionSchema(option)
			}
			fields["options"] = object{"type": "object", "properties": options, "additionalProperties": false}
		} else {
			fields["options"] = object{"type": "object", "maxProperties": 0}
		}
		choices = append(choices, object{"type": "object", "properties": fields, "required": []string{"metric"}, "additionalProperties": false})
	}
	return object{"type": "array", "minItems": 1, "uniqueItems": true, "items": object{"oneOf": choices}}
}

func optionSchema(option metric.Option) object {
	var schema object
	switch option.Kind {
	case metric.Bool:
		schema = object{"type": "boolean"}
	case metric.Number:
		schema = object{"type": "number"}
	default:
		return object{
			"description": "Regular expressions; a string is taken character by character. [] is not the same as leaving it out.",
			"type":        []string{"array", "string"}, "items": object{"type": "string"},
		}
	}
	if option.Default != nil {
		schema["default"] = option.Default
	}
	return schema
}

// Intents are the intents in the order in which they are listed.
func Intents() []Intent { return slices.Clone([]Intent{Match, NoMatch, Ambiguous}) }
