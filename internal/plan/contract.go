package plan

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Contract checks the annotations of doc and returns the contract that they describe.
// The contract is complete only if the list, which is sorted, has no error; otherwise
// it is nil.
func Contract(doc *spec.Document, options Options) (*model.Contract, diag.List) {
	p := &planner{doc: doc, options: options, scopes: make(map[string]*model.Scope), columns: make(map[string][]spec.Column)}
	contract := p.contract()
	p.list.Sort()
	if p.list.HasErrors() {
		return nil, p.list
	}
	return contract, p.list
}

func (p *planner) contract() *model.Contract {
	contract := &model.Contract{Document: filepath.Base(p.doc.Path), Owner: p.options.Owner}
	if root := p.doc.Root; root != nil {
		contract.Root, contract.Accept = root.Pos, p.accept(root.Accept.V)
	}
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

// accept collects the changes that the document accepts. Only the lock can determine
// whether such changes exist.
func (p *planner) accept(declared []spec.Value[string]) []model.Accept {
	var accepted []model.Accept
	for _, text := range declared {
		if slices.ContainsFunc(accepted, func(a model.Accept) bool { return a.Text == text.V }) {
			p.list.Errorf(text.Pos, "remove one of the two", "accept lists %q twice", text.V)
			continue
		}
		accepted = append(accepted, model.Accept{Text: text.V, Pos: text.Pos})
	}
	return accepted
}

// checkNames reports operations that would have the same stored name.
func (p *planner) checkNames(operations []*model.Operation) {
	first := make(map[string]*model.Operation)
	for _, operation := range operations {
		other, taken := first[operation.Name]
		if !taken {
			first[operation.Name] = operation
			continue
		}
		p.list.Errorf(operation.Pos, "give one of them a name of its own with name: in x-idempotent",
			"the keys of %s %s would be stored under the name %q, which %s %s uses at %s",
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
		"add x-idempotent: {scope: ..., fingerprint: [...]} to an operation, in an overlay if you cannot change the document",
		"no operation of the document has x-idempotent")
}

// longestWindows sets the window for which each scope's tombstones must be kept. For a
// scope that no operation uses any more it is the default.
func (p *planner) longestWindows(contract *model.Contract) {
	for _, operation := range contract.Operations {
		operation.Scope.LongestWindow = max(operation.Scope.LongestWindow, operation.Window)
	}
	for _, scope := range contract.Scopes {
		if scope.LongestWindow == 0 {
			scope.LongestWindow = p.defaults().Replay.V.Window.Or(defaultWindow)
		}
		for _, previous := range scope.Previous {
			previous.LongestWindow = scope.LongestWindow
		}
	}
}
