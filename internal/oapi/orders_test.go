package oapi

import (
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
)

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

// ordersOperations are the annotated operations of openapi/orders.yaml with the
// trees that its annotations declare.
func ordersOperations() []*model.Operation {
	account := &model.Scope{Name: "account", Columns: []model.Column{
		{Name: "tenant_id", SQLType: "uuid"}, {Name: "user_id", SQLType: "bigint"},
	}}
	provider := &model.Scope{Name: "provider", Columns: []model.Column{
		{Name: "provider", SQLType: "text", MaxLength: 64, From: "path.provider"},
	}}
	order := func() *model.Node { return root("path", model.Object, node("order_id", model.UUID)) }

	create := annotated("POST", "/orders", "createOrder", root("body", model.Object,
		withDefault(`"EUR"`, node("currency", model.String)),
		node("items", model.List, node("", model.Object,
			withDefault("1", withFormat("int32", node("quantity", model.Integer))),
			node("sku", model.String),
		)),
		node("ship_to", model.Object, node("city", model.String), node("name", model.String), node("street", model.String)),
	))
	cancel := annotated("POST", "/orders/{order_id}/cancel", "cancelOrder",
		root("body", model.Object, withDefault(`"changed_mind"`, node("reason", model.String))), order())
	refund := annotated("POST", "/orders/{order_id}/refunds", "refundOrder",
		root("body", model.Object, withFormat("int64", node("amount", model.Integer))), order())
	record := annotated("POST", "/providers/{provider}/payments", "recordPayment", root("body", model.Object,
		withFormat("int64", node("amount", model.Integer)),
		node("order_id", model.UUID),
		node("paid_at", model.Instant),
	), root("path", model.Object, node("provider", model.String)))
	record.Key.Name = "Webhook-Id"

	create.Scope, cancel.Scope, refund.Scope, record.Scope = account, account, account, provider
	return []*model.Operation{create, cancel, refund, record}
}

func ordersContract() *model.Contract {
	return &model.Contract{
		Operations: ordersOperations(),
		Others:     []*model.OtherOperation{{Method: "GET", Path: "/orders/{order_id}", ID: "getOrder"}},
	}
}

func ordersScopes(contract *model.Contract) []*model.CodeScope {
	return []*model.CodeScope{
		{Scope: contract.Operations[0].Scope, Fields: []model.GoField{{Name: "TenantID", Type: "uuid.UUID"}, {Name: "UserID", Type: "int64"}}},
		{Scope: contract.Operations[3].Scope, Fields: []model.GoField{{Name: "Provider", Type: "string", From: "path.provider"}}},
	}
}

func ordersPackage(t testing.TB) (*Package, []byte) {
	t.Helper()
	doc := loadFile(t, "../../openapi/orders.yaml")
	if err := Bind(doc, ordersOperations()); err != nil {
		t.Fatal(err)
	}
	source, err := Run(t.Context(), doc, Options{Package: "orderapi", File: "orders.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := Load(Source{Path: "example.com/orderapi", Files: map[string][]byte{"api.gen.go": source}})
	if err != nil {
		t.Fatal(err)
	}
	return pkg, source
}

// The example's strict server is what oapi-codegen's own command would write.
func TestRunWritesTheExample(t *testing.T) {
	want, err := os.ReadFile("../../example/internal/orderapi/api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	_, got := ordersPackage(t)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs (-committed +generated):\n%s", diff)
	}
}
