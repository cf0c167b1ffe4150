package gen

import (
	"context"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

// Contract reads the document and its annotations, and the server's package where
// that is the user's own: it runs neither of the two tools. What is wrong with them is a [diag.List]; the warnings
// are valid with an error too.
func Contract(ctx context.Context, c *config.Config) (*model.Contract, diag.List, error) {
	r := run{config: c}
	err := r.heed(r.plan(ctx))
	return r.contract, r.warnings, err
}

// plan fills in document and contract and returns what there is to say of them.
// Without errors among that, both are there.
func (r *run) plan(ctx context.Context) diag.List {
	doc, found := spec.Load(r.config.Spec.Display, r.config.Overlay.Display)
	options, more := r.setOptions()
	if len(more) == 0 && !r.config.Server.From.IsZero() {
		options, more = r.observed(ctx, doc, options)
	}
	found.Add(more...)
	found.Add(r.contractOf(doc, options)...)
	return found
}

// planDocument is plan for whom the server's package does not matter: one of the
// user's need not be there yet.
func (r *run) planDocument() diag.List {
	doc, found := spec.Load(r.config.Spec.Display, r.config.Overlay.Display)
	options, more := r.setOptions()
	found.Add(more...)
	found.Add(r.contractOf(doc, options)...)
	return found
}

func (r *run) contractOf(doc *spec.Document, options plan.Options) diag.List {
	if doc == nil {
		return nil
	}
	contract, found := plan.Contract(doc, options)
	if contract != nil {
		contract.Owner = r.config.Server.ImportPath
	}
	r.doc, r.contract, r.planned = doc, contract, options
	return found
}
