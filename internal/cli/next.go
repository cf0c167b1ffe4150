package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
)

// runtimeModule is the module that generated code imports.
const runtimeModule = "github.com/idemgen/idemgen/idem"

// nextSteps lists what the user must do after a run of generate; it may be empty. The
// migration says what the database needs.
func nextSteps(c *config.Config, files []output.File, written output.Written, migration *gen.Migration) []string {
	steps := databaseSteps(migration)
	if migration == nil && slices.Contains(written.Updated, c.Schema.Display) {
		steps = append(steps, "apply "+c.Schema.Display+" again: its text has changed, its tables have not")
	}
	if goMod, ok := goModOf(c.Server.Folder().Abs); ok && !requiresRuntime(goMod) {
		steps = append(steps, "run go mod tidy: go.mod does not require "+runtimeModule+" yet")
	}
	decorator := c.Server.Folder().Join(config.DecoratorFile)
	if slices.Contains(written.Created, decorator.Display) {
		if names := interfacesIn(files, decorator.Abs); len(names) > 0 {
			steps = append(steps, "implement "+strings.Join(names, " and ")+", which are in "+decorator.Display+",",
				"and pass them to NewIdempotentServer")
		}
	}
	return steps
}

// goModOf reads the go.mod of the module that contains a folder.
func goModOf(folder string) ([]byte, bool) {
	for {
		if data, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil {
			return data, true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return nil, false
		}
		folder = parent
	}
}

// requiresRuntime reports whether a go.mod requires the runtime, or is the runtime's
// own. One that cannot be parsed is reported by the go command.
func requiresRuntime(goMod []byte) bool {
	parsed, err := modfile.ParseLax("go.mod", goMod, nil)
	if err != nil || parsed.Module != nil && parsed.Module.Mod.Path == runtimeModule {
		return true
	}
	return slices.ContainsFunc(parsed.Require, func(r *modfile.Require) bool { return r.Mod.Path == runtimeModule })
}

// interfacesIn lists the interfaces that a generated file declares, in the file's
// order.
func interfacesIn(files []output.File, path string) []string {
	at := slices.IndexFunc(files, func(f output.File) bool { return f.Path == path })
	if at < 0 {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, files[at].Content, parser.SkipObjectResolution)
	if err != nil {
		return nil // the pipeline never generates such a file
	}
	var names []string
	for _, declaration := range parsed.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			declared, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			if _, ok := declared.Type.(*ast.InterfaceType); ok && declared.Name.IsExported() {
				names = append(names, declared.Name.Name)
			}
		}
	}
	return names
}
