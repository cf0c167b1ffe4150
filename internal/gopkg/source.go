package gopkg

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
)

// Source is the Go source of one package.
type Source struct {
	Path  string            // import path
	Files map[string][]byte // by file name
	From  string            // of a package that the user generates: its folder, for messages
}

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
