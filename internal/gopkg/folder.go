package gopkg

import (
	"errors"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Folder is where a user has a package.
type Folder struct {
	Path    string        // absolute
	Display string        // as the user would type it
	Import  string        // import path of the package
	Pos     diag.Position // where the configuration names it
}

// ReadFolder reads the package that the user generates in a folder: every file of
// it that is no test and that is not the named one, which idemgen writes. It does
// not depend on the system that it runs on. An error is a [diag.List].
func ReadFolder(folder Folder, ours string) (Source, error) {
	source := Source{Path: folder.Import, From: folder.Display, Files: map[string][]byte{}}
	entries, err := os.ReadDir(folder.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return source, diag.List{diag.Errorf(folder.Pos, "fix the path or its permissions", "%s cannot be read: %s", folder.Display, diag.Cause(err))}
	}
	var list diag.List
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == ours || !isBuilt(folder.Path, name) {
			continue
		}
		display := filepath.Join(folder.Display, name)
		text, err := os.ReadFile(filepath.Join(folder.Path, name))
		if err != nil {
			list.Errorf(diag.Position{File: display, Line: 1, Column: 1}, "fix its permissions", "the file cannot be read: %s", diag.Cause(err))
			continue
		}
		list.Add(syntaxErrors(display, text)...)
		source.Files[display] = text
	}
	if len(source.Files) == 0 && len(list) == 0 {
		list.Errorf(folder.Pos, "run oapi-codegen first, over what idemgen expand --bound prints; or let idemgen do so, with server.out instead of server.from",
			"%s holds no Go package", folder.Display)
	}
	list.Add(onePackage(source)...)
	list.Sort()
	return source, list.Err()
}

// isBuilt reports whether a file is part of the package on Linux, on which most
// services run, so that the result is the same on every system.
func isBuilt(dir, name string) bool {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", true
	context.BuildTags, context.ToolTags = nil, nil
	ok, err := context.MatchFile(dir, name)
	return ok || err != nil // what cannot be read is reported later
}

// syntaxErrors returns what keeps a file from being read.
func syntaxErrors(display string, text []byte) diag.List {
	_, err := parser.ParseFile(token.NewFileSet(), display, text, parser.SkipObjectResolution)
	var problems scanner.ErrorList
	if !errors.As(err, &problems) {
		return nil
	}
	at := problems[0].Pos
	return diag.List{diag.Errorf(diag.Position{File: display, Line: at.Line, Column: at.Column},
		"fix it, or run oapi-codegen again", "this is not Go: %s", problems[0].Msg)}
}

// onePackage reports files of different packages in one folder.
func onePackage(source Source) diag.List {
	var first, name string
	for _, display := range slices.Sorted(maps.Keys(source.Files)) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, display, source.Files[display], parser.PackageClauseOnly)
		switch {
		case err != nil: // which has been reported
		case first == "":
			first, name = display, file.Name.Name
		case name != file.Name.Name:
			at := fset.Position(file.Name.Pos())
			return diag.List{diag.Errorf(diag.Position{File: display, Line: at.Line, Column: at.Column}, "move it to another folder",
				"this file is of package %s, and %s of package %s", file.Name.Name, first, name)}
		}
	}
	return nil
}
