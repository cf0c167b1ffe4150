// Command demanded prints arguments for go test that select the tests which depend
// on what CI demands and a newcomer's machine need not have: versions of PostgreSQL,
// real API descriptions, PgBouncer. CI runs all tests as a newcomer does, and then
// these again.
//
// It runs in the folder of the repository. A test depends on a demand if it, or a
// function or method of its package whose name it uses, mentions one of [demands].
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// demands are the identifiers and the texts by which tests reach what is demanded: the
// methods of pgtest, the functions that find real API descriptions, and names.
var demands = []string{
	"Each", "OwnEach", "corpus.Folder", "corpustest.Folder", "corpustest.Files", "corpustest.Lookup",
	`"IDEMGEN_POSTGRES"`, `"IDEMGEN_CORPUS"`, `"pgbouncer"`,
}

func main() {
	found, err := find(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "demanded:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, strings.Join(arguments(found), "\n"))
}

// arguments selects tests of packages. A test of the same name in another one of the
// packages is selected, too.
func arguments(found map[string][]string) []string {
	var names []string
	for _, tests := range found {
		names = append(names, tests...)
	}
	slices.Sort(names)
	run := "-run=^(" + strings.Join(slices.Compact(names), "|") + ")$"
	return append([]string{run}, slices.Sorted(maps.Keys(found))...)
}

// find returns the names of the tests that depend on a demand, by package.
func find(repository fs.FS) (map[string][]string, error) {
	packages := map[string]uses{}
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		folder := "./" + path.Dir(name)
		if packages[folder] == nil {
			packages[folder] = uses{}
		}
		return packages[folder].add(name, source)
	})
	found := map[string][]string{}
	for folder, u := range packages {
		for _, name := range slices.Sorted(maps.Keys(u)) {
			if isTest(name) && u.reach(name, map[string]bool{}) {
				found[folder] = append(found[folder], name)
			}
		}
	}
	return found, err
}

// isTest reports whether go test runs a function of that name.
func isTest(name string) bool {
	return name != "TestMain" && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz"))
}

// uses are the identifiers, selectors and texts in the functions of a package's tests, by the
// function's name.
type uses map[string][]string

func (u uses) add(name string, source []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(function, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				if of, ok := node.X.(*ast.Ident); ok {
					u[function.Name.Name] = append(u[function.Name.Name], of.Name+"."+node.Sel.Name)
				}
			case *ast.Ident:
				u[function.Name.Name] = append(u[function.Name.Name], node.Name)
			case *ast.BasicLit:
				u[function.Name.Name] = append(u[function.Name.Name], node.Value)
			}
			return true
		})
	}
	return nil
}

// reach reports whether a function uses a demand, itself or through those it uses.
func (u uses) reach(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(u[name], func(used string) bool {
		return slices.Contains(demands, used) || u.reach(used, seen)
	})
}
