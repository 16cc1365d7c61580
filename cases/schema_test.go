package cases_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/pytest"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(cases.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON is what an editor that checks TOML by a JSON Schema looks at.
func asJSON(t *testing.T, content string) any {
	t.Helper()
	var whole map[string]any
	if _, err := toml.Decode(content, &whole); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestSchemaIsTheGoTypes(t *testing.T) {
	lies, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(lies, cases.Schema()) {
		t.Error("cases/schema.json is not what the Go types give; go run ./cmd/normcert case schema > cases/schema.json")
	}
}

func caseFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.toml")
	if err != nil || len(names) == 0 {
		t.Fatalf("case files: %v %v", names, err)
	}
	return names
}

func TestEveryFileIsOfTheSchema(t *testing.T) {
	schema := compiled(t)
	for _, name := range caseFiles(t) {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(asJSON(t, string(content))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if first, _, _ := strings.Cut(string(content), "\n"); first != "#:schema ./schema.json" {
			t.Errorf("%s: the first line is %q; editors look for #:schema ./schema.json", name, first)
		}
	}
}

// What the schema refuses, Parse refuses too; what an editor flags is wrong.
func TestSchemaAgreesWithParse(t *testing.T) {
	schema := compiled(t)
	rest := "\nreferences = [\"b\"]\nintent = \"match\"\nwhy = \"w\"\n"
	tests := []struct {
		shows, content string
		right          bool
	}{
		{"a case", head + good, true},
		{"the empty batch", head + "[[case]]\nid = \"x\"\nwhy = \"w\"\nitems = []\n", true},
		{"an item", head + "[[case]]\nid = \"x\"\nwhy = \"w\"\nitems = [{ id = \"q\", references = [], intent = \"match\", no_answer_probability = 1 }]\n", true},
		{"options", head + "[[case]]\nid = \"x\"\nsetups = [{ metric = \"exact_match\", options = { ignore_case = true, regexes_to_ignore = \"ab\" } }]\nprediction = \"a\"" + rest, true},
		{"an unknown key", head + good + "colour = 1\n", false},
		{"an unknown key at the head", "colour = 1\n" + head + good, false},
		{"an unknown metric", "about = \"x\"\nsetups = [{ metric = \"bleu\" }]\n" + good, false},
		{"an option of another metric", "about = \"x\"\nsetups = [{ metric = \"squad\", options = { ignore_case = true } }]\n" + good, false},
		{"an option of another type", "about = \"x\"\nsetups = [{ metric = \"exact_match\", options = { ignore_case = 1 } }]\n" + good, false},
		{"an id with a capital", head + "[[case]]\nid = \"X\"\nprediction = \"a\"" + rest, false},
		{"an intent that is none", head + strings.Replace(good, "no-match", "yes", 1), false},
		{"a source that is no address", head + good + "source = \"the paper\"\n", false},
		{"a prediction beside items", head + "[[case]]\nid = \"x\"\nwhy = \"w\"\nprediction = \"a\"\nitems = []\n", false},
		{"no references", head + "[[case]]\nid = \"x\"\nprediction = \"a\"\nintent = \"match\"\nwhy = \"w\"\n", false},
		{"a blank why", head + strings.Replace(good, "Two different articles.", " ", 1), false},
		{"no about", good, false},
		{"no case", head, false},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			_, err := cases.Parse("trap.toml", []byte(test.content))
			if (err == nil) != test.right {
				t.Errorf("Parse: %v", err)
			}
			if err := schema.Validate(asJSON(t, test.content)); (err == nil) != test.right {
				t.Errorf("the schema: %v", err)
			}
		})
	}
}

const readStrictly = `
import pathlib, sys, tomllib
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        try:
            tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            print(name, error)
`

func TestEveryFileIsTOML10ToPython(t *testing.T) {
	python := pytest.Interpreter(t, "tomllib")
	out, err := exec.Command(python, append([]string{"-c", readStrictly}, caseFiles(t)...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("Python's tomllib: %v\n%s", err, out)
	}
}
