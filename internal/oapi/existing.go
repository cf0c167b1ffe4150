package oapi

import (
	"bytes"
	"errors"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
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
		return source, diag.List{diag.Errorf(folder.Pos, "mend the path or its permissions", "%s cannot be read: %s", folder.Display, causeOf(err))}
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
			list.Errorf(diag.Position{File: display, Line: 1, Column: 1}, "mend its permissions", "the file cannot be read: %s", causeOf(err))
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
		"mend it, or run oapi-codegen again", "this is not Go: %s", problems[0].Msg)}
}

// onePackage reports files of different packages in one folder.
func onePackage(source Source) diag.List {
	var first, name string
	for _, display := range sortedKeys(source.Files) {
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

// Name returns the name of the package.
func (p *Package) Name() string { return p.files[0].Name.Name }

// serverTypes are the packages of what handlers are given, and the frameworks. Those
// of net/http share one, and differ in the options that the package declares.
var serverTypes = map[string]string{
	"github.com/labstack/echo/v4": "echo",
	"github.com/labstack/echo/v5": "echo5",
	"github.com/gin-gonic/gin":    "gin",
	"github.com/gofiber/fiber/v2": "fiber",
	"github.com/gofiber/fiber/v3": "fiber3",
	"github.com/kataras/iris/v12": "iris",
}

// Framework returns the name of the framework that the package's server is for, or
// "" if it has no server that is known.
func (p *Package) Framework() string {
	object := p.types.Scope().Lookup("ServerInterface")
	if object == nil {
		return ""
	}
	server, ok := object.Type().Underlying().(*types.Interface)
	if !ok || server.NumMethods() == 0 || server.Method(0).Signature().Params().Len() == 0 {
		return ""
	}
	given := types.Unalias(server.Method(0).Signature().Params().At(0).Type())
	if pointer, ok := given.(*types.Pointer); ok {
		given = types.Unalias(pointer.Elem())
	}
	named, ok := given.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	if path := named.Obj().Pkg().Path(); path != "net/http" {
		return serverTypes[path]
	}
	for name, framework := range frameworks {
		if options := framework.model.Options; options != "" && p.types.Scope().Lookup(options) != nil {
			return name
		}
	}
	return ""
}

// MiddlewareFirst reports whether the first middleware of a list is the outermost
// one. oapi-codegen makes that the last one, unless an option says otherwise.
func MiddlewareFirst(source Source) bool {
	for _, text := range source.Files {
		if byOAPICodegen(text) && bytes.Contains(text, []byte("HandlerMiddlewares) - 1; i >= 0; i--")) {
			return true
		}
	}
	return false
}
