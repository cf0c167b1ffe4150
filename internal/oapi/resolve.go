package oapi

import (
	"cmp"
	"fmt"
	"go/types"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Resolution is the contract in Go, as far as oapi-codegen decides it.
type Resolution struct {
	Operations []*model.CodeOperation // in the contract's order
	Others     []*model.CodeOther     // in the contract's order
	Imports    []string               // packages that expressions and hash calls use, sorted: "math/big", "time"
}

// Resolve finds names and expressions in the generated package for everything
// that contract declares. Scopes are those of the contract with the Go types that
// sqlc has given their columns. document is the position to report what has no
// position of its own.
//
// An error is a [diag.List] with everything that oapi-codegen's types cannot tell
// apart, or that the document and they do not agree on. [ErrNoStrictServer] says
// that the package has no strict server.
//
// Either way, [Package.Needs] then says what packages declared fields lead into
// that are not at hand, which makes for errors of its own.
func Resolve(pkg *Package, contract *model.Contract, scopes []*model.CodeScope, document diag.Position) (*Resolution, error) {
	r := &resolver{pkg: pkg, scopes: scopes, imports: map[string]bool{}}
	r.collisions(contract, document)
	if err := r.out.Err(); err != nil {
		return nil, err
	}
	if pkg.shape != nil {
		return nil, pkg.shape
	}
	result := &Resolution{}
	for _, operation := range contract.Operations {
		if code := r.operation(operation); code != nil {
			result.Operations = append(result.Operations, code)
		}
	}
	for _, other := range contract.Others {
		if code := r.other(other); code != nil {
			result.Others = append(result.Others, code)
		}
	}
	r.needed()
	if err := r.out.Err(); err != nil {
		return nil, err
	}
	result.Imports = sortedKeys(r.imports)
	return result, nil
}

type resolver struct {
	pkg     *Package
	scopes  []*model.CodeScope
	imports map[string]bool
	needs   map[string]diag.Position // packages that declared fields lead into, and are not at hand
	out     diag.List

	observer *observer // nil unless habits are to be found out

	route   string // of the operation at hand: "POST /orders"
	request method // likewise
	version string // of the fingerprint at hand, where it is an older one: "version 1"
}

func (r *resolver) operation(operation *model.Operation) *model.CodeOperation {
	r.route = operation.Method + " " + operation.Path
	m, ok := r.pkg.method(operation.Method, operation.Path, operation.ID)
	if !ok {
		r.noMethod(operation)
		return nil
	}
	r.request = m
	code := &model.CodeOperation{
		Operation: operation,
		GoName:    m.name,
		Var:       naming.LowerFirst(m.name) + "Operation",
		ScopeType: r.scope(operation.Scope),
		Request:   m.request.Obj().Name(),
		Response:  m.response.Obj().Name(),
		Visit:     m.visit,
	}
	var key key
	if !operation.Key.InBody() {
		key = r.key(operation.Key)
	}
	code.KeyExpr, code.KeyHeader, code.KeyNeeded = key.expr, key.header, key.needed
	if operation.Key.InBody() {
		code.KeyFunc, code.KeyBodies = naming.LowerFirst(m.name)+"Key", r.keyBodies(operation)
	}
	code.ScopeFrom = r.scopeFrom(operation, code.ScopeType)
	code.Fingerprints = append(code.Fingerprints, r.fingerprint(operation, operation.Fingerprint))
	for _, older := range operation.Older {
		code.Fingerprints = append(code.Fingerprints, r.older(operation, older))
	}
	return code
}

// noMethod reports an operation that the strict server does not have.
func (r *resolver) noMethod(operation *model.Operation) {
	if r.pkg.from != "" {
		r.out.Errorf(operation.Pos, r.mend(""), "package %s has no strict server method for %s", r.pkg.from, r.route)
		return
	}
	r.out.Errorf(operation.Pos, "annotate the path that it refers to instead, where the path is a $ref to another one",
		"oapi-codegen generated no strict server method for %s", r.route)
}

// mend is the remedy for what a package that the user generates has not, or has in
// another form; for a package of ours it is what else helps.
func (r *resolver) mend(otherwise string) string {
	if r.pkg.from == "" {
		return otherwise
	}
	return "run oapi-codegen again: the package is not of this document"
}

// other returns nil for a path that is a $ref to another path: oapi-codegen
// serves both with the methods of the other one.
func (r *resolver) other(other *model.OtherOperation) *model.CodeOther {
	m, ok := r.pkg.method(other.Method, other.Path, other.ID)
	if !ok {
		return nil
	}
	return &model.CodeOther{
		OtherOperation: other,
		GoName:         m.name,
		Request:        m.request.Obj().Name(),
		Response:       m.response.Obj().Name(),
	}
}

// older resolves a version that the document does not declare any more. Whatever
// is wrong with it is mended in one way only.
func (r *resolver) older(operation *model.Operation, older model.OlderFingerprint) *model.CodeFingerprint {
	others := r.out
	r.out, r.version = nil, fmt.Sprintf("version %d", older.Version)
	code := r.fingerprint(operation, older.Fingerprint)
	found := r.out
	r.out, r.version = others, ""
	for _, d := range found {
		r.out.Errorf(older.Pos, older.Remedy, "%s (fingerprint version %d is still compared)", d.Message, older.Version)
	}
	return code
}

// origin is what says that a field is there.
func (r *resolver) origin() string { return cmp.Or(r.version, "the document") }

func (r *resolver) fingerprint(operation *model.Operation, fingerprint model.Fingerprint) *model.CodeFingerprint {
	code := &model.CodeFingerprint{
		Func:    fmt.Sprintf("fingerprint%sV%d", r.request.name, fingerprint.Version),
		Version: fingerprint.Version,
	}
	r.bodies(operation, fingerprint, code)
	for _, root := range fingerprint.Roots {
		var node *model.CodeNode
		switch root.Path {
		case "body": // done
		case "path":
			node = r.group(root, place{expr: "request", typ: r.request.request}, "path")
		default:
			params, ok := r.params()
			if !ok {
				r.missing(root, place{typ: r.request.request}, "it has no parameters but those of the path")
				continue
			}
			node = r.group(root, params, root.Path)
		}
		if node != nil {
			code.Roots = append(code.Roots, node)
		}
	}
	return code
}

// group resolves the parameters of one kind. The group itself is no value of the
// request: its Access is where the parameters are.
func (r *resolver) group(root *model.Node, at place, in string) *model.CodeNode {
	code := &model.CodeNode{Node: root, Access: at.expr}
	for _, parameter := range root.Members {
		field, problem := at.parameter(in, parameter.Name)
		if problem != "" {
			r.missing(parameter, at, problem)
			continue
		}
		if node := r.value(parameter, field); node != nil {
			code.Members = append(code.Members, node)
		}
	}
	return code
}

// params is the struct of the query, header and cookie parameters.
func (r *resolver) params() (place, bool) {
	field, ok := fieldNamed(r.request.request, "Params")
	if !ok {
		return place{}, false
	}
	return place{expr: "request.Params", typ: field}, true
}

func (r *resolver) scope(scope *model.Scope) *model.CodeScope {
	for _, code := range r.scopes {
		if code.Name == scope.Name {
			return code
		}
	}
	return nil
}

// spell prints a type as the generated package spells it.
func (r *resolver) spell(typ types.Type) string {
	return types.TypeString(typ, func(pkg *types.Package) string {
		if pkg == r.pkg.types {
			return ""
		}
		return pkg.Name()
	})
}
