package oapi

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// collisions reports what oapi-codegen gave one Go name to: it does not look, and
// its output does not compile.
func (r *resolver) collisions(contract *model.Contract, document diag.Position) {
	r.sameImports(document)
	for spec := range r.pkg.typeSpecs() {
		ast.Inspect(spec.Type, func(node ast.Node) bool {
			if structure, ok := node.(*ast.StructType); ok {
				r.sameFields(spec.Name.Name, structure, contract, document)
			}
			return true
		})
	}
	if !r.sameMethods(contract, document) { // else each takes its types along
		r.sameTypes(document)
	}
	r.out.Sort()
}

// sameImports reports packages that are imported twice: by oapi-codegen itself,
// which needs them for its own code, and once more by an extension.
func (r *resolver) sameImports(document diag.Position) {
	for _, file := range r.pkg.files {
		seen := map[string]bool{}
		for _, spec := range file.Imports {
			path := importPath(spec)
			if seen[path] {
				r.out.Errorf(document, "take that x-go-type-import away: the package is imported without it",
					"x-go-type-import of %q makes oapi-codegen import the package twice, which does not compile", path)
			}
			seen[path] = true
		}
	}
}

func (r *resolver) sameFields(owner string, structure *ast.StructType, contract *model.Contract, document diag.Position) {
	for _, pair := range doubles(structure.Fields) {
		r.out.Errorf(r.positionOf(owner, contract, document), "give one of them another Go name with x-go-name",
			"oapi-codegen gives %s and %s of %s the same Go name %s",
			fieldSource(pair.first), fieldSource(pair.second), owner, pair.name)
	}
}

// sameMethods reports operations that share a Go name, and whether there are any.
func (r *resolver) sameMethods(contract *model.Contract, document diag.Position) bool {
	strict := r.pkg.strictInterface()
	if strict == nil {
		return false
	}
	pairs := doubles(strict.Methods)
	for _, pair := range pairs {
		first, second := routeOf(pair.first.Doc), routeOf(pair.second.Doc)
		pos := document
		for _, operation := range contract.Operations {
			if route := operation.Method + " " + operation.Path; route == first || route == second {
				pos = operation.Pos
			}
		}
		r.out.Errorf(pos, "give one of them another operationId",
			"oapi-codegen gives the operations %s and %s the same Go name %s", first, second, pair.name)
	}
	return len(pairs) > 0
}

// sameTypes reports types whose name is declared once more, by another type or by
// something of oapi-codegen's own.
func (r *resolver) sameTypes(document diag.Position) {
	others := r.pkg.otherNames()
	first := map[string]*ast.TypeSpec{}
	for spec := range r.pkg.typeSpecs() {
		name := spec.Name.Name
		before, ok := others[name]
		if twin := first[name]; twin != nil {
			before, ok = r.pkg.originOf(twin), true
		}
		if ok {
			r.out.Errorf(document, "rename one of them, or give it another Go name with x-go-name",
				"oapi-codegen gives two things the same Go name %s: %s and %s", name, before, r.pkg.originOf(spec))
			continue
		}
		first[name] = spec
	}
}

// otherNames are those of the package's functions, variables and constants, with
// what they are.
func (p *Package) otherNames() map[string]string {
	names := map[string]string{}
	for _, file := range p.files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = "a function of its own"
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if values, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range values.Names {
							names[name.Name] = "a " + d.Tok.String() + " of its own"
						}
					}
				}
			}
		}
	}
	return names
}

// positionOf is the annotated operation whose parameters or request a type
// belongs to, or else the document.
func (r *resolver) positionOf(name string, contract *model.Contract, document diag.Position) diag.Position {
	for _, operation := range contract.Operations {
		m, ok := r.pkg.method(operation.Method, operation.Path, operation.ID)
		if ok && (name == m.name+"Params" || name == m.request.Obj().Name()) {
			return operation.Pos
		}
	}
	return document
}

type double struct {
	name          string
	first, second *ast.Field
}

// doubles returns the fields or methods that share a name with an earlier one.
func doubles(list *ast.FieldList) []double {
	var pairs []double
	seen := map[string]*ast.Field{}
	for _, field := range list.List {
		for _, name := range field.Names {
			if before, ok := seen[name.Name]; ok {
				pairs = append(pairs, double{name.Name, before, field})
				continue
			}
			seen[name.Name] = field
		}
	}
	return pairs
}

// fieldSource names what a field was generated for.
func fieldSource(field *ast.Field) string {
	if field.Tag == nil {
		return "a field of its own"
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return "a field of its own"
	}
	tag := reflect.StructTag(text)
	return fmt.Sprintf("%q", cmp.Or(tagName(tag, "json"), tagName(tag, "form")))
}

// typeSpecs yields the types that the package declares, in the order of its files.
func (p *Package) typeSpecs() iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for declaration := range p.typeDeclarations() {
			for _, spec := range declaration.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && !yield(spec) {
					return
				}
			}
		}
	}
}

func (p *Package) typeDeclarations() iter.Seq[*ast.GenDecl] {
	return func(yield func(*ast.GenDecl) bool) {
		for _, file := range p.files {
			for _, declaration := range file.Decls {
				if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE && !yield(types) {
					return
				}
			}
		}
	}
}

// originOf is what oapi-codegen's comment says a type was generated for.
func (p *Package) originOf(wanted *ast.TypeSpec) string {
	const generated = "something of its own"
	for declaration := range p.typeDeclarations() {
		for _, spec := range declaration.Specs {
			if spec != wanted {
				continue
			}
			text := strings.Join(strings.Fields(declaration.Doc.Text()), " ")
			text = strings.TrimSuffix(strings.TrimPrefix(text, wanted.Name.Name+" "), ".")
			const longest = 120
			if text == "" || len(text) > longest {
				return generated
			}
			return fmt.Sprintf("%q", text)
		}
	}
	return generated
}
