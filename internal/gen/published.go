package gen

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/expand"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/spec"
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
	var found findings
	in, list := readDocument(c)
	if err := found.add(list); err != nil {
		return nil, found.warnings, err
	}
	source, err := expandSource(c, in.doc, options.Folder)
	if err != nil {
		return nil, found.warnings, err
	}
	var result expand.Result
	if options.Bound {
		result, err = expandBound(c, source, in.contract.Operations)
	} else {
		result, err = expand.Published(source, in.contract.Operations)
	}
	if err == nil && !result.Commented {
		found.warnings.Warnf(diag.Position{File: c.Spec.Display, Line: 1, Column: 1}, "move comments out of braces and brackets",
			"the document's comments could not be written, and are left out")
	}
	return result.Text, found.warnings, err
}

func expandSource(c *config.Config, doc *spec.Document, folder string) (expand.Source, error) {
	source := expand.Source{Document: doc}
	text, err := os.ReadFile(c.Spec.Abs)
	if err != nil {
		return source, fmt.Errorf("%s: %w", c.Spec.Display, err)
	}
	source.Text = text
	if folder != "" {
		way, err := filepath.Rel(folder, filepath.Dir(c.Spec.Abs))
		if err != nil {
			return source, fmt.Errorf("references from %s to the document's other files: %w", folder, err)
		}
		source.Way = filepath.ToSlash(way)
	}
	return source, nil
}

func expandBound(c *config.Config, source expand.Source, operations []*model.Operation) (expand.Result, error) {
	before, err := source.Document.Fresh()
	if err != nil {
		return expand.Result{}, fmt.Errorf("%s: %w", c.Spec.Display, err)
	}
	after, err := source.Document.Fresh()
	if err != nil {
		return expand.Result{}, fmt.Errorf("%s: %w", c.Spec.Display, err)
	}
	if err := oapi.BindInPlace(after, operations); err != nil {
		return expand.Result{}, err
	}
	return expand.Bound(source, before, after)
}
