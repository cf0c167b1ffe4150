package resolve

import (
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
)

// Resolution is the contract in Go, as far as oapi-codegen decides it.
type Resolution struct {
	Operations []*model.GoOperation // in the contract's order
	Others     []*model.GoOther     // in the contract's order
	// Needs are the packages that declared fields lead into and that are not at hand,
	// which makes for errors of its own.
	Needs []gopkg.Need
}

// Resolve finds in the generated package everything that contract declares. Scopes are
// those of the contract with the Go types that sqlc has given their columns. document is
// the position to report what has no position of its own.
//
// An error is a [diag.List] with everything that oapi-codegen's types cannot tell
// apart, or that the document and they do not agree on. [ErrNoStrictServer] says
// that the package has no strict server. With an error, only Needs is of use.
func Resolve(pkg *gopkg.Package, contract *model.Contract, scopes []*model.GoScope, document diag.Position) (Resolution, error) {
	methods, noServer := strictMethods(pkg)
	if err := collisions(pkg, methods, contract, document).Err(); err != nil {
		return Resolution{}, err
	}
	if noServer != nil {
		return Resolution{}, noServer
	}
	r := &resolver{pkg: pkg, methods: methods, scopes: scopes, needs: needs{}}
	result := Resolution{}
	for _, operation := range contract.Operations {
		if found := r.operation(operation); found != nil {
			result.Operations = append(result.Operations, found)
		}
	}
	for _, other := range contract.Others {
		if found := r.other(other); found != nil {
			result.Others = append(result.Others, found)
		}
	}
	result.Needs = r.needs.list()
	return result, r.problems.Err()
}

// resolver resolves a contract, operation by operation.
type resolver struct {
	pkg       *gopkg.Package
	methods   methods
	scopes    []*model.GoScope
	needs     needs
	problems  diag.List
	inference *inference // nil unless the package's options are to be found out
}

func (r *resolver) operation(operation *model.Operation) *model.GoOperation {
	route := operation.Method + " " + operation.Path
	m, ok := r.methods.find(operation.Method, operation.Path, operation.ID)
	if !ok {
		r.noMethod(operation, route)
		return nil
	}
	w := &walker{pkg: r.pkg, method: m, route: route, origin: "the document", problems: &r.problems, needs: r.needs, inference: r.inference}
	result := &model.GoOperation{
		Operation: operation,
		GoName:    m.name,
		Request:   m.request.Obj().Name(),
		Response:  m.response.Obj().Name(),
		Visit:     m.visit,
	}
	if operation.Key.InBody() {
		result.BodyKeys = w.bodyKeys(operation)
	} else {
		result.HeaderKey = w.headerKey(operation.Key)
	}
	result.ScopeValues = w.scopeValues(operation, r.scopeFields(operation.Scope))
	result.Fingerprints = append(result.Fingerprints, w.fingerprint(operation, &operation.Fingerprint))
	for _, older := range operation.Older {
		result.Fingerprints = append(result.Fingerprints, olderFingerprint(*w, operation, older))
	}
	return result
}

// noMethod reports an operation that the strict server does not have.
func (r *resolver) noMethod(operation *model.Operation, route string) {
	if from := r.pkg.Source.From; from != "" {
		r.problems.Errorf(operation.Pos, otherDocument, "package %s has no strict server method for %s", from, route)
		return
	}
	r.problems.Errorf(operation.Pos, "annotate the path that it refers to instead, where the path is a $ref to another one",
		"oapi-codegen generated no strict server method for %s", route)
}

// other returns nil for a path that is a $ref to another path: oapi-codegen
// serves both with the methods of the other one.
func (r *resolver) other(other *model.OtherOperation) *model.GoOther {
	m, ok := r.methods.find(other.Method, other.Path, other.ID)
	if !ok {
		return nil
	}
	return &model.GoOther{
		OtherOperation: other,
		GoName:         m.name,
		Request:        m.request.Obj().Name(),
		Response:       m.response.Obj().Name(),
	}
}

func (r *resolver) scopeFields(scope *model.Scope) []model.GoField {
	i := slices.IndexFunc(r.scopes, func(s *model.GoScope) bool { return s.Name == scope.Name })
	if i < 0 {
		return nil
	}
	return r.scopes[i].Fields
}

// olderFingerprint resolves a version that the document does not declare any more.
// Whatever is wrong with it is fixed in one way only.
func olderFingerprint(w walker, operation *model.Operation, older model.OlderFingerprint) *model.GoFingerprint {
	var found diag.List
	reported := w.problems
	w.problems, w.origin = &found, fmt.Sprintf("version %d", older.Version)
	result := w.fingerprint(operation, &older.Fingerprint)
	for _, d := range found {
		reported.Errorf(older.Pos, older.Remedy, "%s (fingerprint version %d is still compared)", d.Message, older.Version)
	}
	return result
}

// InferDecoding finds out with which options a package that the user generates was made,
// as far as they matter to declared fields. The contract is one that was made without
// any. What keeps it from being resolved is reported by [Resolve].
func InferDecoding(pkg *gopkg.Package, contract *model.Contract) (oapi.Decoding, []gopkg.Need) {
	inference := &inference{goTypes: map[string]string{}}
	r := &resolver{pkg: pkg, needs: needs{}, inference: inference}
	r.methods, _ = strictMethods(pkg)
	for _, operation := range contract.Operations {
		r.operation(operation)
	}
	return inference.decoding(), r.needs.list()
}
