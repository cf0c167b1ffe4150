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

// runtimePaths are the packages that generated code is written against.
var runtimePaths = []string{ourModules + "idem", ourModules + "idem/fingerprint", ourModules + "idem/idemrt"}

// ourModules begins the import paths of the runtime and of its adapters.
const ourModules = "github.com/idemgen/idemgen/"

// neededImports lists what the generated file imports, sorted.
func neededImports(scopes []*model.GoScope, db Database, server Server) []model.Import {
	paths := append([]string{"context", "time", "github.com/jackc/pgx/v5", db.ImportPath}, runtimePaths...)
	if hashes(server.Operations, func(n *model.GoNode) bool { return n.Kind == model.Map }) {
		paths = append(paths, "maps", "slices") // to go through the keys in order
	}
	if hashes(server.Operations, isBigInteger) {
		paths = append(paths, "math/big")
	}
	var needed []model.Import
	for _, path := range paths {
		needed = append(needed, model.Import{Path: path})
	}
	for _, imported := range server.Framework.Imports {
		if imported.Path != "errors" || slices.ContainsFunc(server.Operations, parsesKey) { // for what is wrong with a key
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

// hashes reports whether any fingerprint has a value that matches.
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

// isBigInteger reports whether a value is turned into a big.Int to be hashed.
func isBigInteger(node *model.GoNode) bool {
	return node.Hash != nil && slices.ContainsFunc(node.Hash.Args, func(arg any) bool {
		value, ok := arg.(model.Value)
		return ok && slices.Contains(value.Convert, model.BigInt)
	})
}

// importGroups divides imports into the standard library, others, and in the end what
// belongs to the consumer, whose queries have that path, and to the runtime.
func importGroups(needed []model.Import, queries string) [][]model.Import {
	groups := make([][]model.Import, 3)
	for _, imported := range needed {
		group := 1
		switch {
		case imported.Path == queries, strings.HasPrefix(imported.Path, ourModules):
			group = 2
		case imported.Name == "" && isStandard(imported.Path):
			group = 0
		}
		groups[group] = append(groups[group], imported)
	}
	return groups
}

// withName has a package imported under a name, unless that is its path's last element.
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

// localNames are declared by the generated functions in which sqlc's package is
// used; an import of such a name could not be reached from there.
var localNames = []string{
	"ctx", "db", "batch", "row", "err", "ahead", "dropped", "k", "s", "c", "r", "scope", "operation", "key",
}

// queriesName chooses the name under which sqlc's package is imported, and
// reports imports that would get in each other's way.
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
