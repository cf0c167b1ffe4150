package house

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mayImport says for each package of the root module which others of it the
// package may import. A stage of the pipeline knows what it works on, never the
// stage that calls it.
var mayImport = map[string][]string{
	"cmd/idemgen":      {"internal/cli"},
	"internal/cli":     {"internal/gen", "internal/explain", "internal/output", "internal/config", "internal/sqlc", "internal/diag"},
	"internal/gen":     {"internal/spec", "internal/plan", "internal/lock", "internal/oapi", "internal/gopkg", "internal/resolve", "internal/sqlc", "internal/migrate", "internal/render", "internal/expand", "internal/config", "internal/output", "internal/model", "internal/naming", "internal/diag"},
	"internal/spec":    {"internal/tree", "internal/model", "internal/naming", "internal/diag"},
	"internal/plan":    {"internal/spec", "internal/tree", "internal/model", "internal/naming", "internal/diag"},
	"internal/lock":    {"internal/spec", "internal/tree", "internal/model", "internal/naming", "internal/diag"},
	"internal/oapi":    {"internal/tree", "internal/model", "internal/diag"},
	"internal/gopkg":   {"internal/diag"},
	"internal/resolve": {"internal/oapi", "internal/gopkg", "internal/model", "internal/diag"},
	"internal/sqlc":    {"internal/tree", "internal/model", "internal/naming", "internal/diag"},
	"internal/migrate": {"internal/model", "internal/naming"},
	"internal/render":  {"templates", "internal/model", "internal/naming", "internal/diag"},
	"internal/expand":  {"internal/spec", "internal/tree", "internal/model", "internal/diag"},
	"internal/explain": {"internal/model", "internal/diag"}, // independent of what is generated
	"internal/config":  {"internal/tree", "internal/diag"},
	"internal/output":  {"internal/diag"},
	"internal/tree":    {"internal/diag"},
	"internal/model":   {"internal/diag"},
	"internal/naming":  {},
	"internal/diag":    {},
	// Tests only: the whole generator against explain.
	"internal/differential": {},
	"internal/goldentest":   {},
	"internal/corpustest":   {},
	"templates":             {},
}

// onlyIn says which packages of the root module may import a tool.
var onlyIn = map[string][]string{
	"github.com/spf13/cobra":                  {"internal/cli"},
	"github.com/sqlc-dev/sqlc":                {"internal/sqlc"},
	"github.com/oapi-codegen/oapi-codegen/v2": {"internal/oapi"},
	"github.com/theory/jsonpath":              {"internal/spec"},
	"text/template":                           {"internal/render"},
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, ".", "./...") {
		name := short(p.ImportPath)
		seen[name] = true
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("%s has no row in mayImport: say what it may import", name)
			continue
		}
		for _, imported := range ours(p.Imports) {
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s; the rule is: %s", name, imported, rule(name, allowed))
			}
		}
	}
	for name := range mayImport {
		if !seen[name] {
			t.Errorf("%s has a row in mayImport and does not exist", name)
		}
	}
}

// Tests may look around, but not at those who import the package under test.
func TestTestsDoNotImportUpwards(t *testing.T) {
	for _, p := range list(t, ".", "./...") {
		name := short(p.ImportPath)
		for _, imported := range ours(slices.Concat(p.TestImports, p.XTestImports)) {
			if imported != name && reaches(imported, name) {
				t.Errorf("a test of %s imports %s, which lies above it", name, imported)
			}
		}
	}
}

// The table itself allows no way back up.
func TestRulesHaveNoCycle(t *testing.T) {
	for name := range mayImport {
		if reaches(name, name) {
			t.Errorf("mayImport leads from %s back to it", name)
		}
	}
}

func TestToolsAreImportedInOnePlace(t *testing.T) {
	used := map[string]bool{}
	for _, p := range list(t, ".", "./...") {
		name := short(p.ImportPath)
		for tool, places := range onlyIn {
			if !slices.ContainsFunc(p.Imports, func(path string) bool { return path == tool || strings.HasPrefix(path, tool+"/") }) {
				continue
			}
			used[tool] = true
			if !slices.Contains(places, name) {
				t.Errorf("%s imports %s; the rule is: only %s may", name, tool, strings.Join(places, ", "))
			}
		}
	}
	for tool := range onlyIn {
		if !used[tool] {
			t.Errorf("nobody imports %s: fix onlyIn", tool)
		}
	}
}

// One YAML library reads and writes everything, so that a text means the same wherever
// it is looked at; tests are no exception.
func TestOneYAMLLibrary(t *testing.T) {
	const library = "go.yaml.in/yaml/v4"
	used := false
	for folder := range modules(t) {
		if folder == tools { // has no packages
			continue
		}
		for _, p := range list(t, folder, "./...") {
			for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
				used = used || imported == library
				if strings.Contains(imported, "yaml") && imported != library && !strings.HasPrefix(imported, module) {
					t.Errorf("%s imports %s; the rule is: only %s", p.ImportPath, imported, library)
				}
			}
		}
	}
	if !used {
		t.Errorf("nobody imports %s: fix this test", library)
	}
}

// reaches reports whether the rules let from import to, directly or not.
func reaches(from, to string) bool {
	for _, next := range mayImport[from] {
		if next == to || reaches(next, to) {
			return true
		}
	}
	return false
}

func rule(name string, allowed []string) string {
	if len(allowed) == 0 {
		return name + " imports nothing of ours"
	}
	return fmt.Sprintf("%s → {%s}", name, strings.Join(allowed, ", "))
}

// short is an import path without the root module's.
func short(path string) string { return strings.TrimPrefix(path, module+"/") }

// ours are the import paths that begin with the root module's, shortened.
func ours(paths []string) []string {
	var names []string
	for _, path := range paths {
		if strings.HasPrefix(path, module+"/") {
			names = append(names, short(path))
		}
	}
	return names
}
