package plan

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// runtimePaths are the runtime packages that generated code imports.
var runtimePaths = []string{modulePrefix + "idem", modulePrefix + "idem/fingerprint", modulePrefix + "idem/idemrt"}

// modulePrefix starts the import paths of the runtime and of its adapters.
const modulePrefix = "github.com/idemgen/idemgen/"

// neededImports returns the imports of the generated file, sorted.
func neededImports(scopes []*model.GoScope, db Database, server Server) []model.Import {
	paths := append([]string{"context", "time", "github.com/jackc/pgx/v5", db.ImportPath}, runtimePaths...)
	if hashes(server.Operations, func(n *model.GoNode) bool { return n.Kind == model.Map }) {
		paths = append(paths, "maps", "slices") // to iterate over the keys in order
	}
	if hashes(server.Operations, isBigInteger) {
		paths = append(paths, "math/big")
	}
	var needed []model.Import
	for _, path := range paths {
		needed = append(needed, model.Import{Path: path})
	}
	for _, imported := range server.Framework.Imports {
		if imported.Path != "errors" || slices.ContainsFunc(server.Operations, parsesKey) { // for the errors of a key
			needed = append(needed, imported)
		}
	}
	for _, scope := range scopes {
		needed = append(needed, scope.Imports...)
	}
	slices.SortFunc(needed, func(a, b model.Import) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
	return slices.Compact(needed)
}

// hashes reports whether any fingerprint has a value for which matches returns true.
func hashes(operations []*model.GoOperation, match func(*model.GoNode) bool) bool {
	for _, operation := range operations {
		for _, fingerprint := range operation.Fingerprints {
			for node := range fingerprint.All() {
				if match(node) {
					return true
				}
			}
		}
	}
	return false
}

// isBigInteger reports whether a value is converted to a big.Int before it is hashed.
func isBigInteger(node *model.GoNode) bool {
	return node.Hash != nil && slices.ContainsFunc(node.Hash.Args, func(arg any) bool {
		value, ok := arg.(model.Value)
		return ok && slices.Contains(value.Convert, model.BigInt)
	})
}

// importGroups divides imports into the standard library, other packages, and the
// consumer's packages (whose queries have that path) together with the runtime.
func importGroups(needed []model.Import, queries string) [][]model.Import {
	groups := make([][]model.Import, 3)
	for _, imported := range needed {
		group := 1
		switch {
		case imported.Path == queries, strings.HasPrefix(imported.Path, modulePrefix):
			group = 2
		case imported.Name == "" && isStandard(imported.Path):
			group = 0
		}
		groups[group] = append(groups[group], imported)
	}
	return groups
}

// withName returns an import under a name, which is left out if it is the path's last
// element.
func withName(groups [][]model.Import, importPath, name string) [][]model.Import {
	for _, group := range groups {
		for i := range group {
			if group[i].Path == importPath && name != path.Base(importPath) {
				group[i].Name = name
			}
		}
	}
	return groups
}

// localNames are declared by the generated functions that use sqlc's package; an
// import of the same name would be shadowed there.
var localNames = []string{
	"ctx", "db", "batch", "row", "err", "ahead", "dropped", "k", "s", "c", "r", "scope", "operation", "key",
}

// queriesName chooses the import name of sqlc's package, and reports imports whose
// names conflict.
func (c *coder) queriesName(groups [][]model.Import) string {
	names := naming.NewTaken("a local variable", localNames...)
	for _, imported := range slices.Concat(groups...) {
		if imported.Path != c.db.ImportPath {
			c.takeImport(names, imported)
		}
	}
	used := func(name string) bool { return names.Has(name) || c.taken.Has(name) }
	name := c.db.Name
	if used(name) {
		name += "queries"
	}
	for used(name) {
		name += "x"
	}
	return name
}

func (c *coder) takeImport(names *naming.Taken, imported model.Import) {
	name := importName(imported)
	if c.taken.Has(name) {
		c.list.Errorf(c.server.Document, "rename the schema or operation of that name",
			"the generated package declares %s, which is also the name of the package %s that idemgen's code imports", name, imported.Path)
		return
	}
	if holder, free := names.Take(name, imported.Path); !free && holder != "a local variable" {
		c.list.Errorf(c.db.Config, "give one of them another import name in the override",
			"packages %s and %s are both named %s", holder, imported.Path, name)
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importName returns the name that an import has in the file, as far as it can be
// derived from the path.
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

// isStandard reports whether a path belongs to the standard library: its first element
// has no dot.
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
