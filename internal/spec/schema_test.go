package spec_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/spec"
)

const schemaFile = "../../openapi/x-idempotent.schema.json"

// TestSchemaHasOurKeys compares the keys of each mapping in the JSON Schema of
// the annotation with those that the decoder knows.
func TestSchemaHasOurKeys(t *testing.T) {
	schema := readSchema(t)
	definitions := schema["$defs"].(map[string]any)
	for kind, want := range spec.Keys() {
		definition, ok := definitions[kind].(map[string]any)
		if !ok {
			t.Errorf("the schema has no definition of %s", kind)
			continue
		}
		object := objectForm(definition)
		if object == nil || object["additionalProperties"] != false {
			t.Errorf("%s is open to unknown keys", kind)
			continue
		}
		properties := object["properties"].(map[string]any)
		got := slices.Sorted(maps.Keys(properties))
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-decoder +schema)\n%s", kind, diff)
		}
		for name, property := range properties {
			if !isDescribed(property.(map[string]any), definitions) {
				t.Errorf("%s.%s has no description", kind, name)
			}
		}
	}
}

// objectForm returns the definition itself, or the alternative of it that is a
// mapping.
func objectForm(definition map[string]any) map[string]any {
	if definition["type"] == "object" {
		return definition
	}
	alternatives, _ := definition["anyOf"].([]any)
	for _, a := range alternatives {
		if a := a.(map[string]any); a["type"] == "object" {
			return a
		}
	}
	return nil
}

func isDescribed(property, definitions map[string]any) bool {
	if property["description"] != nil {
		return true
	}
	ref, _ := property["$ref"].(string)
	if len(ref) <= len("#/$defs/") {
		return false
	}
	target, _ := definitions[ref[len("#/$defs/"):]].(map[string]any)
	if items, ok := target["items"].(map[string]any); ok && target["description"] == nil {
		return isDescribed(items, definitions)
	}
	return target["description"] != nil
}

// TestSchemaAgrees checks that the schema accepts and rejects the same cases of
// TestAnnotationErrors as the decoder.
func TestSchemaAgrees(t *testing.T) {
	root := compile(t, "#/$defs/root")
	operation := compile(t, "#/$defs/operation")
	whole := compile(t, "")
	// Only the decoder detects these: a duplicate key of a mapping, sizes and
	// durations out of range, and a date that does not exist.
	beyond := []string{
		"{scope: a, scope: b}", "{maxBody: 9999999999GiB}", "{replay: {window: 9999999999h}}",
		"{fingerprint: {since: 2026-02-30}}",
	}
	check := func(schema *jsonschema.Schema, tt annotationCase) {
		if slices.Contains(beyond, tt.value) {
			return
		}
		value := asJSON(t, tt.value)
		err := schema.Validate(value)
		if got, want := err == nil, tt.want == ""; got != want {
			t.Errorf("%s: the schema says %v, the decoder %q", tt.value, err, tt.want)
		}
		if err == nil && whole.Validate(value) != nil {
			t.Errorf("%s: the schema as a whole refuses it", tt.value)
		}
	}
	for _, tt := range operationCases() {
		check(operation, tt)
	}
	for _, tt := range rootCases() {
		check(root, tt)
	}
}

// asJSON reads YAML as JSON values, in which a date is a string.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	datesToText(&node)
	var value any
	if err := node.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func datesToText(node *yaml.Node) {
	if node.ShortTag() == "!!timestamp" {
		node.Tag = "!!str"
	}
	for _, content := range node.Content {
		datesToText(content)
	}
}

func compile(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", readSchema(t)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json" + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func readSchema(t *testing.T) map[string]any {
	t.Helper()
	file, err := os.Open(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	schema, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	return schema.(map[string]any)
}
