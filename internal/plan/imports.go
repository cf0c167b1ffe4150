package plan

import (
	"path"
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// localNames are declared by the generated functions in which sqlc's package is
// used; an import of such a name could not be reached from there.
var localNames = []string{
	"ctx", "db", "batch", "row", "err", "ahead", "dropped", "k", "s", "c", "r", "scope", "operation", "key",
}

// queriesName chooses the name under which sqlc's package is imported, and
// reports imports that would get in each other's way.
func (c *coder) queriesName(code *model.Code) string {
	names := naming.NewTaken("a local variable", localNames...)
	for _, group := range code.Imports {
		for _, imported := range group {
			if imported.Path != c.db.ImportPath {
				c.takeImport(names, imported)
			}
		}
	}
	name := c.db.Name
	if names.Has(name) || c.taken.Has(name) {
		name = c.freeImport(names, name+"queries")
	}
	if name != path.Base(c.db.ImportPath) {
		for _, group := range code.Imports {
			for i := range group {
				if group[i].Path == c.db.ImportPath {
					group[i].Name = name
				}
			}
		}
	}
	return name
}

func (c *coder) freeImport(names *naming.Taken, name string) string {
	for names.Has(name) || c.taken.Has(name) {
		name += "x"
	}
	return name
}

func (c *coder) takeImport(names *naming.Taken, imported model.Import) {
	name := importName(imported)
	if c.taken.Has(name) {
		c.list.Errorf(c.server.Document, "rename the schema or operation that is called so",
			"the generated package declares %s, and idemgen's code must import %s", name, imported.Path)
		return
	}
	if holder, free := names.Take(name, imported.Path); !free && holder != "a local variable" {
		c.list.Errorf(c.db.Config, "give one of the two another name in the override",
			"packages %s and %s are both called %s", holder, imported.Path, name)
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importName is the name that an import has in the file, as far as its path tells.
func importName(imported model.Import) string {
	if imported.Name != "" {
		return imported.Name
	}
	base := path.Base(imported.Path)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(imported.Path))
	}
	return base
}

// isStandard reports whether a path is one of the standard library's: they have
// no dot in their first element.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// requalify replaces the package name of a type: "idemdb.ID" → "queries.ID".
func requalify(typ, from, to string) string {
	if from == to {
		return typ
	}
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(from)+`\.`).ReplaceAllString(typ, to+".")
}
