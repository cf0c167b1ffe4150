package oapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
)

// Keys are text in whatever type a user's own document gives them.
func TestResolveKeys(t *testing.T) {
	const at = "api.yaml:4:7: POST /things: "
	tests := []struct {
		field, want string
		needed      bool
		problem     string
	}{
		{"IdempotencyKey *string `json:\"Idempotency-Key,omitempty\"`", "request.Params.IdempotencyKey", false, ""},
		{"IdempotencyKey string `json:\"idempotency-key\"`", "idemrt.KeyOf(request.Params.IdempotencyKey)", true, ""},
		{"IdempotencyKey string `json:\"Idempotency-Key,omitempty\"`", "idemrt.KeyOf(request.Params.IdempotencyKey)", false, ""},
		{"Key Text `json:\"Idempotency-Key\"`", "idemrt.KeyOf(request.Params.Key)", true, ""},
		{"Key *Text `json:\"Idempotency-Key,omitempty\"`", "(*string)(request.Params.Key)", false, ""},
		{"Key *openapi_types.UUID `json:\"Idempotency-Key,omitempty\"`", "idemrt.KeyText(request.Params.Key)", false, ""},
		{"Key openapi_types.UUID `json:\"Idempotency-Key\"`", "idemrt.KeyText(&request.Params.Key)", true, ""},
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
			pkg, err := Load(Source{Path: "example.com/api", From: "internal/api", Files: map[string][]byte{"api.go": []byte(keyPackage + test.field + "\n}\n")}})
			if err != nil {
				t.Fatal(err)
			}
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
			if op := got.Operations[0]; op.KeyExpr != test.want || op.KeyNeeded != test.needed {
				t.Errorf("got %s, needed %t", op.KeyExpr, op.KeyNeeded)
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
