package gen

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/expand"
	"github.com/idemgen/idemgen/internal/oapi"
)

// ExpandOptions say which document Expand writes.
type ExpandOptions struct {
	Bound  bool   // the bound document, and not the published one
	Folder string // where the document will lie; "" for the original's folder
}

// Expand returns the published document, or the bound one, of the configuration's
// document and overlay. What is wrong with them is returned as one [diag.List]; the
// warnings are valid with an error too.
func Expand(c *config.Config, options ExpandOptions) (text []byte, warnings diag.List, err error) {
	r := run{config: c}
	text, err = r.expand(options)
	return text, r.warnings, err
}

func (r *run) expand(options ExpandOptions) ([]byte, error) {
	found := r.planDocument()
	if err := r.heed(found); err != nil {
		return nil, err
	}
	source, err := r.expandSource(options.Folder)
	if err != nil {
		return nil, err
	}
	result, err := r.expanded(source, options.Bound)
	if err == nil && !result.Commented {
		r.warnings.Warnf(diag.Position{File: r.config.Spec.Display, Line: 1, Column: 1}, "move comments out of braces and brackets",
			"the document's comments could not be written, and are left out")
	}
	return result.Text, err
}

func (r *run) expandSource(folder string) (expand.Source, error) {
	source := expand.Source{Document: r.doc}
	text, err := os.ReadFile(r.config.Spec.Abs)
	if err != nil {
		return source, fmt.Errorf("%s: %w", r.config.Spec.Display, err)
	}
	source.Text = text
	if folder != "" {
		way, err := filepath.Rel(folder, filepath.Dir(r.config.Spec.Abs))
		if err != nil {
			return source, fmt.Errorf("references from %s to the document's other files: %w", folder, err)
		}
		source.Way = filepath.ToSlash(way)
	}
	return source, nil
}

func (r *run) expanded(source expand.Source, bound bool) (expand.Result, error) {
	if !bound {
		return expand.Published(source, r.contract.Operations)
	}
	var documents [2]*openapi3.T
	for i := range documents {
		fresh, err := r.doc.Fresh()
		if err != nil {
			return expand.Result{}, fmt.Errorf("%s: %w", r.config.Spec.Display, err)
		}
		documents[i] = fresh
	}
	if err := oapi.BindInPlace(documents[1], r.contract.Operations); err != nil {
		return expand.Result{}, err
	}
	return expand.Bound(source, documents[0], documents[1])
}
