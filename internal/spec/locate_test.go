package spec

import (
	"os"
	"path/filepath"
	"testing"
)

const locateDocument = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things/{id}:
    post:
      requestBody: {$ref: '#/components/requestBodies/Thing'}
      responses: {'204': {description: done}}
components:
  requestBodies:
    Thing:
      content:
        application/json:
          schema:
            allOf:
              - {$ref: '#/components/schemas/Base'}
              - properties:
                  inline: {}
                  far: {$ref: 'other.yaml#/Far'}
                  "it's": {}
  schemas:
    Base: {properties: {alias: {$ref: '#/components/schemas/Alias'}, 1st: {}}}
    Alias: {$ref: '#/components/schemas/Real'}
    Real: {properties: {deep: {type: string}}}
`

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"api.yaml": locateDocument, "other.yaml": "Far: {properties: {a: {}}}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	doc, list := Load(filepath.Join(dir, "api.yaml"), "")
	if list.HasErrors() {
		t.Fatal(list)
	}
	body := Pointer{"paths", "/things/{id}", "post", "requestBody"}
	schema := body.Child("content", "application/json", "schema")
	const there = "$.components.requestBodies.Thing.content['application/json'].schema.allOf"
	for _, test := range []struct {
		pointer Pointer
		want    string // "" for a place that an overlay cannot change
	}{
		{Pointer{"paths", "/things/{id}", "post"}, "$.paths['/things/{id}'].post"},
		{body, "$.components.requestBodies.Thing"},
		{schema.Child("allOf", "1", "properties", "inline"), there + "[1].properties.inline"},
		{schema.Child("allOf", "1", "properties", "it's"), there + `[1].properties['it\'s']`},
		{schema.Child("allOf", "0"), "$.components.schemas.Base"},
		{schema.Child("allOf", "0", "properties", "1st"), "$.components.schemas.Base.properties['1st']"},
		{schema.Child("allOf", "0", "properties", "alias"), "$.components.schemas.Real"},
		{schema.Child("allOf", "0", "properties", "alias", "properties", "deep"), "$.components.schemas.Real.properties.deep"},
		{schema.Child("allOf", "1", "properties", "far"), ""},
		{schema.Child("allOf", "1", "properties", "far", "properties", "a"), ""},
		{schema.Child("allOf", "2"), ""},
		{Pointer{"nowhere"}, ""},
	} {
		got, ok := doc.Locate(test.pointer)
		if ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s: got %q, %t, want %q", test.pointer, got, ok, test.want)
		}
	}
}
