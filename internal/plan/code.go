package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Database is what sqlc has made of the queries.
type Database struct {
	ImportPath string
	Name       string                                  // of the package: "idemdb"
	DBArgument bool                                    // queries take the connection as an argument
	Config     diag.Position                           // of sqlc's configuration, for what its options break
	Query      func(name string) (*model.Query, error) // the function of one query
}

// Server is what oapi-codegen has made of the document.
type Server struct {
	Source     string // the document's file name
	Package    string // its name: "orderapi"
	Framework  model.Framework
	Names      []string // what the package declares at its top level
	Operations []*model.CodeOperation
	Others     []*model.CodeOther
	Imports    []string      // packages that the operations' expressions use
	Document   diag.Position // of the document, for what has no position of its own
}

// runtimePaths are the packages that generated code is written against.
var runtimePaths = []string{ourModules + "idem", ourModules + "idem/fingerprint", ourModules + "idem/idemrt"}

// ourModules begins the import paths of the runtime and of its adapters.
const ourModules = "github.com/idemgen/idemgen/"

// fixedNames are declared by every generated file.
var fixedNames = []string{
	"ScopeResolver", "IdempotentOperations", "OtherOperations", "NewIdempotentServer",
	"IdempotencyTables", "idempotentServer", "idempotentAnswer", "idempotencyChecks",
}

// Code joins what the two generators have made of the contract. Scopes
// are those that [Scopes] has returned and that the operations refer to. The code
// is complete only if the list holds no error; otherwise it is nil.
func Code(scopes []*model.CodeScope, db Database, server Server) (*model.Code, diag.List) {
	c := &coder{taken: naming.NewTaken("oapi-codegen", server.Names...), db: db, server: server}
	code := &model.Code{
		Source:     server.Source,
		Package:    server.Package,
		Framework:  server.Framework,
		DBArgument: db.DBArgument,
		Scopes:     scopes,
		Operations: server.Operations,
		Others:     server.Others,
		ParsesKeys: slices.ContainsFunc(server.Operations, parsesKey),
	}
	c.takeFixed(len(server.Others) > 0)
	c.nameScopes(scopes)
	c.nameOperations(code)
	code.Imports = c.imports(code)
	code.QueriesName = c.queriesName(code)
	for _, scope := range scopes {
		code.Resolver = code.Resolver || scope.Asks
		c.qualify(scope, code.QueriesName)
	}
	c.list.Sort()
	if c.list.HasErrors() {
		return nil, c.list
	}
	return code, c.list
}

type coder struct {
	db     Database
	server Server
	taken  *naming.Taken
	list   diag.List
}

// parsesKey reports whether the key is of a type of its own, which the generated server
// parses before anything of ours can look at it.
func parsesKey(operation *model.CodeOperation) bool {
	return !operation.Key.InBody() && strings.Contains(operation.KeyExpr, ".KeyText(")
}

// takeFixed takes the names that are the same in every generated file.
func (c *coder) takeFixed(others bool) {
	for _, name := range append(slices.Clone(fixedNames), c.server.Framework.Names...) {
		if name == "OtherOperations" && !others {
			continue
		}
		if holder, free := c.taken.Take(name, "idemgen"); !free {
			c.list.Errorf(c.server.Document, "rename the schema or operation, or give it another Go name with x-go-name",
				"%s has generated %s, a name that idemgen's own code needs", holder, name)
		}
	}
}

func (c *coder) nameScopes(scopes []*model.CodeScope) {
	for _, scope := range scopes {
		if holder, free := c.taken.Take(scope.Type, "scope "+scope.Name); !free {
			c.list.Errorf(scope.Pos, "rename the scope", "scope %q needs the Go name %s, which %s has generated for something else",
				scope.Name, scope.Type, holder)
		}
		scope.Keys = c.taken.Free(naming.LowerFirst(scope.GoName)+"Keys", "scope "+scope.Name)
	}
}

func (c *coder) nameOperations(code *model.Code) {
	for _, operation := range code.Operations {
		owner := "operation " + operation.Name
		operation.Var = c.taken.Free(naming.LowerFirst(operation.GoName)+"Operation", owner)
		if operation.KeyFunc != "" {
			operation.KeyFunc = c.taken.Free(operation.KeyFunc, owner)
			operation.KeyExpr = operation.KeyFunc + "(request)"
		}
		for _, fingerprint := range operation.Fingerprints {
			fingerprint.Func = c.taken.Free(fingerprint.Func, owner)
		}
		if operation.GoName == "OtherOperations" {
			c.list.Errorf(operation.Pos, "rename the operation", "the operation needs the Go name OtherOperations, which idemgen's own code has")
		}
	}
}

// qualify spells the names of sqlc's package as the generated file imports it.
func (c *coder) qualify(scope *model.CodeScope, queries string) {
	for _, call := range []*model.QueryCall{scope.Claim, scope.Load, scope.Finish, scope.Sweep, scope.Rotate, scope.Purge} {
		if call != nil {
			call.Struct = requalify(call.Struct, c.db.Name, queries)
		}
	}
	for _, fields := range [][]model.GoField{scope.Fields, scope.Asked} {
		for i := range fields {
			if fields[i].Ours {
				fields[i].Type = requalify(fields[i].Type, c.db.Name, queries)
			}
		}
	}
}

// imports lists what the generated file imports: the standard library, others,
// and in the end what belongs to the consumer and to the runtime.
func (c *coder) imports(code *model.Code) [][]model.Import {
	needed := []model.Import{
		{Path: "context"},
		{Path: "time"},
		{Path: "github.com/jackc/pgx/v5"},
		{Path: c.db.ImportPath},
	}
	for _, path := range runtimePaths {
		needed = append(needed, model.Import{Path: path})
	}
	if usesMaps(code) {
		needed = append(needed, model.Import{Path: "maps"}, model.Import{Path: "slices"})
	}
	for _, imported := range c.server.Framework.Imports {
		if imported.Path != "errors" || code.ParsesKeys { // for what is wrong with a key
			needed = append(needed, imported)
		}
	}
	for _, path := range c.server.Imports {
		needed = append(needed, model.Import{Path: path})
	}
	for _, scope := range code.Scopes {
		needed = append(needed, scope.Imports...)
	}
	slices.SortFunc(needed, func(a, b model.Import) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
	groups := make([][]model.Import, 3)
	for _, imported := range slices.Compact(needed) {
		group := c.importGroup(imported)
		groups[group] = append(groups[group], imported)
	}
	return groups
}

func (c *coder) importGroup(imported model.Import) int {
	switch {
	case imported.Path == c.db.ImportPath, strings.HasPrefix(imported.Path, ourModules):
		return 2
	case imported.Name == "" && isStandard(imported.Path):
		return 0
	default:
		return 1
	}
}

// usesMaps reports whether a fingerprint ranges over a map's keys.
func usesMaps(code *model.Code) bool {
	var inNode func(n *model.Node) bool
	inNode = func(n *model.Node) bool {
		return n.Kind == model.Map || slices.ContainsFunc(n.Members, inNode) || n.Elem != nil && inNode(n.Elem)
	}
	for _, operation := range code.Operations {
		if slices.ContainsFunc(operation.Fingerprint.Roots, inNode) {
			return true
		}
		for _, older := range operation.Older {
			if slices.ContainsFunc(older.Roots, inNode) {
				return true
			}
		}
	}
	return false
}
