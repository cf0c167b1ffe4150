package gopkg

import (
	"go/ast"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// importPaths returns the file's imports by the name they have in it.
func importPaths(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		paths[importName(spec)] = ImportPath(spec)
	}
	return paths
}

// importName is the name that an import has in its file.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return assumedName(ImportPath(spec))
}

// ImportPath is the path that an import names.
func ImportPath(spec *ast.ImportSpec) string {
	unquoted, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // the parser has let no such thing through
	}
	return unquoted
}

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// assumedName is the name of a package as goimports guesses it from the path.
func assumedName(importPath string) string {
	base := path.Base(importPath)
	if versionElement.MatchString(base) && path.Dir(importPath) != "." {
		base = path.Base(path.Dir(importPath))
	}
	base = strings.TrimPrefix(base, "go-")
	if end := strings.IndexFunc(base, func(r rune) bool { return !isIdentifierRune(r) }); end >= 0 {
		base = base[:end]
	}
	return base
}

func isIdentifierRune(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
