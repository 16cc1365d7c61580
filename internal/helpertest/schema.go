package helpertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/normcert/normcert/adapters/schema"
)

// Schemas are the schemas of the protocol by name.
type Schemas map[string]*jsonschema.Schema

// LoadSchemas compiles them.
func LoadSchemas(t testing.TB) Schemas {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	schemas := Schemas{}
	for _, name := range []string{schema.Request, schema.Hello, schema.Reply} {
		file, err := schema.Files.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := compiler.AddResource(name, document); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schemas[name], err = compiler.Compile(name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return schemas
}

// Check holds a line against a schema. The error says which rule it breaks.
func (s Schemas) Check(name, line string) error {
	message, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	return s[name].Validate(message)
}
