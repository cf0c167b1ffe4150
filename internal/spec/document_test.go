package spec_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/tree"
)

func sortStrings(s []string) { slices.Sort(s) }

// loadCase loads a case of testdata that has a document.
func loadCase(t *testing.T, name string) *spec.Document {
	t.Helper()
	t.Chdir(goldentest.Read(t, filepath.Join("testdata", name+".txtar"), sections...).Unpack(t))
	doc, list := spec.Load(mainFile(), overlayFile())
	if doc == nil {
		t.Fatal(list)
	}
	return doc
}

func TestPositionOf(t *testing.T) {
	doc := loadCase(t, "refs-files")
	op := doc.Operations[0]
	schema := op.Pointer.Child("requestBody", "content", "application/json", "schema")
	tests := []struct {
		pointer spec.Pointer
		want    string
	}{
		{nil, "openapi.yaml:1:1"},
		{spec.Pointer{"paths", "/a"}, "openapi.yaml:4:3"},
		{op.Pointer, "paths/a.yaml:1:1"},
		{op.Pointer.Child("operationId"), "paths/a.yaml:2:3"},
		{op.Pointer.Child("x-idempotent", "fingerprint", "1"), "paths/a.yaml:7:9"},
		{schema, "paths/a.yaml:11:9"},
		{schema.Child("properties", "amount"), "openapi.yaml:15:9"},
		{schema.Child("properties", "amount", "type"), "openapi.yaml:15:18"},
		{schema.Child("properties", "amuont", "type"), "openapi.yaml:14:7"},
		{op.Pointer.Child("responses", "200", "description"), "shared.json:1:9"},
		{spec.Pointer{"paths", "/b", "post"}, "paths/a.yaml:1:1"},
		{spec.Pointer{"nothing"}, "openapi.yaml:1:1"},
	}
	for _, tt := range tests {
		if got := doc.PositionOf(tt.pointer).String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.pointer, got, tt.want)
		}
	}
}

func TestLookupIsExact(t *testing.T) {
	doc := loadCase(t, "refs-files")
	schema := doc.Operations[0].Pointer.Child("requestBody", "content", "application/json", "schema")
	if n, ok := doc.Lookup(schema.Child("type")); !ok || n.Text != "object" {
		t.Errorf("the value behind a $ref is not found: %v, %v", n, ok)
	}
	if n, ok := doc.Lookup(schema); !ok || n.Get("$ref") == nil {
		t.Errorf("a $ref at the end was followed: %v, %v", n, ok)
	}
	n, ok := doc.Lookup(schema.Child("properties", "amount", "default"))
	if !ok || n.Kind != tree.Int || n.Text != "9007199254740993" {
		t.Errorf("got %+v, %v", n, ok)
	}
	if _, ok := doc.Lookup(schema.Child("properties", "other")); ok {
		t.Error("found what is not there")
	}
}

func TestPointerString(t *testing.T) {
	p := spec.Pointer{"paths", "/a~b"}
	if got := p.Child("post").String(); got != "/paths/~1a~0b/post" {
		t.Error(got)
	}
	if len(p) != 2 {
		t.Error("Child changed its receiver")
	}
}

// TestNumbersKeepTheirDigits reads every notation of YAML's numbers.
func TestNumbersKeepTheirDigits(t *testing.T) {
	doc := loadCase(t, "yaml-keys")
	n, ok := doc.Lookup(spec.Pointer{"x-e"})
	if !ok {
		t.Fatal("not found")
	}
	var got []string
	for _, item := range n.Items {
		got = append(got, item.Kind.String()+" "+item.Text)
	}
	want := []string{
		"a string 1e999",
		"an integer 31",
		"an integer 15",
		"an integer 1000",
		"a number 1.5",
		"a number 0.5",
		"an integer 123456789012345678901234567890",
		"nothing null",
		"a string 2024-01-01",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOperationsHaveTheirOpenAPI(t *testing.T) {
	doc := loadCase(t, "refs-files")
	for _, op := range doc.Operations {
		if op.OpenAPI == nil || op.PathItem == nil || op.OpenAPI.OperationID != op.ID.V {
			t.Errorf("%s %s: %v", op.Method, op.Path, op.OpenAPI)
		}
	}
	located, err := doc.Located()
	if err != nil {
		t.Fatal(err)
	}
	post := located.Paths.Value(doc.Operations[0].Path).GetOperation(doc.Operations[0].Method)
	schema := post.RequestBody.Value.Content.Get("application/json").Schema
	if pos, ok := doc.Origin(schema.Value.Properties["amount"].Value.Origin); !ok || pos.String() != "openapi.yaml:15:9" {
		t.Errorf("the origin of a property is %v, %v", pos, ok)
	}
	if pos, ok := doc.Origin(post.Origin); !ok || pos != doc.Operations[0].Pos {
		t.Errorf("the origin of an operation is %v, %v", pos, ok)
	}
	if _, ok := doc.Origin(nil); ok {
		t.Error("something has an origin that has none")
	}
}

func TestFreshIsIndependent(t *testing.T) {
	doc := loadCase(t, "overlay")
	first, err := doc.Fresh()
	if err != nil {
		t.Fatal(err)
	}
	first.Paths.Value("/a").Post.OperationID = "changed"
	second, err := doc.Fresh()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*openapi3.T{second, doc.OpenAPI} {
		if got := d.Paths.Value("/a").Post.OperationID; got != "a" {
			t.Errorf("a fresh document has operationId %q", got)
		}
	}
	if second.Paths.Value("/a").Delete != nil {
		t.Error("a fresh document lacks the overlay")
	}
}

// TestFreshDoesNotDependOnTheFolder loads the same files in two folders, by a
// relative and by an absolute path.
func TestFreshDoesNotDependOnTheFolder(t *testing.T) {
	c := goldentest.Read(t, "testdata/refs-files.txtar", sections...)
	one, two := c.Unpack(t), c.Unpack(t)
	internalized := func(path string) string {
		doc, list := spec.Load(path, "")
		if doc == nil {
			t.Fatal(list)
		}
		fresh, err := doc.Fresh()
		if err != nil {
			t.Fatal(err)
		}
		fresh.InternalizeRefs(context.Background(), nil)
		text, err := fresh.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	absolute := internalized(filepath.Join(one, "openapi.yaml"))
	t.Chdir(filepath.Dir(two))
	relative := internalized(filepath.Join(filepath.Base(two), "openapi.yaml"))
	if diff := cmp.Diff(absolute, relative); diff != "" {
		t.Error(diff)
	}
}

func TestLoadMissingOverlay(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.yaml", []byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, list := spec.Load("a.yaml", "gone.yaml")
	if got := list.Error(); got != "gone.yaml:1:1: cannot read gone.yaml: there is no such file; correct the path, or create the file" {
		t.Error(got)
	}
}
