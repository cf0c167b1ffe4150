package resolve

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
)

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
func TestFindsMethods(t *testing.T) {
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
	pkg := generated(t, load(t, text), &oapi.Settings{}, operations...)
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

func TestFindsCollisions(t *testing.T) {
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
	pkg := generated(t, load(t, text), &oapi.Settings{}, operation)
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
func TestFindsTypesOfOneName(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: Types, version: '1'}
paths:
  /a: {post: {operationId: a, responses: {'200': {description: Done., content: {application/json: {schema: {$ref: '#/components/schemas/AResponseObject'}}}}}}}
components:
  schemas:
    AResponseObject: {type: object, properties: {a: {type: string}}}
`
	_, err := Resolve(generated(t, load(t, text), &oapi.Settings{}), &model.Contract{}, nil, document)
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

func TestScopeValues(t *testing.T) {
	const unfit = "api.yaml:3:7: POST /a/{p}/{u}/{n}/{odd}: "
	const remedy = "; name a required parameter of every operation of the scope, or leave from out and have the resolver fill the column"
	tests := []struct{ from, typ, want, problem string }{
		{"path.p", "string", "request.P to string", ""},
		{"path.odd", "string", "request.Odd", ""},
		{`query["odd.name"]`, "string", "request.Params.OddName", ""},
		{"header.x-shop", "string", "request.Params.XShop", ""},
		{"path.u", "uuid.UUID", "request.U", ""},
		{"path.u", "pgtype.UUID", "request.U to database UUID", ""},
		{"path.n", "int32", "request.N", ""},
		{"path.n", "int64", "request.N to int64", ""},
		{"query.i", "int64", "request.Params.I to int64", ""},
		{"path.n", "int16", "", unfit + "path.n is of type int32 in the generated Go, and column c of scope s of type int16; make the type of the column and of the parameter agree"},
		{"path.p", "uuid.UUID", "", unfit + "path.p is of type AParamsP in the generated Go, and column c of scope s of type uuid.UUID; make the type of the column and of the parameter agree"},
		{"query.o", "string", "", unfit + "query.o does not fill column c of scope s: it is optional, and a scope is never without a value" + remedy},
		{"query.x", "string", "", unfit + `query.x does not fill column c of scope s: it has no field for "x"` + remedy},
		{"body.x", "string", "", unfit + "body.x does not fill column c of scope s: only path, query, header and cookie parameters can" + remedy},
		{"body", "string", "", unfit + "body does not fill column c of scope s: it names no parameter" + remedy},
	}
	operation := annotated("POST", "/a/{p}/{u}/{n}/{odd}", "a")
	pkg := generated(t, load(t, scopeDocument), &oapi.Settings{}, operation)
	for _, test := range tests {
		t.Run(test.from+" to "+test.typ, func(t *testing.T) {
			operation.Scope = &model.Scope{Name: "s", Columns: []model.Column{{Name: "c", From: test.from}}}
			scope := &model.GoScope{Scope: operation.Scope, Fields: []model.GoField{{Name: "C", Type: test.typ, From: test.from}}}
			got, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, []*model.GoScope{scope}, document)
			if test.problem != "" {
				if diff := cmp.Diff(test.problem, errorText(t, err)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if filled := got.Operations[0].ScopeValues; len(filled) != 1 || filled[0].Field != "C" || value(filled[0].Value) != test.want {
				t.Errorf("got %v, want %s", filled, test.want)
			}
		})
	}
}

// In a contract of one body there are no two, and an unbound document has no key.
func TestRefusesOtherDocuments(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: Bodies, version: '1'}
paths:
  /two: {post: {operationId: two, requestBody: {content: {application/json: {schema: {type: string}}, application/vnd.a+json: {schema: {type: string}}}}, responses: {'204': {description: Done.}}}}
`
	operation := annotated("POST", "/two", "two")
	operation.ContentTypes = []string{"application/json"}
	operation.Fingerprint.Roots = []*model.Node{field{Is: model.String}.node("", "body", "body")}
	for want, pkg := range map[string]*gopkg.Package{
		`api.yaml:9:7: POST /two: body is in the document, but the generated TwoRequestObject has no field for it; list body under ignore`: generated(t, load(t, text), &oapi.Settings{}, operation),
		"api.yaml:4:7: POST /two: key header \"Idempotency-Key\": the generated TwoRequestObject has no parameters, and so no key\n" +
			`api.yaml:9:7: POST /two: body is in the document, but the generated TwoRequestObject has no field for it; list body under ignore`: generated(t, load(t, text), &oapi.Settings{}),
	} {
		_, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{operation}}, nil, document)
		if got := errorText(t, err); got != want {
			t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
		}
	}
}

func TestOtherGoHasNoStrictServer(t *testing.T) {
	for _, source := range []string{
		"package a\n",
		"package a\ntype StrictServerInterface interface { Do() }\n",
		"package a\ntype StrictServerInterface struct{}\n",
		"package a\ntype StrictServerInterface interface{ error }\n",
	} {
		pkg := parsed(t, gopkg.Source{Path: "a", Files: map[string][]byte{"a.go": []byte(source)}})
		if _, err := Resolve(pkg, &model.Contract{}, nil, document); !errors.Is(err, ErrNoStrictServer) {
			t.Errorf("%s: got %v", source, err)
		}
	}
}
