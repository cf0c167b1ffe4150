package gopkg

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
)

// Packages of the same module need neither the go command nor a tidy go.mod;
// others are found as the go command finds them.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/shop\n\ngo 1.26\n\nrequire (\n\texample.com/gone v1.0.0\n\texample.com/other v0.0.0\n)\n\nreplace example.com/other => ./other\n")
	write(t, filepath.Join(dir, "money", "money.go"), "package money\n")
	write(t, filepath.Join(dir, "money", "money_test.go"), "package money\n")
	write(t, filepath.Join(dir, "other", "go.mod"), "module example.com/other\n")
	write(t, filepath.Join(dir, "other", "a.go"), "package other\n")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")

	need := func(paths ...string) (found map[string][]string, problem string) {
		var needs []Need
		for _, path := range paths {
			needs = append(needs, Need{Path: path, Pos: diag.Position{File: "api.yaml", Line: 3, Column: 7}})
		}
		sources, err := Find(t.Context(), filepath.Join(dir, "api", "not", "yet"), needs)
		if err != nil {
			return nil, err.Error()
		}
		found = map[string][]string{}
		for _, source := range sources {
			found[source.Path] = slices.Sorted(maps.Keys(source.Files))
		}
		return found, ""
	}
	got, problem := need("example.com/shop/money", "example.com/shop/none")
	if !strings.Contains(problem, "api.yaml:3:7: package example.com/shop/none, into which a declared field leads, cannot be read: ") {
		t.Errorf("got %v, %s", got, problem)
	}
	got, problem = need("example.com/shop/money")
	if diff := cmp.Diff(map[string][]string{"example.com/shop/money": {"example.com/shop/money/money.go"}}, got); diff != "" || problem != "" {
		t.Errorf("%s\n%s", problem, diff)
	}
	if folder, ok := inModule(filepath.Join(dir, "api"), "example.com/shop/other/x"); ok {
		t.Errorf("a module of its own is taken for a folder of another: %s", folder)
	}
	if _, problem = need("example.com/nowhere/x"); !strings.Contains(problem, "api.yaml:3:7: package example.com/nowhere/x") {
		t.Errorf("got %s", problem)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
