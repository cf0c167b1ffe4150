package render_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/render"
)

// A document's words are hostile until shown otherwise. Each of these tries to
// leave the string, comment or identifier that it is printed into.
var hostile = []string{
	"x\n*/ import \"os\"",
	"\"); panic(`x`); (\"",
	"'; DROP TABLE orders; --",
	"$$; SELECT 1; $$",
	"\u2028//go:embed x",
	"a\\",
	"{{.Package}}",
}

func TestHostileNamesStayInsideTheirLiterals(t *testing.T) {
	for _, framework := range frameworks {
		for _, name := range hostile {
			t.Run(framework.Name+" "+name, func(t *testing.T) {
				file, tame := parsed(t, decorator(framework, name)), parsed(t, decorator(framework, "plain"))
				if got, want := len(file.Decls), len(tame.Decls); got != want {
					t.Errorf("%d declarations, want %d as with a plain name", got, want)
				}
				if got, want := len(file.Imports), len(tame.Imports); got != want {
					t.Errorf("%d imports, want %d as with a plain name", got, want)
				}
			})
		}
	}
}

// frameworks has one of each family, and those that their family treats apart.
var frameworks = []model.Framework{
	{Name: "std-http", Family: "nethttp", Options: "StdHTTPServerOptions"},
	{Name: "chi", Family: "nethttp", Options: "ChiServerOptions"},
	{Name: "gorilla", Family: "nethttp", Options: "GorillaServerOptions"},
	{Name: "echo", Family: "echo", Context: "echo.Context"},
	{Name: "gin", Family: "gin", Context: "*gin.Context"},
	{Name: "fiber", Family: "fiber", Context: "*fiber.Ctx", App: "*fiber.App"},
	{Name: "iris", Family: "iris", Context: "iris.Context", App: "*iris.Application"},
}

func parsed(t *testing.T, code *model.Code) *ast.File {
	t.Helper()
	source, err := render.Decorator(code)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestHostileScopeNamesStayInsideTheirLiteralsInSQL(t *testing.T) {
	for _, name := range hostile {
		t.Run(name, func(t *testing.T) {
			contract := &model.Contract{Scopes: []*model.Scope{{
				Name: name, Table: name, Index: "i",
				Columns: []model.Column{{Name: "tenant_id", SQLType: "uuid"}},
			}}}
			schema, err := render.Schema(contract)
			if err != nil {
				t.Fatal(err)
			}
			outside := stripSQLLiterals(string(schema))
			for _, trace := range []string{"DROP", "import", "panic", "SELECT 1"} {
				if strings.Contains(outside, trace) {
					t.Errorf("%q is outside of a literal:\n%s", trace, schema)
				}
			}
		})
	}
}

// The body of the function that rotates partitions is in dollar quotes that nothing in
// the table's name can end.
func TestFunctionBodyStaysInsideItsQuotes(t *testing.T) {
	for _, name := range []string{"plain", "$$; SELECT 1; $$", "$rotate$; SELECT 1; $rotate$", "$rotate$rotate_$rotate__$", "rotate$", "$rotate"} {
		t.Run(name, func(t *testing.T) {
			schema, err := render.Schema(&model.Contract{Scopes: []*model.Scope{{
				Name: "s", Table: "keys", Index: "i", Columns: []model.Column{{Name: "tenant_id", SQLType: "uuid"}},
				Responses: &model.Responses{Table: name, Rotate: "rotate_" + name},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			opens := regexp.MustCompile(`(?m)^AS (\$\w+\$)$`).FindStringSubmatch(string(schema))
			if opens == nil {
				t.Fatalf("no body:\n%s", schema)
			}
			_, body, _ := strings.Cut(string(schema), "AS "+opens[1]+"\n")
			if body, rest, _ := strings.Cut(body, opens[1]); !strings.HasSuffix(body, "END\n") || !strings.HasPrefix(rest, ";\n") {
				t.Errorf("%s ends the body too early:\n%s", opens[1], schema)
			}
		})
	}
}

// stripSQLLiterals drops 'strings' and "identifiers", doubled quotes included.
func stripSQLLiterals(sql string) string {
	var out strings.Builder
	for i := 0; i < len(sql); i++ {
		quote := sql[i]
		if quote != '\'' && quote != '"' {
			out.WriteByte(quote)
			continue
		}
		for i++; i < len(sql); i++ {
			if sql[i] != quote {
				continue
			}
			if i+1 < len(sql) && sql[i+1] == quote {
				i++
				continue
			}
			break
		}
	}
	return out.String()
}

func TestLockQuotesWhatYAMLWouldRead(t *testing.T) {
	lock, err := render.Lock(&model.Lock{
		Operations: []model.LockOperation{{
			Name: "no", Scope: "account", Window: 72 * time.Hour,
			Versions: []model.LockVersion{{Version: 1, Fields: []model.LockField{
				{Path: "body.items[].sku", Type: "string"},
				{Path: `body["odd: name"]`, Type: "string", Default: `"it's"`},
			}}},
		}},
		Files: []string{"queries/idempotency.sql"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  - name: 'no'\n",
		"          - {path: 'body.items[].sku', type: string}\n",
		`          - {path: 'body["odd: name"]', type: string, default: '"it''s"'}` + "\n",
		"  - queries/idempotency.sql\n",
	} {
		if !strings.Contains(string(lock), want) {
			t.Errorf("lock lacks %q:\n%s", want, lock)
		}
	}
}

// decorator is a small, complete model in which every word that a document
// chooses freely is name.
func decorator(framework model.Framework, name string) *model.Code {
	call := func(query string, results ...string) *model.QueryCall {
		return &model.QueryCall{Name: query, Results: results, Args: []model.Arg{{Operand: model.OperationName}}}
	}
	record := model.Row{Type: model.RecordRow, Fields: []string{"A", "B", "C", "D", "E", "F"}}
	swept := model.Row{Type: model.SweptBatchRow, Fields: []string{"Swept", "SweptUntil"}, Same: true}
	scope := &model.CodeScope{
		GoScope: &model.GoScope{
			Scope: &model.Scope{Name: name, Table: name, LongestWindow: time.Hour},
			Type:  "AccountScope", Asks: true,
			QueryCalls: model.QueryCalls{
				Claim:  call("ClaimAccountKey"),
				Load:   call("LoadAccountKey", "A", "B", "C", "D", "E", "F"),
				Finish: call("FinishAccountKey"),
				Sweep:  call("SweepAccountKeys", "Swept", "SweptUntil"),
				Purge:  call("PurgeAccountKeys"),
			},
		},
		Keys: "accountKeys", Resolve: "accountScope",
		Fields: []model.GoField{{Name: "TenantID", Type: "int64", From: name}, {Name: "Provider", Type: "string", Param: "provider"}},
	}
	scope.Load.Row, scope.Sweep.Row = record, swept
	leaf := &model.Node{Name: name, Path: name, Full: name, Kind: model.String}
	object := &model.Node{Name: name, Path: name, Full: name, Kind: model.Object, Members: []*model.Node{leaf}}
	return &model.Code{
		Package: "orderapi", Framework: framework, QueriesName: "idemdb", Resolver: true, ParsesKeys: true, Source: name,
		Imports: [][]model.Import{{{Path: "context"}}},
		Scopes:  []*model.CodeScope{scope},
		Operations: []*model.CodeOperation{{
			GoOperation: &model.GoOperation{
				Operation: &model.Operation{
					Method: "POST", Path: name, ID: name, Name: name, Final: []string{"2XX"}, Headers: []string{name},
					Key: model.Key{Name: name, Required: true, MaxLength: 255, Pattern: name}, Window: time.Hour, MaxBody: 1 << 20,
				},
				GoName: "CreateOrder", Request: "CreateOrderRequestObject", Response: "CreateOrderResponseObject", Visit: "VisitCreateOrderResponse",
				HeaderKey: &model.HeaderKey{Value: model.Value{Access: model.Access{Path: []string{"request", "Params", "IdempotencyKey"}}}, Header: name},
			},
			Route: name, Var: "createOrderOperation", ScopeType: scope,
			Fingerprints: []*model.CodeFingerprint{{Func: "fingerprintCreateOrderV1", GoFingerprint: &model.GoFingerprint{
				Version: 1, Parameters: []*model.GoNode{{
					Node: object, Access: model.Access{Path: []string{"request", "Body", "ShipTo"}}, Presence: model.NotNil,
					Absent: []model.HashCall{{Method: "Skip", Args: []any{name}}},
					Members: []*model.GoNode{{
						Node: leaf,
						Hash: &model.HashCall{Method: "String", Args: []any{name}},
					}},
				}},
			}}},
		}},
		Others: []*model.GoOther{{
			OtherOperation: &model.OtherOperation{Method: "GET", Path: name, ID: name},
			GoName:         "GetOrder", Request: "GetOrderRequestObject", Response: "GetOrderResponseObject",
		}},
	}
}
