package plan

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Options are what the configuration says about the contract.
type Options struct {
	// Strict makes an undecided request field an error, unless the annotation
	// says otherwise.
	Strict bool
	// NullableType says that oapi-codegen generates with its option nullable-type,
	// so that the Go types of properties and list elements tell null from absent.
	NullableType bool
	// NoPointers says that oapi-codegen generates with its option
	// prefer-skip-optional-pointer: a missing value is the zero value of its type.
	NoPointers bool
	// GoTypes are the Go types that its option type-mapping has for types and formats,
	// where they are not the usual ones: "string uuid". The entry of a type alone,
	// "number *", is for the formats that have no entry of their own; "" is the usual.
	GoTypes map[string]string
}

// What an annotation leaves out, and the runtime has no default for.
const (
	defaultKeyName = "Idempotency-Key"
	defaultWindow  = 72 * time.Hour
)

// Contract checks the annotations of doc and returns what they come to. The
// contract is complete only if the list, which is sorted, holds no error;
// otherwise it is nil.
func Contract(doc *spec.Document, options Options) (*model.Contract, diag.List) {
	p := &planner{doc: doc, options: options, scopes: make(map[string]*model.Scope), columns: make(map[string][]spec.Column)}
	contract := p.contract()
	p.list.Sort()
	if p.list.HasErrors() {
		return nil, p.list
	}
	return contract, p.list
}

type planner struct {
	doc     *spec.Document
	options Options
	list    diag.List
	scopes  map[string]*model.Scope  // a malformed scope is nil
	columns map[string][]spec.Column // of scopes, as annotated
}

func (p *planner) contract() *model.Contract {
	contract := &model.Contract{Document: filepath.Base(p.doc.Path)}
	contract.Scopes = p.declaredScopes()
	for _, op := range p.doc.Operations {
		if op.Annotation == nil {
			contract.Others = append(contract.Others, &model.OtherOperation{Method: op.Method, Path: op.Path, ID: op.ID.V})
			continue
		}
		if operation := p.operation(op); operation != nil {
			contract.Operations = append(contract.Operations, operation)
		}
	}
	p.checkNames(contract.Operations)
	p.checkAnnotated()
	p.longestWindows(contract)
	p.checkPartitionedWindows(contract.Operations)
	slices.SortFunc(contract.Operations, func(a, b *model.Operation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	slices.SortFunc(contract.Others, func(a, b *model.OtherOperation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	return contract
}

// defaults are the root's settings; empty ones without a root.
func (p *planner) defaults() spec.Settings {
	if p.doc.Root == nil {
		return spec.Settings{}
	}
	return p.doc.Root.Defaults
}

// checkNames reports operations that would share a stored name.
func (p *planner) checkNames(operations []*model.Operation) {
	first := make(map[string]*model.Operation)
	for _, operation := range operations {
		other, taken := first[operation.Name]
		if !taken {
			first[operation.Name] = operation
			continue
		}
		p.list.Errorf(operation.Pos, "give one of them a name of its own with name: in x-idempotent",
			"the keys of %s %s would be stored under the name %q, which %s %s has at %s",
			operation.Method, operation.Path, operation.Name, other.Method, other.Path, other.Pos)
	}
}

func (p *planner) checkAnnotated() {
	for _, op := range p.doc.Operations {
		if op.Annotation != nil {
			return
		}
	}
	p.list.Errorf(diag.Position{File: p.doc.Path, Line: 1, Column: 1},
		"add x-idempotent: {scope: ..., fingerprint: [...]} to an operation, in an overlay if the document is not yours",
		"no operation of the document has x-idempotent")
}

// longestWindows fills in the window that each scope's tombstones must outlast.
// For a scope that no operation uses any more it is the default.
func (p *planner) longestWindows(contract *model.Contract) {
	for _, operation := range contract.Operations {
		operation.Scope.LongestWindow = max(operation.Scope.LongestWindow, operation.Window)
	}
	for _, scope := range contract.Scopes {
		if scope.LongestWindow == 0 {
			scope.LongestWindow = p.defaults().Replay.V.Window.Or(defaultWindow)
		}
	}
}

// pick returns the operation's value, else that of the defaults.
func pick[T any](operation, defaults spec.Value[T]) spec.Value[T] {
	if operation.Present() {
		return operation
	}
	return defaults
}
