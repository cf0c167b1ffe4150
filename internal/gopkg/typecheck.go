package gopkg

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// TypeCheck checks the package that is about to be written, bodies of functions
// included, with the files that are added to it, so that nobody gets code that does
// not compile. Sources are packages that it imports and that are being written too.
// Other packages are not read: those parts of them that generated code rests on are
// known, and what is not known is not complained about.
//
// An error is a [diag.List] that calls the generator of the package by its name. It is
// never the user's fault where it lies in a file of ours, and says so.
func (p *Package) TypeCheck(generator string, added map[string][]byte, imports ...Source) error {
	more, err := parse(p.fset, added)
	if err != nil {
		return err
	}
	c := check{generator: generator, fset: p.fset, source: p.Source, files: slices.Concat(p.Files, more)}
	c.source.Files = maps.Clone(c.source.Files)
	maps.Copy(c.source.Files, added)
	return c.run(imports)
}

// check is one check of a whole package.
type check struct {
	generator string
	fset      *token.FileSet
	source    Source
	files     []*ast.File
}

func (c check) run(imports []Source) error {
	var out diag.List
	config := types.Config{
		Importer: newCheckImporter(c.fset, imports),
		Error: func(err error) {
			var problem types.Error
			if !errors.As(err, &problem) || isFollowOn(problem) {
				return
			}
			ours := byIdemgen(c.source.Files[c.fset.Position(problem.Pos).Filename])
			if c.source.From != "" && !ours {
				return // the rest of the package is the user's own
			}
			if !ours && strings.HasPrefix(problem.Msg, "undefined: ") {
				return // x-go-type may name a type that the user wrote in the same package
			}
			out.Add(c.diagnostic(problem))
		},
	}
	_, _ = config.Check(c.source.Path, c.fset, c.files, nil)
	for _, file := range c.files {
		if c.source.From != "" && !byIdemgen(c.source.Files[c.fset.Position(file.Pos()).Filename]) {
			continue
		}
		for _, problem := range unusedImports(c.fset, file) {
			out.Add(c.diagnostic(problem))
		}
	}
	out.Sort()
	return out.Err()
}

// isFollowOn reports whether go/types only says that it does not know something
// that we did not tell it.
func isFollowOn(problem types.Error) bool {
	return strings.Contains(problem.Msg, errStub.Error()) ||
		strings.Contains(problem.Msg, "invalid type") ||
		strings.Contains(problem.Msg, "invalid operand") ||
		strings.HasPrefix(problem.Msg, "\t")
}

// unusedImports reports imports that nothing in the file refers to. go/types does
// not, for packages that are replaced.
func unusedImports(fset *token.FileSet, file *ast.File) []types.Error {
	unused := map[string]bool{}
	for _, spec := range file.Imports {
		unused[importName(spec)] = true
	}
	delete(unused, "_")
	delete(unused, ".")
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok {
				delete(unused, pkg.Name)
			}
		}
		return len(unused) > 0
	})
	var problems []types.Error
	for _, spec := range file.Imports {
		if unused[importName(spec)] {
			problems = append(problems, types.Error{Fset: fset, Pos: spec.Pos(), Msg: spec.Path.Value + " is imported and not used"})
		}
	}
	return problems
}

func (c check) diagnostic(problem types.Error) diag.Diagnostic {
	at := c.fset.Position(problem.Pos)
	pos := diag.Position{File: at.Filename, Line: at.Line, Column: at.Column}
	if byIdemgen(c.source.Files[at.Filename]) && c.source.From != "" && strings.HasPrefix(problem.Msg, "undefined: ") {
		return diag.Errorf(pos, "generate the package with "+c.generator+", with models, the server and strict-server",
			"package %s lacks what oapi-codegen generates: %s", c.source.From, problem.Msg)
	}
	if byIdemgen(c.source.Files[at.Filename]) {
		return diag.Errorf(pos, "this is a fault of idemgen; please report it with the operation's part of the document",
			"generated code does not compile: %s", problem.Msg)
	}
	return diag.Errorf(pos, "look for x-go extensions in the document that name what does not exist",
		"what %s generated does not compile: %s", c.generator, problem.Msg)
}
