package spec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/tree"
)

func parse(t *testing.T, text string) *tree.Node {
	t.Helper()
	root, problems := tree.Parse("a.yaml", []byte(text))
	if root == nil {
		t.Fatal(problems)
	}
	return root
}

func TestEachRef(t *testing.T) {
	root := parse(t, `
$ref: one
properties:
  $ref: {$ref: two}
  default: {$ref: three}
default: {$ref: no}
example: [{$ref: no}]
x-any: {$ref: no}
items:
  - {allOf: [{$ref: four}]}
discriminator: {propertyName: kind, mapping: {a: Bare, b: '#/five', c: six.yaml}}
mapping: {a: '#/no'}
links: {next: {operationRef: seven}}
`)
	var got []string
	spec.EachRef(root, func(ref *tree.Node) { got = append(got, ref.Text) })
	if diff := cmp.Diff([]string{"one", "two", "three", "four", "#/five", "six.yaml", "seven"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRef(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"api/openapi.yaml": "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {$ref: '../paths/a.yaml#/a~1b'}}\n",
		"paths/a.yaml":     "a/b: {get: {responses: {'204': {description: Done., headers: {X: {schema: {type: string}}}}}}}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	doc, problems := spec.Load(filepath.Join("api", "openapi.yaml"), "")
	if doc == nil || problems.HasErrors() {
		t.Fatal(problems)
	}
	for _, test := range []struct {
		text, file, target string
		pointer            spec.Pointer
		ok                 bool
	}{
		{"../paths/a.yaml#/a~1b", doc.File(), "../paths/a.yaml", spec.Pointer{"a/b"}, true},
		{"#/x", "../paths/a.yaml", "../paths/a.yaml", spec.Pointer{"x"}, true},
		{"../api/openapi.yaml", "../paths/a.yaml", "../api/openapi.yaml", nil, false},
		{"#anchor", doc.File(), "", nil, false},
		{"nowhere.yaml", doc.File(), "", nil, false},
		{"https://example.com/a.yaml", doc.File(), "", nil, false},
	} {
		target, pointer, ok := doc.Ref(test.text, test.file)
		if ok != test.ok || ok && (target != test.target || pointer.String() != test.pointer.String()) {
			t.Errorf("%s in %s: got %s %s %v", test.text, test.file, target, pointer, ok)
		}
	}
	doc.Tree().Get("paths").Members = nil
	if doc.Tree().Get("paths").Get("/a") == nil {
		t.Error("the tree is not a copy")
	}
}
