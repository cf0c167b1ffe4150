package oapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/idemgen/idemgen/internal/model"
)

const nullableDocument = `
openapi: 3.0.3
info: {title: Nullable, version: '1'}
paths:
  /things:
    post:
      operationId: createThing
      parameters:
        - {name: list, in: query, schema: {type: array, items: {type: string, nullable: true}}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Thing:
      type: object
      required: [object]
      properties:
        text: {type: string, nullable: true}
        list: {type: array, nullable: true, items: {type: string, nullable: true}}
        object: {type: object, nullable: true, properties: {a: {type: string}}}
        objects: {type: array, items: {type: object, nullable: true, properties: {a: {type: string}}}}
        raw: {nullable: true, x-go-type: json.RawMessage}
        union: {nullable: true, oneOf: [{type: string}, {type: integer}]}
`

// nullableSource is what oapi-codegen generates with the option nullable-type.
func nullableSource(t *testing.T, name string) Source {
	t.Helper()
	version := Version
	doc := load(t, nullableDocument)
	if err := Bind(doc, []*model.Operation{annotated("POST", "/things", "createThing")}); err != nil {
		t.Fatal(err)
	}
	generating.Lock()
	defer generating.Unlock()
	code, err := codegen.Generate(doc, codegen.Configuration{
		PackageName:          name,
		Generate:             codegen.GenerateOptions{Models: true, Strict: true, StdHTTPServer: true},
		OutputOptions:        codegen.OutputOptions{NullableType: true},
		NoVCSVersionOverride: &version,
	}.UpdateDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return Source{Path: "example.com/" + name, Files: map[string][]byte{"api.gen.go": []byte(code)}}
}

// A null is told from absent where the node says so, and else is absent.
func TestResolveNullable(t *testing.T) {
	text := func(name string) *model.Node { return node(name, model.String) }
	tests := []struct {
		name string
		node *model.Node
		want string
	}{
		{"null is absent", text("text"), `
h.Field("body.text")
if v, err := body.Text.Get(); err == nil {
	h.String(v)
} else {
	h.Absent()
}`},
		{"null has the default", withDefault(`"x"`, text("text")), `
h.Field("body.text")
if v, err := body.Text.Get(); err == nil {
	h.String(v)
} else {
	h.String("x")
}`},
		{"null is null", nullableNode(text("text")), `
h.Field("body.text")
if v, err := body.Text.Get(); err == nil {
	h.String(v)
} else if body.Text.IsNull() {
	h.Null()
} else {
	h.Absent()
}`},
		{"list", nullableNode(node("list", model.List, nullableNode(text("")))), `
h.Field("body.list")
if v, err := body.List.Get(); err == nil {
	h.List(len(v))
	for _, v := range v {
		if v, err := v.Get(); err == nil {
			h.String(v)
		} else if v.IsNull() {
			h.Null()
		} else {
			h.Absent()
		}
	}
} else if body.List.IsNull() {
	h.Null()
} else {
	h.Absent()
}`},
		{"object", nullableNode(node("object", model.Object, text("a"))), `
if v, err := body.Object.Get(); err == nil {
	h.Field("body.object.a")
	if v := v.A; v != nil {
		h.String(*v)
	} else {
		h.Absent()
	}
} else if body.Object.IsNull() {
	h.Field("body.object")
	h.Null()
} else {
	h.Skip("body.object.a")
}`},
		{"empty object", node("objects", model.List, nullableNode(node("", model.Object))), `
h.Field("body.objects")
if v := body.Objects; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		if _, err := v.Get(); err == nil {
		} else if v.IsNull() {
			h.Null()
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"raw", nullableNode(node("raw", model.JSON)), `
h.Field("body.raw")
if v, err := body.Raw.Get(); err == nil {
	h.JSON(v)
} else if body.Raw.IsNull() {
	h.Null()
} else {
	h.Absent()
}`},
		{"union", node("union", model.JSON), `
h.Field("body.union")
if v, err := body.Union.Get(); err == nil {
	h.JSON(v.union)
} else {
	h.Absent()
}`},
	}
	pkg, err := Load(nullableSource(t, "api"))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := pkg.method("POST", "/things", "createThing")
	if !ok {
		t.Fatal("no method")
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &resolver{pkg: pkg, route: "POST /things", request: m, imports: map[string]bool{}}
			code := r.fingerprint(&model.Operation{ContentTypes: jsonBody}, model.Fingerprint{Version: 1, Roots: []*model.Node{root("body", model.Object, test.node)}})
			if err := r.out.Err(); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			renderMember(&b, "", code.Roots[0])
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n")+"\n", b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Members of an object in the query are lost where they are a nullable.Nullable.
func TestResolveRefusesNullableParameters(t *testing.T) {
	pkg, err := Load(nullableSource(t, "api"))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := pkg.method("POST", "/things", "createThing")
	r := &resolver{pkg: pkg, route: "POST /things", request: m, imports: map[string]bool{}}
	list := node("list", model.List, node("", model.String))
	r.fingerprint(&model.Operation{}, model.Fingerprint{Version: 1, Roots: []*model.Node{root("query", model.Object, list)}})
	const want = "api.yaml:9:7: POST /things: query.list[] is of type nullable.Nullable[string] in the generated Go, " +
		"to which oapi-codegen does not bind every value; take nullable from it, or list query.list[] under ignore"
	if diff := cmp.Diff(want, r.out.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
