package gen_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
)

// goldenModule makes a consumer's module: the example's requirements, the runtime
// from this repository, and nothing of the generator.
func goldenModule(t *testing.T) string {
	t.Helper()
	example, err := filepath.Abs("../../example")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(example, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(parsed.AddModuleStmt("golden"))
	for _, replace := range parsed.Replace {
		check(parsed.AddReplace(replace.Old.Path, replace.Old.Version, filepath.Join(example, replace.New.Path), ""))
	}
	content, err := parsed.Format()
	check(err)
	sums, err := os.ReadFile(filepath.Join(example, "go.sum"))
	check(err)
	root := t.TempDir()
	check(os.WriteFile(filepath.Join(root, "go.mod"), content, 0o600))
	check(os.WriteFile(filepath.Join(root, "go.sum"), sums, 0o600))
	return root
}
