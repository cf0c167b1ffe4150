package oapi

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"

	goimports "golang.org/x/tools/imports"
)

// formatted is what oapi-codegen makes of the source that it has put together, which
// it hands to goimports: that parses and prints the whole file twice, and on a large
// one takes most of the time that generating does. Here goimports gets no more to see
// than the head of the file and what is used of its imports.
func formatted(name string, source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	imported, err := parser.ParseFile(fset, name, source, parser.ImportsOnly)
	if err != nil {
		return goimports.Process(name, source, nil)
	}
	end, ok := endOfImports(fset, imported)
	if !ok {
		return goimports.Process(name, source, nil)
	}
	var rest []byte
	failed := make(chan error)
	go func() { // meanwhile
		var err error
		rest, err = format.Source(bytes.TrimSpace(source[end:]))
		failed <- err
	}()
	head, ok := fixedHead(name, source, end)
	if err := <-failed; err != nil || !ok {
		return goimports.Process(name, source, nil) // which knows the right line
	}
	return slices.Concat(head, []byte("\n\n"), rest, []byte("\n")), nil
}

// fixedHead has goimports fix a file's head, which ends with the imports.
func fixedHead(name string, source []byte, end int) (head []byte, ok bool) {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, 0) // resolving names, as goimports does
	if err != nil {
		return nil, false
	}
	stub := bytes.NewBuffer(slices.Clone(source[:end]))
	stub.WriteString("\n\n")
	for _, use := range packageUses(file) {
		stub.WriteString("var _ = " + use + "\n")
	}
	if head, err = goimports.Process(name, stub.Bytes(), nil); err != nil {
		return nil, false
	}
	fset := token.NewFileSet()
	if file, err = parser.ParseFile(fset, name, head, parser.ImportsOnly); err != nil {
		return nil, false
	}
	fixed, ok := endOfImports(fset, file)
	return head[:fixed], ok
}

// endOfImports returns where the one import declaration ends, which has parentheses.
func endOfImports(fset *token.FileSet, file *ast.File) (end int, ok bool) {
	for _, declaration := range file.Decls {
		d, isGeneral := declaration.(*ast.GenDecl)
		switch {
		case !isGeneral || d.Tok != token.IMPORT:
		case ok || !d.Lparen.IsValid():
			return 0, false
		default:
			end, ok = fset.File(d.End()).Offset(d.End()), true
		}
	}
	return end, ok
}

// packageUses lists the selectors that may be of packages, as goimports does: those
// of names that the file does not declare.
func packageUses(file *ast.File) []string {
	unresolved := map[*ast.Ident]bool{}
	for _, ident := range file.Unresolved {
		unresolved[ident] = true
	}
	uses := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if ident, ok := selector.X.(*ast.Ident); ok && unresolved[ident] && selector.Sel.IsExported() {
				uses[ident.Name+"."+selector.Sel.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(uses))
}
