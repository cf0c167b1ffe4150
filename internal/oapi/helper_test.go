package oapi

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// load reads a document as the pipeline does, with origins.
func load(t testing.TB, text string) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true
	doc, err := loader.LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func loadFile(t testing.TB, name string) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true
	loader.IsExternalRefsAllowed = true
	doc, err := loader.LoadFromFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// origin reads kin-openapi's positions as they are.
func origin(o *openapi3.Origin) (diag.Position, bool) {
	if o == nil || o.Key == nil {
		return diag.Position{}, false
	}
	return diag.Position{File: "api.yaml", Line: o.Key.Line, Column: o.Key.Column}, true
}

// generated binds the document and returns what oapi-codegen makes of it.
func generated(t testing.TB, doc *openapi3.T, operations ...*model.Operation) string {
	t.Helper()
	if err := Bind(doc, operations); err != nil {
		t.Fatal(err)
	}
	source, err := Run(t.Context(), doc, Options{Package: "api", File: "api.yaml", Origin: origin})
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

func annotated(method, path, id string) *model.Operation {
	return &model.Operation{Method: method, Path: path, ID: id, Name: id, Key: model.Key{Name: "Idempotency-Key"}}
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The example's strict server is what oapi-codegen's own command would write.
func TestRunWritesTheExample(t *testing.T) {
	want, err := os.ReadFile("../../example/internal/orderapi/api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	payment := annotated("POST", "/providers/{provider}/payments", "recordPayment")
	payment.Key.Name = "Webhook-Id"
	doc := loadFile(t, "../../openapi/orders.yaml")
	err = Bind(doc, []*model.Operation{
		annotated("POST", "/orders", "createOrder"), annotated("POST", "/orders/{order_id}/cancel", "cancelOrder"),
		annotated("POST", "/orders/{order_id}/refunds", "refundOrder"), payment,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(t.Context(), doc, Options{Package: "orderapi", File: "orders.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs (-committed +generated):\n%s", diff)
	}
}
