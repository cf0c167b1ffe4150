package gopkg

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
)

// Package is a package as far as its declarations go: the bodies of its functions
// have not been looked at.
type Package struct {
	Source Source
	Files  []*ast.File // in the order of their names
	Types  *types.Package

	fset     *token.FileSet
	importer *importer
}

// Load reads generated source. Types of packages that are not among the others are
// replaced by what is known of them, so neither the go command nor the consumer's
// modules are needed. An error means that the source does not parse.
func Load(source Source, others ...Source) (*Package, error) {
	fset := token.NewFileSet()
	files, err := parse(fset, source.Files)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("there is no generated Go")
	}
	importer, err := newImporter(fset, files, others)
	if err != nil {
		return nil, err
	}
	config := types.Config{
		Importer:         importer,
		IgnoreFuncBodies: true,
		Error:            func(error) {}, // what matters shows when a field is resolved, or in TypeCheck
	}
	pkg, _ := config.Check(source.Path, fset, files, nil)
	return &Package{Source: source, Files: files, Types: pkg, fset: fset, importer: importer}, nil
}

// Name returns the name of the package.
func (p *Package) Name() string { return p.Files[0].Name.Name }

// Names returns the names that the package declares, sorted. They are taken for
// everything that is added to the package.
func (p *Package) Names() []string { return p.Types.Scope().Names() }

// Knows reports how much is known of a package that p imports: all that its source
// declares, or nothing but which names p uses.
func (p *Package) Knows(path string) (all, nothing bool) {
	return p.importer.complete[path], p.importer.assumed[path]
}

// IsGenerated reports whether a package is p or another one that oapi-codegen has
// generated: its named strings and numbers are enumerations.
func (p *Package) IsGenerated(pkg *types.Package) bool {
	if pkg == p.Types {
		return true
	}
	for _, text := range p.importer.sources[pkg.Path()].Files {
		if ByOAPICodegen(text) {
			return true
		}
	}
	return false
}
