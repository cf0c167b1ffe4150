package gopkg

import (
	"embed"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// stubs are Go files that declare those parts of other packages whose types
// matter here, one file for each package, named after its path.
//
//go:embed stubs
var stubs embed.FS

// errStub comes with every package that is replaced. It has go/types take
// the names that are not declared as unknown rather than as mistakes.
var errStub = errors.New("not the real package")

// importer replaces the packages that generated code imports.
type importer struct {
	fset     *token.FileSet
	sources  map[string]Source          // packages whose source is at hand
	mentions map[string]map[string]bool // by path: names to declare as types where no stub does; nil for none
	packages map[string]*types.Package
	complete map[string]bool // packages checked from source
	assumed  map[string]bool // packages of which only the names in mentions are known
}

// newImporter returns an importer under which every type that the declarations of
// files and of the other packages mention exists, so that a pointer to it stays a
// pointer.
func newImporter(fset *token.FileSet, files []*ast.File, others []Source) (*importer, error) {
	i := newCheckImporter(fset, others)
	for _, other := range others {
		parsed, err := parse(fset, other.Files)
		if err != nil {
			return nil, err
		}
		files = slices.Concat(files, parsed)
	}
	i.mentions = mentioned(files)
	return i, nil
}

// newCheckImporter returns an importer that reads sources and stubs. What neither
// declares is unknown, and go/types does not complain about its use.
func newCheckImporter(fset *token.FileSet, sources []Source) *importer {
	i := &importer{
		fset: fset, sources: map[string]Source{}, packages: map[string]*types.Package{},
		complete: map[string]bool{}, assumed: map[string]bool{},
	}
	for _, source := range sources {
		i.sources[source.Path] = source
	}
	return i
}

// Import implements [types.Importer].
func (i *importer) Import(importPath string) (*types.Package, error) {
	pkg, ok := i.packages[importPath]
	if !ok {
		pkg = i.load(importPath)
		i.packages[importPath] = pkg
	}
	if i.complete[importPath] {
		return pkg, nil
	}
	return pkg, errStub
}

func (i *importer) load(importPath string) *types.Package {
	if source, ok := i.sources[importPath]; ok {
		if pkg := i.check(importPath, source); pkg != nil {
			i.complete[importPath] = true
			return pkg
		}
	}
	pkg := i.stub(importPath)
	for name := range i.mentions[importPath] {
		if pkg.Scope().Lookup(name) == nil {
			declareStruct(pkg, name)
		}
	}
	return pkg
}

// check reads a package from its source.
func (i *importer) check(importPath string, source Source) *types.Package {
	files, err := parse(i.fset, source.Files)
	if err != nil || len(files) == 0 {
		return nil
	}
	config := types.Config{Importer: i, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check(importPath, i.fset, files, nil)
	return pkg
}

// stub reads the package from our stubs, or returns an empty one.
func (i *importer) stub(importPath string) *types.Package {
	name := "stubs/" + strings.ReplaceAll(importPath, "/", "_") + ".gotxt"
	text, err := stubs.ReadFile(name)
	if err != nil {
		i.assumed[importPath] = true
		return types.NewPackage(importPath, assumedName(importPath))
	}
	file, err := parser.ParseFile(i.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // a stub of ours, covered by tests
	}
	config := types.Config{Importer: i, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check(importPath, i.fset, []*ast.File{file}, nil)
	return pkg
}

func declareStruct(pkg *types.Package, name string) {
	object := types.NewTypeName(token.NoPos, pkg, name, nil)
	types.NewNamed(object, types.NewStruct(nil, nil), nil)
	pkg.Scope().Insert(object)
}

// mentioned lists, by import path, the names that the declarations in files use
// from other packages. The bodies of functions do not count.
func mentioned(files []*ast.File) map[string]map[string]bool {
	names := map[string]map[string]bool{}
	for _, file := range files {
		paths := importPaths(file)
		ast.Inspect(file, func(node ast.Node) bool {
			if _, isBody := node.(*ast.BlockStmt); isBody {
				return false
			}
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := selector.X.(*ast.Ident)
			if !ok || paths[pkg.Name] == "" {
				return true
			}
			from := paths[pkg.Name]
			if names[from] == nil {
				names[from] = map[string]bool{}
			}
			names[from][selector.Sel.Name] = true
			return true
		})
	}
	return names
}
