package spec_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/spec"
)

const referenceFile = "../../docs/annotation.md"

// keysMark is the line before the table of a mapping's keys.
var keysMark = regexp.MustCompile(`^<!-- keys: (\S+) -->$`)

// TestReferenceIsComplete compares the reference page with the JSON Schema: it must
// have exactly the keys of every mapping, the defaults must be those of the schema,
// and the schema must accept the examples.
func TestReferenceIsComplete(t *testing.T) {
	tables := referenceTables(t)
	definitions := readSchema(t)["$defs"].(map[string]any)
	for kind, want := range spec.Keys() {
		var got []string
		properties := objectForm(definitions[kind].(map[string]any))["properties"].(map[string]any)
		schema := compile(t, "#/$defs/"+kind)
		for _, row := range tables[kind] {
			got = append(got, row.key)
			property, ok := properties[row.key].(map[string]any)
			if !ok {
				continue // reported below
			}
			if byDefault := defaultIn(property); byDefault != "" && kind != "defaults" && byDefault != row.byDefault {
				t.Errorf("%s.%s: the default is %q, and in the schema %q", kind, row.key, row.byDefault, byDefault)
			}
			example := row.example
			if !strings.HasPrefix(example, "{") {
				example = "{" + example + "}"
			}
			value := asJSON(t, example)
			if err := schema.Validate(value); err != nil {
				t.Errorf("%s.%s: the example %s: %v", kind, row.key, row.example, err)
			}
			if _, ok := value.(map[string]any)[row.key]; !ok {
				t.Errorf("%s.%s: the example %s has no such key", kind, row.key, row.example)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the keys of %s in %s: -annotation +page\n%s", kind, referenceFile, diff)
		}
		delete(tables, kind)
	}
	for kind := range tables {
		t.Errorf("%s has a table of %s, which the annotation does not have", referenceFile, kind)
	}
}

// referenceRow is a key in the reference page.
type referenceRow struct{ key, byDefault, example string }

// referenceTables reads the tables of keys, by the name of their mapping.
func referenceTables(t *testing.T) map[string][]referenceRow {
	t.Helper()
	text, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]referenceRow{}
	kind := ""
	for i, line := range strings.Split(string(text), "\n") {
		if mark := keysMark.FindStringSubmatch(line); mark != nil {
			kind = mark[1]
			continue
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			kind = ""
			continue
		case kind == "", strings.HasPrefix(line, "| key |"), strings.HasPrefix(line, "| ---"):
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 5 || slices.Contains(cells, "") {
			t.Fatalf("%s:%d: five cells are wanted, each with something in it", referenceFile, i+1)
		}
		unquoted := func(cell string) string { return strings.Trim(cell, "`") }
		tables[kind] = append(tables[kind], referenceRow{unquoted(cells[0]), cells[2], unquoted(cells[4])})
	}
	return tables
}

// statedDefault finds the default in a description of the schema, if it is a single
// value.
var statedDefault = regexp.MustCompile(`Default: ([^.,]+)\.`)

func defaultIn(property map[string]any) string {
	description, _ := property["description"].(string)
	if match := statedDefault.FindStringSubmatch(description); match != nil {
		return match[1]
	}
	return ""
}
