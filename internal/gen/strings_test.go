package gen_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
)

// FuzzStrings gives the generator documents whose strings try to leave the literal,
// comment, struct tag or identifier that they are printed into. Such a document is
// refused with diagnostics, or what is generated is what a tame document yields but
// for the words: as many declarations, fields, statements and directives.
func FuzzStrings(f *testing.F) {
	for i := range places {
		for j, text := range breakouts {
			if (i+j)%8 == 0 || fuzzing() { // or else each text somewhere, and several at each place
				f.Add(uint8(i), text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, place uint8, text string) {
		if !utf8.ValidString(text) {
			return // no document has such a string
		}
		p := places[int(place)%len(places)]
		got, accepted := outline(t, strings.ReplaceAll(p.around, "TEXT", text), p)
		if !accepted {
			return
		}
		want := tame(t, p)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s = %q: -tame +got\n%s", p.name, text, diff)
		}
	})
}

// TestTameStrings generates from the documents that the others are compared with.
func TestTameStrings(t *testing.T) {
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			if len(tame(t, p)) == 0 {
				t.Error("nothing is generated")
			}
		})
	}
}

var tameOutlines sync.Map // place.name → map[string]int

// tame returns the outline of what is generated from the tame text at p.
func tame(t *testing.T, p place) map[string]int {
	t.Helper()
	if known, ok := tameOutlines.Load(p.name); ok {
		return known.(map[string]int)
	}
	counts, accepted := outline(t, strings.ReplaceAll(p.around, "TEXT", p.tame), p)
	if !accepted {
		t.Fatalf("%s: a tame text is refused", p.name)
	}
	tameOutlines.Store(p.name, counts)
	return counts
}

// breakouts begin where a literal, comment, tag or identifier may end.
var breakouts = []string{
	"x\n*/ import \"os\"\nfunc init() { panic(1) }\n/*",
	"\"); panic(`x`); (\"",
	"`; func init() {}; var _ = `",
	"'; DROP TABLE orders; --",
	"\"; DROP TABLE orders; --",
	"$$; SELECT 1; $$",
	"\"$rotate$; SELECT 1; $rotate$\"",
	"x\n-- name: Evil :exec\nDELETE FROM orders;",
	"x\r-- name: Evil :exec\rDELETE FROM orders;",
	"\u2028//go:embed x",
	"x\n//go:build ignore\n",
	"x\n//line evil.go:1\n",
	"a\\",
	"a\" json:\"b",
	"{{.Package}}",
	"sqlc.arg(x) @y :z $1",
	"\x00",
	"*/",
	"%s%!d",
	"\n  evil: true",
	"a: b # c",
	"\ufeff\u0085\u2029",
}

// place is a string of the document.
type place struct {
	name   string
	at     []string // where the string goes; a last "*" is a member's name
	around string   // what it is put into: TEXT
	tame   string   // a text that is accepted there
}

const createOrder = "paths//orders/{id}/post/"

var places = []place{
	{"title", at("info/title"), "TEXT", "Orders"},
	{"description of the document", at("info/description"), "TEXT", "Orders"},
	{"summary", at(createOrder + "summary"), "TEXT", "Creates"},
	{"description", at(createOrder + "description"), "TEXT", "Creates"},
	{"operationId", at(createOrder + "operationId"), "TEXT", "createOrder"},
	{"operationId's end", at(createOrder + "operationId"), "createOrderTEXT", "X"},
	{"stored name", at(createOrder + "x-idempotent/name"), "TEXT", "createOrder"},
	{"key header", at(createOrder + "x-idempotent/key/name"), "TEXT", "X-Other"},
	{"replayed header", at(createOrder + "x-idempotent/replay/headers/0"), "TEXT", "X-Replayed"},
	{"pattern of the key", at(createOrder + "parameters/1/schema/pattern"), "TEXT", "^[a-z]+$"},
	{"parameter", at(createOrder + "parameters/3/name"), "TEXT", "extra"},
	{"parameter's description", at(createOrder + "parameters/2/description"), "TEXT", "The mode."},
	{"parameter's default", at(createOrder + "parameters/2/schema/default"), "TEXT", "fast"},
	{"response's description", at(createOrder + "responses/201/description"), "TEXT", "Created."},
	{"response header", at(createOrder + "responses/201/headers/*"), "TEXT", "Location"},
	{"tag", at(createOrder + "tags/0"), "TEXT", "orders"},
	{"schema", at("components/schemas/*"), "TEXT", "Extra"},
	{"schema's description", at("components/schemas/Order/description"), "TEXT", "An order."},
	{"property", at("components/schemas/Order/properties/*"), "TEXT", "note"},
	{"property's description", at("components/schemas/Order/properties/sku/description"), "TEXT", "What."},
	{"property's default", at("components/schemas/Order/properties/sku/default"), "TEXT", "none"},
	{"property's pattern", at("components/schemas/Order/properties/sku/pattern"), "TEXT", "^[a-z]+$"},
	{"enum value", at("components/schemas/Order/properties/kind/enum/1"), "TEXT", "rush"},
	{"path", at("paths/*"), "/TEXT", "parcels"},
	{"scope", at("x-idempotent/scopes/*"), "TEXT", "other"},
	{"table", at("x-idempotent/scopes/account/table"), "TEXT", "account_keys"},
	{"schema of the table", at("x-idempotent/scopes/account/table"), "TEXT.keys", "shop"},
	{"response table", at("x-idempotent/scopes/account/responses/table"), "TEXT", "answers"},
	{"column", at("x-idempotent/scopes/account/columns/1/name"), "TEXT", "user_id"},
	{"column from the path", at("x-idempotent/scopes/account/columns/0/from"), "path.TEXT", "id"},
}

func at(path string) []string {
	path = strings.ReplaceAll(path, "//orders/{id}/", "/\x00/")
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if step == "\x00" {
			steps[i] = "/orders/{id}"
		}
	}
	return steps
}

// outline generates from the document that has text at p, and returns what is there
// whatever the words are.
func outline(t *testing.T, text string, p place) (counts map[string]int, accepted bool) {
	t.Helper()
	dir := t.TempDir()
	unpack(t, &txtar.Archive{Files: []txtar.File{
		{Name: "api.yaml", Data: documentWith(t, text, p)},
		{Name: "go.mod", Data: []byte("module fuzzed\n")},
		{Name: "idemgen.yaml", Data: []byte(defaultConfig + "bound: api/openapi.gen.yaml\n")},
	}}, dir)
	t.Chdir(dir)
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result, err := gen.Run(t.Context(), c, gen.Options{})
	if err != nil {
		checkRefusal(t, err)
		return nil, false
	}
	counts = map[string]int{}
	for _, file := range result.Files {
		name := filepath.ToSlash(file.Display)
		switch filepath.Ext(name) {
		case ".go":
			countGo(t, counts, name, file.Content)
		case ".sql":
			countSQL(counts, name, string(file.Content))
		case ".yaml":
			countYAML(t, counts, name, file.Content)
		}
	}
	return counts, true
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("not a diagnostic: %v", err)
	}
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no position: %s", d)
		}
		if strings.Contains(d.String(), "fault of idemgen") {
			t.Error(d)
		}
	}
}

// documentWith returns the document as JSON, which any string can be part of.
func documentWith(t *testing.T, text string, p place) []byte {
	t.Helper()
	var document map[string]any
	if err := yaml.Unmarshal([]byte(tameDocument), &document); err != nil {
		t.Fatal(err)
	}
	put(document, p.at, text)
	for _, other := range places {
		if other.at[len(other.at)-1] == "*" && other.name != p.name {
			put(document, other.at, strings.ReplaceAll(other.around, "TEXT", other.tame))
		}
	}
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// put sets a value in the tree, or gives a member that is called "*" its name.
func put(tree any, at []string, text string) {
	last := len(at) == 1
	switch tree := tree.(type) {
	case []any:
		i, _ := strconv.Atoi(at[0])
		if last {
			tree[i] = text
			return
		}
		put(tree[i], at[1:], text)
	case map[string]any:
		switch {
		case last && at[0] == "*":
			value := tree["*"]
			delete(tree, "*")
			tree[text] = value
		case last:
			tree[at[0]] = text
		default:
			put(tree[at[0]], at[1:], text)
		}
	}
}

// tameDocument is where texts are put. What is called "*" has its name from a place.
const tameDocument = `
openapi: 3.0.3
info: {title: Orders, version: "1", description: Orders.}
x-idempotent:
  scopes:
    account:
      table: account_keys
      responses: {partition: day, table: account_answers}
      columns:
        - {name: tenant_id, type: string, maxLength: 64, from: path.id}
        - {name: user_id, type: int64}
    "*": {columns: [{name: other_id, type: int64}]}
paths:
  /orders/{id}:
    post:
      operationId: createOrder
      summary: Creates an order.
      description: Creates an order.
      tags: [orders]
      x-idempotent:
        scope: account
        name: createOrder
        key: {name: X-Key}
        fingerprint: {fields: [body, query.mode]}
        replay: {headers: [X-Replayed]}
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: X-Key, in: header, required: true, schema: {type: string, pattern: "^[a-z]+$"}}
        - {name: mode, in: query, description: The mode., schema: {type: string, default: fast}}
        - {name: extra, in: query, schema: {type: string}}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses:
        '201':
          description: Created.
          headers: {"*": {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
  "*":
    get:
      operationId: look
      responses: {'204': {description: Nothing.}}
components:
  schemas:
    "*": {type: object, properties: {a: {type: string}}}
    Order:
      type: object
      description: An order.
      properties:
        sku: {type: string, description: What., default: none, pattern: "^[a-z]+$"}
        kind: {type: string, enum: [normal, rush]}
        "*": {type: string}
`

// countGo counts what a file declares, and its directives. The file must parse.
func countGo(t *testing.T, counts map[string]int, name string, text []byte) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	count := func(what string) { counts[name+": "+what]++ }
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if directive.MatchString(comment.Text) {
				count("directive")
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Field:
			count("field")
			if node.Tag != nil {
				checkTag(t, node.Tag.Value)
			}
		case *ast.FuncDecl, *ast.ImportSpec, *ast.TypeSpec, *ast.ValueSpec, *ast.CallExpr, *ast.AssignStmt, *ast.IfStmt:
			count(reflect.TypeOf(node).Elem().Name())
		}
		return true
	})
}

var (
	directive = regexp.MustCompile(`^(//[a-z]+:|//line |/\*line |//export |//extern |// \+build)`)
	tagPairs  = regexp.MustCompile(`^[a-z]+:"([^"\\]|\\.)*"( [a-z]+:"([^"\\]|\\.)*")*$`)
)

func checkTag(t *testing.T, literal string) {
	t.Helper()
	tag, err := strconv.Unquote(literal)
	if err != nil || !tagPairs.MatchString(tag) {
		t.Errorf("struct tag %s", literal)
	}
}

// countSQL counts statements, and the comments that sqlc reads.
func countSQL(counts map[string]int, name, text string) {
	counts[name+": statement"] = strings.Count(sqlOutside.ReplaceAllString(text, "''"), ";")
	counts[name+": query"] = len(sqlcName.FindAllString(text, -1))
}

var (
	// Identifiers, literals, and comments to the end of the line as PostgreSQL sees it.
	sqlOutside = regexp.MustCompile(`"[^"]*"|'[^']*'|--[^\n\r]*`)
	sqlcName   = regexp.MustCompile(`(?m)^\s*(--|/\*|#)\s*name:`)
)

// countYAML counts the values at the root. The file must be YAML.
func countYAML(t *testing.T, counts map[string]int, name string, text []byte) {
	t.Helper()
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	for key := range tree {
		counts[name+": "+key]++
	}
}
