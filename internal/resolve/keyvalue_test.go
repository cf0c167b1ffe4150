package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
)

// Keys are text in whatever type a user's own document gives them.
func TestHeaderKeys(t *testing.T) {
	const at = "api.yaml:4:7: POST /things: "
	tests := []struct {
		field, want string
		required    bool
		problem     string
	}{
		{"IdempotencyKey *string `json:\"Idempotency-Key,omitempty\"`", "request.Params.IdempotencyKey", false, ""},
		{"IdempotencyKey string `json:\"idempotency-key\"`", "request.Params.IdempotencyKey to key of text", true, ""},
		{"IdempotencyKey string `json:\"Idempotency-Key,omitempty\"`", "request.Params.IdempotencyKey to key of text", false, ""},
		{"Key Text `json:\"Idempotency-Key\"`", "request.Params.Key to key of text", true, ""},
		{"Key *Text `json:\"Idempotency-Key,omitempty\"`", "request.Params.Key to string pointer", false, ""},
		{"Key *openapi_types.UUID `json:\"Idempotency-Key,omitempty\"`", "request.Params.Key to key of UUID", false, ""},
		{"Key openapi_types.UUID `json:\"Idempotency-Key\"`", "request.Params.Key to address to key of UUID", true, ""},
		{
			"Key openapi_types.UUID `json:\"Idempotency-Key,omitempty\"`", "", false,
			`key header "Idempotency-Key": the generated field is of type types.UUID, and a key is text; declare it as a string, and generate again`,
		},
		{
			"Key *int `json:\"Idempotency-Key,omitempty\"`", "", false,
			`key header "Idempotency-Key": the generated field is of type *int, and a key is text; declare it as a string, and generate again`,
		},
		{
			"Key *string `form:\"Idempotency-Key,omitempty\" json:\"Idempotency-Key,omitempty\"`", "", false,
			`package internal/api has no field for the key header "Idempotency-Key": it has no such header; ` +
				"declare the header in the document, as idemgen expand prints it, and run oapi-codegen again over what idemgen expand --bound prints; " +
				"or let idemgen run oapi-codegen, with server.out instead of server.from",
		},
	}
	for _, test := range tests {
		t.Run(test.field, func(t *testing.T) {
			pkg := parsed(t, gopkg.Source{Path: "example.com/api", From: "internal/api", Files: map[string][]byte{"api.go": []byte(keyPackage + test.field + "\n}\n")}})
			operation := annotated("POST", "/things", "things")
			got, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
			if test.problem != "" {
				if diff := cmp.Diff(at+test.problem, errorText(t, err)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if key := got.Operations[0].HeaderKey; value(key.Value) != test.want || key.Required != test.required {
				t.Errorf("got %s, required %t", value(key.Value), key.Required)
			}
		})
	}
}

const keyPackage = `package api

import (
	"context"
	"net/http"

	openapi_types "github.com/oapi-codegen/runtime/types"
)

type StrictServerInterface interface {
	// (POST /things)
	Things(ctx context.Context, request ThingsRequestObject) (ThingsResponseObject, error)
}

type ThingsRequestObject struct{ Params ThingsParams }

type ThingsResponseObject interface {
	VisitThingsResponse(w http.ResponseWriter) error
}

type Text string

type ThingsParams struct {
`
