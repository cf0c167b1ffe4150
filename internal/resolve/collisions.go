package resolve

import (
	"go/ast"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
)

// collisions returns what oapi-codegen gave one Go name to: it does not look, and its
// output does not compile. The methods are those of the strict server, as far as it has
// any. What has no position of its own is reported at document.
func collisions(pkg *gopkg.Package, methods methods, contract *model.Contract, document diag.Position) diag.List {
	c := collisionFinder{files: pkg.Files, methods: methods, operations: contract.Operations, document: document}
	c.sameImports()
	types := declaredTypes(c.files)
	for _, spec := range types {
		ast.Inspect(spec.Type, func(node ast.Node) bool {
			if structure, ok := node.(*ast.StructType); ok {
				c.sameFields(spec.Name.Name, structure)
			}
			return true
		})
	}
	if !c.sameMethods() { // else each takes its types along
		c.sameTypes(types)
	}
	c.list.Sort()
	return c.list
}

type collisionFinder struct {
	files      []*ast.File
	methods    methods
	operations []*model.Operation
	document   diag.Position
	list       diag.List
}

// sameImports reports packages that are imported twice: by oapi-codegen itself,
// which needs them for its own code, and once more by an extension.
func (c *collisionFinder) sameImports() {
	for _, file := range c.files {
		seen := map[string]bool{}
		for _, spec := range file.Imports {
			path := gopkg.ImportPath(spec)
			if seen[path] {
				c.list.Errorf(c.document, "take that x-go-type-import away: the package is imported without it",
					"x-go-type-import of %q makes oapi-codegen import the package twice, which does not compile", path)
			}
			seen[path] = true
		}
	}
}

func (c *collisionFinder) sameFields(owner string, structure *ast.StructType) {
	for _, pair := range doubles(structure.Fields) {
		c.list.Errorf(c.positionOf(owner), "give one of them another Go name with x-go-name",
			"oapi-codegen gives %s and %s of %s the same Go name %s",
			fieldSource(pair.first), fieldSource(pair.second), owner, pair.name)
	}
}

// sameMethods reports operations that share a Go name, and whether there are any.
func (c *collisionFinder) sameMethods() bool {
	strict := strictInterface(c.files)
	if strict == nil {
		return false
	}
	pairs := doubles(strict.Methods)
	for _, pair := range pairs {
		first, second := routeOf(pair.first.Doc), routeOf(pair.second.Doc)
		pos := c.document
		for _, operation := range c.operations {
			if route := operation.Method + " " + operation.Path; route == first || route == second {
				pos = operation.Pos
			}
		}
		c.list.Errorf(pos, "give one of them another operationId",
			"oapi-codegen gives the operations %s and %s the same Go name %s", first, second, pair.name)
	}
	return len(pairs) > 0
}

// sameTypes reports types whose name is declared once more, by another type or by
// something of oapi-codegen's own.
func (c *collisionFinder) sameTypes(types []declaredType) {
	others := otherNames(c.files)
	first := map[string]declaredType{}
	for _, declared := range types {
		name := declared.Name.Name
		before, ok := others[name]
		if twin, twice := first[name]; twice {
			before, ok = twin.source(), true
		}
		if ok {
			c.list.Errorf(c.document, "rename one of them, or give it another Go name with x-go-name",
				"oapi-codegen gives two things the same Go name %s: %s and %s", name, before, declared.source())
			continue
		}
		first[name] = declared
	}
}

// positionOf is the annotated operation whose parameters or request a type
// belongs to, or else the document.
func (c *collisionFinder) positionOf(name string) diag.Position {
	for _, operation := range c.operations {
		m, ok := c.methods.find(operation.Method, operation.Path, operation.ID)
		if ok && (name == m.name+"Params" || name == m.request.Obj().Name()) {
			return operation.Pos
		}
	}
	return c.document
}
