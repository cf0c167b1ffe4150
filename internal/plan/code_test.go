package plan

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/spec"
)

// fakeSqlc returns what sqlc's reader returns, with the types of a configuration that
// overrides only uuid.
type fakeSqlc struct {
	contract *model.Contract
	change   func(query *model.Query) // what options and overrides do
}

func (f fakeSqlc) query(name string) (*model.Query, error) {
	for _, scope := range f.contract.Scopes {
		var columns []argument
		for _, column := range scope.Columns {
			columns = append(columns, argument{parameter: column.Name, sqlType: column.SQLType})
		}
		var query *model.Query
		switch name {
		case scope.Queries.Claim:
			query = fakeQuery(name, slices.Concat(columns, claimArguments), nil)
		case scope.Queries.Load:
			query = fakeQuery(name, slices.Concat(columns, keyArguments), loadResults)
		case scope.Queries.Finish:
			query = fakeQuery(name, slices.Concat(finishArguments, columns, keyArguments), nil)
		case scope.Queries.Sweep:
			query = fakeQuery(name, sweepArguments, sweepResults)
		case scope.Queries.Purge:
			query = fakeQuery(name, purgeArguments, purgeResults)
		default:
			continue
		}
		if f.change != nil {
			f.change(query)
		}
		return query, nil
	}
	return nil, fmt.Errorf("no query %s", name)
}

func fakeQuery(name string, arguments []argument, results []result) *model.Query {
	query := &model.Query{Name: name, DBArgument: true, ParamsStruct: name + "Params"}
	for _, a := range arguments {
		query.Params = append(query.Params, fakeValue(a.parameter, a.sqlType))
	}
	for _, r := range results {
		query.Results = append(query.Results, fakeValue(r.column, r.sqlType))
	}
	if len(results) > 1 {
		query.ResultStruct = name + "Row"
	}
	return query
}

func fakeValue(name, sqlType string) model.QueryValue {
	value := model.QueryValue{SQL: name, Field: naming.Exported(name)}
	value.Type = map[string]string{
		"uuid": "uuid.UUID", "text": "string", "bytea": "[]byte", "boolean": "bool",
		"smallint": "int16", "integer": "int32", "bigint": "int64",
	}[sqlType]
	if sqlType == "uuid" {
		value.Imports = []model.Import{{Path: "github.com/google/uuid"}}
	}
	return value
}

type codeCase struct {
	change     func(*model.Query)
	dbName     string
	importPath string
	names      []string
}

// plan runs Scopes and Code on the example's contract.
func (c codeCase) plan(t *testing.T) (*model.Code, diag.List) {
	t.Helper()
	doc, _ := spec.Load("../../openapi/orders.yaml", "")
	contract, list := Contract(doc, Options{})
	if contract == nil {
		t.Fatal(list.Error())
	}
	db := Database{
		ImportPath: "example.com/shop/internal/idemdb",
		Name:       "idemdb",
		DBArgument: true,
		Config:     diag.Position{File: "sqlc.yaml", Line: 3, Column: 5},
		Query:      fakeSqlc{contract, c.change}.query,
	}
	if c.dbName != "" {
		db.Name, db.ImportPath = c.dbName, c.importPath
	}
	scopes, list, err := Scopes(contract, db)
	if err != nil {
		t.Fatal(err)
	}
	if scopes == nil {
		return nil, list
	}
	return Code(scopes, db, fakeServer(contract, c.names))
}

func fakeServer(contract *model.Contract, names []string) Server {
	server := Server{
		Package: "orderapi",
		Framework: model.Framework{
			Name: "std-http", Family: "nethttp", Imports: []model.Import{{Path: "errors"}, {Path: "net/http"}},
			Names: []string{"IdempotencyBodyLimit", "IdempotencyErrorHandler"},
		},
		Names:    append([]string{"Order", "StrictServerInterface"}, names...),
		Routes:   map[string]string{"/orders": "/orders/"},
		Document: diag.Position{File: "orders.yaml", Line: 1, Column: 1},
	}
	for _, operation := range contract.Operations {
		fingerprint := &model.GoFingerprint{Version: 1}
		if operation.ID == "createOrder" {
			big := model.HashCall{Method: "BigInt", Args: []any{model.Value{Convert: []model.Conversion{model.BigInt}}}}
			fingerprint.Parameters = []*model.GoNode{{Node: &model.Node{}, Hash: &big}}
		}
		server.Operations = append(server.Operations, &model.GoOperation{
			Operation:    operation,
			GoName:       naming.Exported(operation.ID),
			HeaderKey:    &model.HeaderKey{},
			Fingerprints: []*model.GoFingerprint{fingerprint},
		})
	}
	for _, other := range contract.Others {
		server.Others = append(server.Others, &model.GoOther{OtherOperation: other, GoName: naming.Exported(other.ID)})
	}
	return server
}

func TestCode(t *testing.T) {
	code, list := codeCase{}.plan(t)
	if code == nil || len(list) > 0 {
		t.Fatal(list.Error())
	}
	goldentest.File(t, "testdata/code.want", dumpCode(code))
}

func dumpCode(code *model.Code) string {
	var out strings.Builder
	fmt.Fprintf(&out, "package %s, queries %s, db argument %t, resolver %t, parses keys %t\n",
		code.Package, code.QueriesName, code.DBArgument, code.Resolver, code.ParsesKeys)
	for _, group := range code.Imports {
		fmt.Fprintf(&out, "imports %v\n", group)
	}
	for _, s := range code.Scopes {
		fmt.Fprintf(&out, "scope %s: %s, %s, fields %v, asks %t\n", s.Name, s.Type, s.Keys, s.Fields, s.Asks)
		fmt.Fprintf(&out, "\tasked by %s: %v\n", s.Resolve, s.Asked())
		for _, call := range []*model.QueryCall{s.Claim, s.Load, s.Finish, s.Sweep, s.Purge} {
			fmt.Fprintf(&out, "\t%s %s %t whole batch %t, row %v, results %v %t\n", call.Name, call.Struct, call.StructPointer, call.WholeBatch, call.Row, call.Results, call.ResultPointer)
			for _, arg := range call.Args {
				fmt.Fprintf(&out, "\t\t%s: %s\n", arg.Field, cmp.Or(string(arg.Operand), "scope's "+arg.ScopeField))
			}
		}
	}
	for _, o := range code.Operations {
		fmt.Fprintf(&out, "operation %s: %s, scope %s, %s, route %q\n", o.GoName, o.Var, o.ScopeType.Type, o.Fingerprints[0].Func, o.Route)
	}
	return out.String()
}

// override replaces a Go type wherever it occurs.
func override(from, to string, imports ...model.Import) func(*model.Query) {
	return func(query *model.Query) {
		for _, values := range [][]model.QueryValue{query.Params, query.Results} {
			for i := range values {
				if values[i].Type == from {
					values[i].Type, values[i].Imports = to, imports
				}
			}
		}
	}
}

func TestCodeRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		codeCase
		want []string
	}{
		"column type that is not comparable": {
			codeCase{change: override("uuid.UUID", "*uuid.UUID")},
			[]string{`sqlc.yaml: column tenant_id of scope "account" becomes the Go type *uuid.UUID, whose values cannot be compared with ==; remove the override, or give it a type such as uuid.UUID or string`},
		},
		"other type for bytea": {
			codeCase{change: func(q *model.Query) {
				if q.Name == "LoadAccountKey" {
					override("[]byte", "json.RawMessage")(q)
				}
			}},
			[]string{
				`sqlc.yaml: an override gives column body of query LoadAccountKey the Go type json.RawMessage, and idemgen's code needs []byte; remove the override of bytea, or limit it to columns of your own tables with column:`,
				`sqlc.yaml: an override gives column fingerprint of query LoadAccountKey the Go type json.RawMessage, and idemgen's code needs []byte; remove the override of bytea, or limit it to columns of your own tables with column:`,
				`sqlc.yaml: an override gives column headers of query LoadAccountKey the Go type json.RawMessage, and idemgen's code needs []byte; remove the override of bytea, or limit it to columns of your own tables with column:`,
			},
		},
		"scope type declared in the document": {
			codeCase{names: []string{"AccountScope"}},
			[]string{`orders.yaml: scope "account" needs the Go name AccountScope, which oapi-codegen already generated for something else; rename the scope`},
		},
		"fixed name declared in the document": {
			codeCase{names: []string{"ScopeResolver"}},
			[]string{`orders.yaml: oapi-codegen generated ScopeResolver, a name that idemgen's code needs; rename the schema or operation, or give it another Go name with x-go-name`},
		},
		"two packages with the same name": {
			codeCase{change: override("uuid.UUID", "time.ID", model.Import{Path: "example.com/time"})},
			[]string{`sqlc.yaml: packages time and example.com/time are both named time; give one of them another import name in the override`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			code, list := test.plan(t)
			if code != nil {
				t.Fatal("it was accepted")
			}
			checkPositions(t, list)
			var got []string
			for _, d := range list {
				d.Pos = diag.Position{File: filepath.Base(d.Pos.File)} // the example's lines move
				got = append(got, d.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestQueriesName imports sqlc's package under another name if the generated functions
// declare its own.
func TestQueriesName(t *testing.T) {
	for _, test := range []struct {
		codeCase
		wantName   string
		wantImport model.Import
	}{
		{codeCase{dbName: "store", importPath: "example.com/shop/store"}, "store", model.Import{Path: "example.com/shop/store"}},
		{codeCase{dbName: "store", importPath: "example.com/shop/go-store"}, "store", model.Import{Name: "store", Path: "example.com/shop/go-store"}},
		{codeCase{dbName: "db", importPath: "example.com/shop/db"}, "dbqueries", model.Import{Name: "dbqueries", Path: "example.com/shop/db"}},
		{codeCase{dbName: "idem", importPath: "example.com/shop/idem"}, "idemqueries", model.Import{Name: "idemqueries", Path: "example.com/shop/idem"}},
		{codeCase{dbName: "uuid", importPath: "example.com/shop/uuid"}, "uuidqueries", model.Import{Name: "uuidqueries", Path: "example.com/shop/uuid"}},
		{codeCase{dbName: "store", importPath: "example.com/shop/store", names: []string{"store"}}, "storequeries", model.Import{Name: "storequeries", Path: "example.com/shop/store"}},
	} {
		code, list := test.plan(t)
		if code == nil {
			t.Fatal(list.Error())
		}
		if code.QueriesName != test.wantName || !slices.Contains(code.Imports[2], test.wantImport) {
			t.Errorf("package %s: name %s, imports %v", test.dbName, code.QueriesName, code.Imports[2])
		}
	}
}

// TestUnexportedNames avoids names that oapi-codegen has already used.
func TestUnexportedNames(t *testing.T) {
	code, list := codeCase{names: []string{"accountKeys", "createOrderOperation", "fingerprintCreateOrderV1"}}.plan(t)
	if code == nil {
		t.Fatal(list.Error())
	}
	got := []string{code.Scopes[0].Keys, code.Operations[0].Var, code.Operations[0].Fingerprints[0].Func}
	if want := []string{"accountKeys2", "createOrderOperation2", "fingerprintCreateOrderV12"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPositionalArguments covers queries to which sqlc passes parameters one by one
// and in another order.
func TestPositionalArguments(t *testing.T) {
	code, list := codeCase{change: func(q *model.Query) {
		q.ParamsStruct = ""
		slices.Reverse(q.Params)
		for i := range q.Params {
			q.Params[i].Field = ""
		}
	}}.plan(t)
	if code == nil {
		t.Fatal(list.Error())
	}
	load := code.Scopes[0].Load
	want := []model.Arg{{Operand: model.IdempotencyKey}, {Operand: model.OperationName}, {ScopeField: "UserID"}, {ScopeField: "TenantID"}}
	if load.Struct != "" || !slices.Equal(load.Args, want) {
		t.Errorf("struct %q, arguments %v", load.Struct, load.Args)
	}
}
