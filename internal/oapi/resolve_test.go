package oapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

func TestResolveOrders(t *testing.T) {
	pkg, _ := ordersPackage(t)
	contract := ordersContract()
	got, err := Resolve(pkg, contract, ordersScopes(contract), document)
	if err != nil {
		t.Fatal(err)
	}
	type names struct{ GoName, Var, Request, Response, Visit, KeyExpr, Func, Body, Scope string }
	want := []names{
		{"CreateOrder", "createOrderOperation", "CreateOrderRequestObject", "CreateOrderResponseObject", "VisitCreateOrderResponse", "request.Params.IdempotencyKey", "fingerprintCreateOrderV1", "CreateOrderJSONRequestBody", "account"},
		{"CancelOrder", "cancelOrderOperation", "CancelOrderRequestObject", "CancelOrderResponseObject", "VisitCancelOrderResponse", "request.Params.IdempotencyKey", "fingerprintCancelOrderV1", "CancelOrderJSONRequestBody", "account"},
		{"RefundOrder", "refundOrderOperation", "RefundOrderRequestObject", "RefundOrderResponseObject", "VisitRefundOrderResponse", "request.Params.IdempotencyKey", "fingerprintRefundOrderV1", "RefundOrderJSONRequestBody", "account"},
		{"RecordPayment", "recordPaymentOperation", "RecordPaymentRequestObject", "RecordPaymentResponseObject", "VisitRecordPaymentResponse", "request.Params.WebhookId", "fingerprintRecordPaymentV1", "RecordPaymentJSONRequestBody", "provider"},
	}
	var found []names
	for _, op := range got.Operations {
		f := op.Fingerprints[0]
		found = append(found, names{op.GoName, op.Var, op.Request, op.Response, op.Visit, op.KeyExpr, f.Func, f.Body.Type, op.ScopeType.Name})
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]model.Assignment{{Field: "Provider", Value: "request.Provider"}}, got.Operations[3].ScopeFrom); diff != "" {
		t.Errorf("scope (-want +got):\n%s", diff)
	}
	other := *got.Others[0]
	other.OtherOperation = nil
	if diff := cmp.Diff(model.CodeOther{GoName: "GetOrder", Request: "GetOrderRequestObject", Response: "GetOrderResponseObject"}, other); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
	if len(got.Imports) != 0 {
		t.Errorf("imports are %v, want none", got.Imports)
	}
}

// The function is the one that the example has committed.
func TestResolveCreateOrder(t *testing.T) {
	pkg, _ := ordersPackage(t)
	contract := ordersContract()
	got, err := Resolve(pkg, contract, ordersScopes(contract), document)
	if err != nil {
		t.Fatal(err)
	}
	const want = `func fingerprintCreateOrderV1(request CreateOrderRequestObject) fingerprint.Fingerprint {
	h := fingerprint.NewHasher("createOrder", 1)
	body := request.Body
	if body == nil {
		body = new(CreateOrderJSONRequestBody)
	}
	h.Field("body.currency")
	if v := body.Currency; v != nil {
		h.String(string(*v))
	} else {
		h.String("EUR")
	}
	h.Field("body.items")
	if v := body.Items; v != nil {
		h.List(len(v))
		for _, v := range v {
			h.Field("quantity")
			if v := v.Quantity; v != nil {
				h.Int(int64(*v))
			} else {
				h.Int(1)
			}
			h.Field("sku")
			h.String(v.Sku)
		}
	} else {
		h.Absent()
	}
	h.Field("body.ship_to.city")
	h.String(body.ShipTo.City)
	h.Field("body.ship_to.name")
	h.String(body.ShipTo.Name)
	h.Field("body.ship_to.street")
	if v := body.ShipTo.Street; v != nil {
		h.String(*v)
	} else {
		h.Absent()
	}
	return h.Sum()
}
`
	if diff := cmp.Diff(want, renderFunction(got.Operations[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResolveImports(t *testing.T) {
	resolve := shapesResolver(t)
	for _, test := range []struct {
		node *model.Node
		want string
	}{
		{node("uint64", model.Integer), "math/big"},
		{withDefault(`"2024-02-29"`, node("date", model.Date)), "time"},
		{node("list", model.List, node("", model.String)), ""},
	} {
		_, r := resolve("body", test.node)
		if got := strings.Join(sortedKeys(r.imports), " "); got != test.want {
			t.Errorf("%s: imports are %q, want %q", test.node.Name, got, test.want)
		}
	}
}

const bodiesDocument = `
openapi: 3.0.3
info: {title: Bodies, version: '1'}
paths:
  /list: {post: {operationId: list, requestBody: {content: {application/json: {schema: {type: array, items: {type: object, properties: {a: {type: string}}}}}}}, responses: {'204': {description: Done.}}}}
  /map: {post: {operationId: map, requestBody: {content: {application/json: {schema: {type: object, additionalProperties: {type: integer, format: int64}}}}}, responses: {'204': {description: Done.}}}}
  /uuid: {post: {operationId: uuid, requestBody: {content: {application/json: {schema: {type: string, format: uuid}}}}, responses: {'204': {description: Done.}}}}
  /date: {post: {operationId: date, requestBody: {content: {application/json: {schema: {type: string, format: date}}}}, responses: {'204': {description: Done.}}}}
  /enum: {post: {operationId: enum, requestBody: {content: {application/json: {schema: {type: string, enum: [a, b]}}}}, responses: {'204': {description: Done.}}}}
  /text: {post: {operationId: text, requestBody: {content: {text/plain: {schema: {type: string}}}}, responses: {'204': {description: Done.}}}}
  /patch: {post: {operationId: patch, requestBody: {content: {application/merge-patch+json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {'204': {description: Done.}}}}
  /form: {post: {operationId: form, requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {'204': {description: Done.}}}}
  /two: {post: {operationId: two, requestBody: {content: {application/json: {schema: {type: string}}, application/vnd.a+json: {schema: {type: string}}}}, responses: {'204': {description: Done.}}}}
  /stream: {post: {operationId: stream, requestBody: {content: {application/octet-stream: {schema: {type: string, format: binary}}}}, responses: {'204': {description: Done.}}}}
  /parts: {post: {operationId: parts, requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {'204': {description: Done.}}}}
  /union: {post: {operationId: union, requestBody: {content: {application/json: {schema: {oneOf: [{type: string}, {type: integer}]}}}}, responses: {'204': {description: Done.}}}}
  /refunion: {post: {operationId: refunion, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Union'}}}}, responses: {'204': {description: Done.}}}}
  /free: {post: {operationId: free, requestBody: {content: {application/json: {schema: {}}}}, responses: {'204': {description: Done.}}}}
  /raw: {post: {operationId: raw, requestBody: {content: {application/json: {schema: {x-go-type: json.RawMessage}}}}, responses: {'204': {description: Done.}}}}
  /none: {post: {operationId: none, responses: {'204': {description: Done.}}}}
components:
  schemas:
    Union: {oneOf: [{type: string}, {type: integer}]}
`

func bodyOf(name string) *model.Operation {
	object := func() *model.Node { return root("body", model.Object, node("a", model.String)) }
	trees := map[string]func() *model.Node{
		"list":     func() *model.Node { return root("body", model.List, node("", model.Object, node("a", model.String))) },
		"map":      func() *model.Node { return root("body", model.Map, node("", model.Integer)) },
		"uuid":     func() *model.Node { return root("body", model.UUID) },
		"date":     func() *model.Node { return root("body", model.Date) },
		"enum":     func() *model.Node { return root("body", model.String) },
		"text":     func() *model.Node { return root("body", model.String) },
		"two":      func() *model.Node { return root("body", model.String) },
		"stream":   func() *model.Node { return root("body", model.Bytes) },
		"union":    func() *model.Node { return nullableNode(root("body", model.JSON)) },
		"refunion": func() *model.Node { return nullableNode(root("body", model.JSON)) },
		"raw":      func() *model.Node { return nullableNode(root("body", model.JSON)) },
	}
	tree := trees[name]
	if tree == nil {
		tree = object
	}
	return annotated("POST", "/"+name, name, tree())
}

func TestResolveBodies(t *testing.T) {
	tests := []struct{ name, typ, want string }{
		{"list", "ListJSONRequestBody", `
h.Field("body")
if v := *body; v != nil {
	h.List(len(v))
	for _, v := range v {
		h.Field("a")
		if v := v.A; v != nil {
			h.String(*v)
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"map", "MapJSONRequestBody", `
h.Field("body")
if v := *body; v != nil {
	h.Map(len(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		v := (v)[key]
		h.Key(key)
		h.Int(v)
	}
} else {
	h.Absent()
}`},
		{"uuid", "UuidJSONRequestBody", `
h.Field("body")
h.UUID(*body)`},
		{"date", "DateJSONRequestBody", `
h.Field("body")
h.Date(body.Time)`},
		{"enum", "EnumJSONRequestBody", `
h.Field("body")
h.String(string(*body))`},
		{"text", "TextTextRequestBody", `
h.Field("body")
h.String(*body)`},
		{"refunion", "RefunionJSONRequestBody", `
h.Field("body")
h.JSON(body.union)`},
		{"raw", "RawJSONRequestBody", `
h.Field("body")
h.JSON(*body)`},
		{"patch", "PatchApplicationMergePatchPlusJSONRequestBody", `
h.Field("body.a")
if v := body.A; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			operation := bodyOf(test.name)
			pkg := generated(t, bodiesDocument, operation)
			got, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
			if err != nil {
				t.Fatal(err)
			}
			f := got.Operations[0].Fingerprints[0]
			if diff := cmp.Diff(&model.CodeBody{Access: "request.Body", Type: test.typ}, f.Body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			var b strings.Builder
			renderMember(&b, "", f.Roots[0])
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n")+"\n", b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolveRefusesBodies(t *testing.T) {
	tests := []struct{ name, want string }{
		{"two", `is in the document, but the generated TwoRequestObject has no field for it; list body under ignore`}, // a contract of one body
		{"stream", `reaches the business function as a stream, which can be read only once; list body under ignore`},
		{"parts", `reaches the business function as a stream, which can be read only once; list body under ignore`},
		{"union", `is a oneOf or anyOf, which oapi-codegen decodes to nothing when it stands in the operation itself: every request would look alike; move the schema to components/schemas and refer to it by $ref, or list body under ignore`},
		{"free", `is free-form JSON, in which decoding merges numbers that differ; describe it with a schema, or list body under ignore`},
		{"none", `is in the document, but the generated NoneRequestObject has no field for it; list body under ignore`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			operation := bodyOf(test.name)
			pkg := generated(t, bodiesDocument, operation)
			_, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
			want := operation.Fingerprint.Roots[0].Pos.String() + ": POST /" + test.name + ": body " + test.want
			if got := errorText(t, err); got != want {
				t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
			}
		})
	}
}

func errorText(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("%v is no list of diagnostics", err)
	}
	return list.Error()
}

// The comment of the interface decides, whatever a summary pretends.
func TestResolveFindsMethods(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: Methods, version: '1'}
paths:
  /a: {post: {operationId: "do-it.now", summary: "x\n(POST /b)", deprecated: true, responses: {'204': {description: Done.}}}}
  /b: {post: {operationId: 2nd, summary: (POST /a), responses: {'204': {description: Done.}}}}
  /c: {post: {operationId: third, deprecated: true, x-deprecated-reason: "\n(POST /a)", responses: {'204': {description: Done.}}}}
  /alias: {$ref: '#/paths/~1a'}
`
	operations := []*model.Operation{annotated("POST", "/a", "do-it.now"), annotated("POST", "/b", "2nd")}
	pkg := generated(t, text, operations...)
	contract := &model.Contract{
		Operations: operations,
		Others:     []*model.OtherOperation{{Method: "POST", Path: "/alias", ID: "do-it.now"}, {Method: "POST", Path: "/c", ID: "third"}},
	}
	got, err := Resolve(pkg, contract, nil, document)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, op := range got.Operations {
		names = append(names, op.GoName)
	}
	for _, other := range got.Others {
		names = append(names, other.GoName)
	}
	if diff := cmp.Diff([]string{"DoItNow", "N2nd", "Third"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	contract.Operations = append(contract.Operations, annotated("POST", "/alias", "do-it.now"))
	_, err = Resolve(pkg, contract, nil, document)
	const want = "api.yaml:3:7: oapi-codegen generated no strict server method for POST /alias; annotate the path that it refers to instead, where the path is a $ref to another one"
	if got := errorText(t, err); got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func TestResolveFindsCollisions(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: Collisions, version: '1'}
paths:
  /a:
    post:
      operationId: doIt
      parameters:
        - {name: x-id, in: header, schema: {type: string}}
        - {name: x_id, in: query, schema: {type: string}}
        - {name: IdempotencyKey, in: query, schema: {type: string}}
      responses: {'200': {description: Done., content: {application/json: {schema: {$ref: '#/components/schemas/Pair'}}}}}
  /b: {post: {operationId: do_it, responses: {'204': {description: Done.}}}}
components:
  schemas:
    Pair: {type: object, properties: {a_b: {type: string}, aB: {type: string}}}
`
	operation := annotated("POST", "/a", "doIt")
	pkg := generated(t, text, operation)
	_, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
	const want = `api.yaml:1:1: oapi-codegen gives "aB" and "a_b" of Pair the same Go name AB; give one of them another Go name with x-go-name
api.yaml:3:7: oapi-codegen gives "IdempotencyKey" and "Idempotency-Key" of DoItParams the same Go name IdempotencyKey; give one of them another Go name with x-go-name
api.yaml:3:7: oapi-codegen gives "x_id" and "x-id" of DoItParams the same Go name XId; give one of them another Go name with x-go-name
api.yaml:3:7: oapi-codegen gives the operations POST /a and POST /b the same Go name DoIt; give one of them another operationId`
	if diff := cmp.Diff(want, errorText(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// oapi-codegen notices when two components share a name, but not when a component
// and a type of its own do.
func TestResolveFindsTypesOfOneName(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: Types, version: '1'}
paths:
  /a: {post: {operationId: a, responses: {'200': {description: Done., content: {application/json: {schema: {$ref: '#/components/schemas/AResponseObject'}}}}}}}
components:
  schemas:
    AResponseObject: {type: object, properties: {a: {type: string}}}
`
	_, err := Resolve(generated(t, text), &model.Contract{}, nil, document)
	const want = `api.yaml:1:1: oapi-codegen gives two things the same Go name AResponseObject: "defines model for AResponseObject" and something of its own; rename one of them, or give it another Go name with x-go-name`
	if diff := cmp.Diff(want, errorText(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const scopeDocument = `
openapi: 3.0.3
info: {title: Scopes, version: '1'}
paths:
  /a/{p}/{u}/{n}/{odd}:
    post:
      operationId: a
      parameters:
        - {name: p, in: path, required: true, schema: {type: string, enum: [x, y]}}
        - {name: u, in: path, required: true, schema: {type: string, format: uuid}}
        - {name: n, in: path, required: true, schema: {type: integer, format: int32}}
        - {name: odd, in: path, required: true, schema: {type: string}}
        - {name: i, in: query, required: true, schema: {type: integer}}
        - {name: o, in: query, schema: {type: string}}
        - {name: odd.name, in: query, required: true, schema: {type: string}}
        - {name: X-Shop, in: header, required: true, schema: {type: string}}
      responses: {'204': {description: Done.}}
`

func TestResolveScopeColumns(t *testing.T) {
	const unfit = "api.yaml:3:7: POST /a/{p}/{u}/{n}/{odd}: "
	const remedy = "; name a required parameter of every operation of the scope, or leave from out and have the resolver fill the column"
	tests := []struct{ from, typ, want, problem string }{
		{"path.p", "string", "string(request.P)", ""},
		{"path.odd", "string", "request.Odd", ""},
		{`query["odd.name"]`, "string", "request.Params.OddName", ""},
		{"header.x-shop", "string", "request.Params.XShop", ""},
		{"path.u", "uuid.UUID", "request.U", ""},
		{"path.u", "pgtype.UUID", "pgtype.UUID{Bytes: request.U, Valid: true}", ""},
		{"path.n", "int32", "request.N", ""},
		{"path.n", "int64", "int64(request.N)", ""},
		{"query.i", "int64", "int64(request.Params.I)", ""},
		{"path.n", "int16", "", unfit + "path.n is of type int32 in the generated Go, and column c of scope s of type int16; make the type of the column and of the parameter agree"},
		{"path.p", "uuid.UUID", "", unfit + "path.p is of type AParamsP in the generated Go, and column c of scope s of type uuid.UUID; make the type of the column and of the parameter agree"},
		{"query.o", "string", "", unfit + "query.o does not fill column c of scope s: it is optional, and a scope is never without a value" + remedy},
		{"query.x", "string", "", unfit + `query.x does not fill column c of scope s: it has no field for "x"` + remedy},
		{"body.x", "string", "", unfit + "body.x does not fill column c of scope s: only path, query, header and cookie parameters can" + remedy},
		{"body", "string", "", unfit + "body does not fill column c of scope s: it names no parameter" + remedy},
	}
	operation := annotated("POST", "/a/{p}/{u}/{n}/{odd}", "a")
	pkg := generated(t, scopeDocument, operation)
	for _, test := range tests {
		t.Run(test.from+" to "+test.typ, func(t *testing.T) {
			operation.Scope = &model.Scope{Name: "s", Columns: []model.Column{{Name: "c", From: test.from}}}
			scope := &model.CodeScope{Scope: operation.Scope, Fields: []model.GoField{{Name: "C", Type: test.typ, From: test.from}}}
			got, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, []*model.CodeScope{scope}, document)
			if test.problem != "" {
				if diff := cmp.Diff(test.problem, errorText(t, err)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]model.Assignment{{Field: "C", Value: test.want}}, got.Operations[0].ScopeFrom); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolveRefusesKeys(t *testing.T) {
	operation := annotated("POST", "/list", "list")
	unbound := generated(t, bodiesDocument)
	_, err := Resolve(unbound, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
	want := `api.yaml:4:7: POST /list: key header "Idempotency-Key": the generated ListRequestObject has no parameters, and so no key`
	if got := errorText(t, err); got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}
