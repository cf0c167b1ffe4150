package expand_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/tree"
)

// schemaModule contains the OpenAPI Initiative's own JSON Schemas, which are
// independent of kin-openapi. Only these files are read from it; nothing is linked.
const schemaModule = "github.com/pb33f/libopenapi@v0.42.5"

// schemaFolder downloads the module, once.
var schemaFolder = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", schemaModule)
	cmd.Dir = os.TempDir() // outside any module
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w\n%s", schemaModule, err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return "", err
	}
	return filepath.Join(module.Dir, "datamodel", "schemas"), nil
})

// schemaText is the schema of OpenAPI 3.0 or 3.1.
func schemaText(t *testing.T, version string) []byte {
	t.Helper()
	folder, err := schemaFolder()
	if err != nil {
		t.Fatal(err)
	}
	name := map[string]string{"3.0": "oas3-schema.json", "3.1": "oas31-schema.json"}[version]
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkSchema validates a document with the JSON Schema of its OpenAPI version.
// Problems of the original are allowed.
func checkSchema(t *testing.T, original, result *spec.Document) {
	t.Helper()
	before := violations(t, original)
	after := violations(t, result)
	for _, location := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[location]; !known {
			t.Errorf("not valid at %s: %s", location, after[location])
		}
	}
}

// violations returns the problems that the schema finds, by location.
func violations(t *testing.T, doc *spec.Document) map[string]string {
	t.Helper()
	version := doc.OpenAPI.OpenAPI[:3]
	name := version + ".json"
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText(t, version)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(plain(t, doc.Tree())); errors.As(err, &invalid) {
		leaves(invalid, found)
	}
	return found
}

func leaves(e *jsonschema.ValidationError, found map[string]string) {
	for _, cause := range e.Causes {
		leaves(cause, found)
	}
	if len(e.Causes) == 0 {
		found[strings.Join(e.InstanceLocation, "/")] = fmt.Sprint(e.ErrorKind)
	}
}

// plain returns a tree in the form that the validator accepts.
func plain(t *testing.T, n *tree.Node) any {
	t.Helper()
	switch n.Kind {
	case tree.Mapping:
		object := map[string]any{}
		for _, m := range n.Members {
			object[m.Name] = plain(t, m.Value)
		}
		return object
	case tree.Sequence:
		array := []any{}
		for _, item := range n.Items {
			array = append(array, plain(t, item))
		}
		return array
	case tree.String:
		return n.Text
	case tree.Null:
		return nil
	case tree.Bool:
		return n.Text == "true"
	default:
		return json.Number(n.Text)
	}
}
