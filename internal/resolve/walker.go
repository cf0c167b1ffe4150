package resolve

import (
	"go/types"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
)

// walker resolves what one operation declares, and reports what it cannot resolve.
type walker struct {
	pkg       *gopkg.Package
	method    method
	route     string     // "POST /orders"
	origin    string     // what says that a field is there: "the document"
	problems  *diag.List // reported so far
	needs     needs
	inference *inference // nil unless the package's options are to be found out
}

// request is what the strict server's method is given.
func (w *walker) request() place {
	return place{model.Access{Path: []string{"request"}}, w.method.request}
}

// params is the struct of the query, header and cookie parameters.
func (w *walker) params() (place, bool) {
	const name = "Params"
	field, ok := fieldNamed(w.method.request, name)
	return place{w.request().Field(name), field}, ok
}

// parametersIn is the struct of the parameters in one place.
func (w *walker) parametersIn(in string) (place, bool) {
	if in == "path" {
		return w.request(), true
	}
	return w.params()
}

// otherDocument is the remedy for a package that the user has generated from another
// document, or from this one as it was.
const otherDocument = "run oapi-codegen again: the package is not of this document"

// regenerate is the remedy for what a package that the user generates does not have, or
// has in another form; for a package of ours it is what else helps.
func (w *walker) regenerate(otherwise string) string {
	if w.pkg.Source.From == "" {
		return otherwise
	}
	return otherDocument
}

// refuse reports a value that cannot take part in a fingerprint.
func (w *walker) refuse(node *model.Node, problem, remedy string) {
	w.problems.Errorf(node.Pos, remedy, "%s: %s %s", w.route, node.Full, problem)
}

// missing reports a declared value that the generated Go does not have.
func (w *walker) missing(node *model.Node, typ types.Type, problem string) {
	w.problems.Errorf(node.Pos, w.regenerate("take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or "+leaveOut(node)),
		"%s: %s is in %s, but not in the generated %s: %s", w.route, node.Full, w.origin, w.spell(typ), problem)
}

// disagree reports a value that is one thing in the document and another in Go.
func (w *walker) disagree(node *model.Node, typ types.Type) {
	w.problems.Errorf(node.Pos, w.regenerate("take x-go-type from it, or "+leaveOut(node)),
		"%s: %s is %s in %s, but %s in the generated Go", w.route, node.Full, describe(node), w.origin, w.spell(typ))
}

// spell prints a type as the generated package spells it.
func (w *walker) spell(typ types.Type) string {
	return types.TypeString(typ, func(pkg *types.Package) string {
		if pkg == w.pkg.Types {
			return ""
		}
		return pkg.Name()
	})
}

// basicType returns the type under typ, if it is a basic one and typ is no type
// of another package, which might hold anything but what was sent.
func (w *walker) basicType(typ types.Type) (*types.Basic, bool) {
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		if pkg := named.Obj().Pkg(); !w.pkg.IsGenerated(pkg) && !isType(named, runtimeTypes, "Email") {
			return nil, false
		}
	}
	basic, ok := typ.Underlying().(*types.Basic)
	return basic, ok
}
