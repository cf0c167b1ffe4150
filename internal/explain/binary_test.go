package explain

import (
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/plan"
)

// Behind an allOf, oapi-codegen does not see that a parameter is base64, and reads
// it as a list of numbers, as explain does not.
func TestBinaryParameterBehindAllOf(t *testing.T) {
	const document = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"},
		"x-idempotent": {"scopes": {"tenant": {"columns": [{"name": "tenant_id", "type": "uuid"}]}}},
		"paths": {"/things": {"post": {"operationId": "createThing", "x-idempotent": {"scope": "tenant", "fingerprint": ["query.raw"]},
			"parameters": [{"name": "raw", "in": "query", "schema": SCHEMA}], "responses": {"204": {"description": "done"}}}}},
		"components": {"schemas": {"Raw": {"type": "string", "format": "byte"}}}}`
	for schema, refused := range map[string]bool{
		`{"$ref": "#/components/schemas/Raw"}`:                                false,
		`{"allOf": [{"$ref": "#/components/schemas/Raw"}]}`:                   true,
		`{"allOf": [{"$ref": "#/components/schemas/Raw"}], "format": "byte"}`: false,
	} {
		contract := contractOf(t, "api.json", []byte(strings.Replace(document, "SCHEMA", schema, 1)), plan.Options{})
		r, err := Read("request.json", []byte(`{"query": {"raw": "AA=="}}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Explain(contract.Operations[0], r)
		if refused != (err != nil && strings.Contains(err.Error(), "set format: byte")) || !refused && err != nil {
			t.Errorf("%s: got %v", schema, err)
		}
	}
}
