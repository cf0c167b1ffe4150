package plan

import (
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Server describes the code that oapi-codegen generated for the document.
type Server struct {
	Source     string // the document's file name
	Package    string // its name: "orderapi"
	Framework  model.Framework
	Names      []string // the top-level declarations of the package
	Operations []*model.GoOperation
	Others     []*model.GoOther
	Routes     map[string]string // the framework's notation of each path
	Document   diag.Position     // of the document, for problems without a position of their own
}

// fixedNames are declared by every generated file.
var fixedNames = []string{
	"ScopeResolver", "IdempotentOperations", otherOperations, "NewIdempotentServer",
	"IdempotencyTables", "idempotentServer", "idempotentAnswer", "idempotencyChecks",
}

const otherOperations = "OtherOperations" // only if there are such operations

// coder chooses the names that generated code declares, and reports conflicts.
type coder struct {
	db     Database
	server Server
	taken  *naming.Taken
	list   diag.List
}

// takeFixed reserves the names that every generated file declares.
func (c *coder) takeFixed() {
	for _, name := range slices.Concat(fixedNames, c.server.Framework.Names) {
		if name == otherOperations && len(c.server.Others) == 0 {
			continue
		}
		if holder, free := c.taken.Take(name, "idemgen"); !free {
			c.list.Errorf(c.server.Document, "rename the schema or operation, or give it another Go name with x-go-name",
				"%s generated %s, a name that idemgen's code needs", holder, name)
		}
	}
}

// tableKeys are the names of the types that run the queries of a scope's tables.
type tableKeys struct {
	current  string
	previous []string // in the order of the scope's previous tables
}

// nameScopes reserves the names of the scopes' types and returns, in the order of the
// scopes, the names of the types that run their queries.
func (c *coder) nameScopes(scopes []*model.GoScope) []tableKeys {
	keys := make([]tableKeys, len(scopes))
	for i, scope := range scopes {
		owner, lower := "scope "+scope.Name, naming.LowerFirst(scope.GoName)
		if holder, free := c.taken.Take(scope.Type, owner); !free {
			c.list.Errorf(scope.Pos, "rename the scope", "scope %q needs the Go name %s, which %s already generated for something else",
				scope.Name, scope.Type, holder)
		}
		keys[i].current = c.taken.Free(lower+"Keys", owner)
		for n := len(scope.PreviousTables); n > 0; n-- { // the oldest is always number 1
			keys[i].previous = append(keys[i].previous, c.taken.Free(fmt.Sprintf("%sKeysBefore%d", lower, n), owner))
		}
	}
	return keys
}

// operationNames are the names that generated code declares for one operation.
type operationNames struct {
	variable     string
	key          string // "" if the key is in a header
	fingerprints []string
}

// nameOperations returns the names of the operations in their order.
func (c *coder) nameOperations() []operationNames {
	all := make([]operationNames, len(c.server.Operations))
	for i, operation := range c.server.Operations {
		owner, lower := "operation "+operation.Name, naming.LowerFirst(operation.GoName)
		all[i].variable = c.taken.Free(lower+"Operation", owner)
		if operation.Key.InBody() {
			all[i].key = c.taken.Free(lower+"Key", owner)
		}
		for _, fingerprint := range operation.Fingerprints {
			name := fmt.Sprintf("fingerprint%sV%d", operation.GoName, fingerprint.Version)
			all[i].fingerprints = append(all[i].fingerprints, c.taken.Free(name, owner))
		}
		if operation.GoName == otherOperations {
			c.list.Errorf(operation.Pos, "rename the operation", "the operation needs the Go name OtherOperations, which idemgen's code declares")
		}
	}
	return all
}
