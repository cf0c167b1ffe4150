package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// use is a path and its purpose.
type use struct {
	Path
	key string // "schema", or what the configuration implies: "server.out's api.gen.go"
}

// check checks the paths against each other and against the file system. Paths that
// could not be read have been reported, and are skipped.
func (r *reader) check(c *Config) {
	for _, input := range c.inputs()[1:] {
		r.exists(input)
	}
	r.sqlName(c.Schema)
	r.sqlName(c.Queries)
	if len(r.problems) == 0 {
		r.collisions(c)
		r.checkFolder(c)
	}
}

func (r *reader) exists(p use) {
	if p.IsZero() {
		return
	}
	info, err := os.Stat(p.Abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Errorf(p.Pos, "fix the path, which is relative to "+r.file.Display, "%s does not exist", p.Display)
	case err != nil:
		r.Errorf(p.Pos, "fix the path or its permissions", "%s cannot be read: %v", p.Display, diag.Cause(err))
	case !info.Mode().IsRegular():
		r.Errorf(p.Pos, "name a file", "%s is not a file", p.Display)
	}
}

// sqlName reports names of files that sqlc skips when it reads a folder.
func (r *reader) sqlName(p Path) {
	if p.IsZero() {
		return
	}
	name := filepath.Base(p.Abs)
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".down.sql") {
		r.Errorf(p.Pos, "rename it, for example to idempotency.sql", "sqlc skips files named like %s", name)
	}
}

func (c *Config) inputs() []use {
	inputs := []use{{c.File, "the configuration"}, {c.Spec, "spec"}}
	if !c.Overlay.IsZero() {
		inputs = append(inputs, use{c.Overlay, "overlay"})
	}
	return append(inputs, use{c.SQLC, "sqlc"})
}

func (c *Config) outputs() []use {
	outputs := []use{{c.Server.From.Join(DecoratorFile), "server.from's " + DecoratorFile}}
	if c.Server.From.IsZero() {
		outputs = []use{
			{c.Server.Out.Join(ServerFile), "server.out's " + ServerFile},
			{c.Server.Out.Join(DecoratorFile), "server.out's " + DecoratorFile},
		}
	}
	if !c.Bound.IsZero() {
		outputs = append(outputs, use{c.Bound, "bound"})
	}
	if !c.Schema.IsZero() {
		outputs = append(outputs, use{c.Schema, "schema"})
	}
	return append(outputs, use{c.Queries, "queries"}, use{c.Lock, "lock"})
}

// collisions reports an output that would replace an input or another output, or that
// needs a folder where another one is a file.
func (r *reader) collisions(c *Config) {
	var earlier []use
	earlier = append(earlier, c.inputs()...)
	for _, output := range c.outputs() {
		for _, other := range earlier {
			switch {
			case sameFile(output.Abs, other.Abs):
				r.Errorf(output.Pos, "use a different file for each", "%s and %s are the same file", output.key, other.key)
			case inside(output.Abs, other.Abs):
				r.Errorf(output.Pos, "choose another path", "%s is inside %s, which is a file (%s)", output.key, other.Display, other.key)
			case inside(other.Abs, output.Abs):
				r.Errorf(output.Pos, "choose another path", "%s is a file, but %s is inside it", output.key, other.key)
			}
		}
		earlier = append(earlier, output)
	}
}

// QueriesImportPath returns the import path of the package that sqlc writes into the
// folder out. It reports a folder that the configuration uses for something else, and
// a package that the server's package may not import. The error is a diag.List at
// out.Pos.
func (c *Config) QueriesImportPath(out Path) (string, error) {
	var problems diag.List
	if folder := c.Server.Folder(); sameFile(out.Abs, folder.Abs) {
		key := "server.out"
		if !c.Server.From.IsZero() {
			key = "server.from"
		}
		problems.Errorf(out.Pos, "use a different folder for each package",
			"sqlc's package and %s of %s are the same folder, %s", key, c.File.Display, folder.Display)
	}
	for _, other := range append(c.inputs(), c.outputs()...) {
		if sameFile(out.Abs, other.Abs) || inside(out.Abs, other.Abs) {
			problems.Errorf(out.Pos, "choose another folder",
				"sqlc's package needs a folder where %s is a file (%s)", other.Display, other.key)
		}
	}
	path, problem := importPath(out)
	switch {
	case problem != nil:
		problems.Add(*problem)
	case !mayImport(c.Server.ImportPath, path):
		problems.Errorf(out.Pos, "move it next to the server's folder, or out of the folder named internal",
			"package %s must be imported by %s, which Go does not allow for a folder named internal", path, c.Server.ImportPath)
	}
	return path, problems.Err()
}

// sameFile also compares names that are the same file on systems with case-insensitive
// names.
func sameFile(a, b string) bool { return strings.EqualFold(a, b) }

// inside reports whether path lies below folder.
func inside(path, folder string) bool {
	return len(path) > len(folder) && os.IsPathSeparator(path[len(folder)]) && strings.EqualFold(path[:len(folder)], folder)
}
