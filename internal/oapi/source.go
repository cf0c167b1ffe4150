package oapi

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Source is the Go source of one package.
type Source struct {
	Path  string            // import path
	Files map[string][]byte // by file name
	From  string            // of a package that the user generates: its folder, for messages
}

// Package is a package that oapi-codegen generated, as far as its declarations
// go: the bodies of its functions have not been looked at.
type Package struct {
	source  Source
	fset    *token.FileSet
	files   []*ast.File
	types   *types.Package
	imports *importer
	from    string // as in [Source]
	needs   []Need
	methods map[string][]method // of the strict server, by route; "" has those whose comment states none
	shape   error               // why there are no methods
}

// Load reads generated source. Types of packages that are not among the others are
// stood in for, so neither the go command nor the consumer's modules are needed.
// An error means that the source does not parse.
func Load(source Source, others ...Source) (*Package, error) {
	fset := token.NewFileSet()
	files, err := parse(fset, source.Files)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("there is no generated Go")
	}
	imports, err := newImporter(fset, files, others)
	if err != nil {
		return nil, err
	}
	config := types.Config{
		Importer:         imports,
		IgnoreFuncBodies: true,
		Error:            func(error) {}, // what matters shows when a field is resolved, or in TypeCheck
	}
	pkg, _ := config.Check(source.Path, fset, files, nil)
	p := &Package{source: source, fset: fset, files: files, types: pkg, imports: imports, from: source.From}
	methods, err := strictMethods(p)
	p.methods, p.shape = byRoute(methods), err
	return p, nil
}

// Needs returns the packages that the last call of [Resolve] missed.
func (p *Package) Needs() []Need { return p.needs }

// Names returns the names that the package declares, sorted. They are taken for
// everything that is added to the package.
func (p *Package) Names() []string { return p.types.Scope().Names() }

// parse reads the files in the order of their names.
func parse(fset *token.FileSet, texts map[string][]byte) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("generated Go does not parse: %w", err)
		}
		files = append(files, file)
	}
	return files, nil
}
