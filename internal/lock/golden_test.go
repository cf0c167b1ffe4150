package lock

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

var update = flag.Bool("update", false, "rewrite the expected part of golden cases")

// golden runs each txtar file of a folder and compares what run returns with the
// file want in it.
func golden(t *testing.T, dir string, run func(t *testing.T, files map[string]string) string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := make(map[string]string)
			for _, file := range archive.Files {
				files[file.Name] = string(file.Data)
			}
			got := run(t, files)
			if *update {
				writeWant(t, path, archive, got)
				return
			}
			if diff := cmp.Diff(files["want"], got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func writeWant(t *testing.T, path string, archive *txtar.Archive, got string) {
	t.Helper()
	last := len(archive.Files) - 1
	if archive.Files[last].Name != "want" {
		archive.Files, last = append(archive.Files, txtar.File{Name: "want"}), last+1
	}
	archive.Files[last].Data = []byte(got)
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// load plans a document that has no errors.
func load(t *testing.T, document string) (*spec.Document, *model.Contract) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("api.yaml", []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, list := spec.Load("api.yaml", "")
	if list.HasErrors() {
		t.Fatal(list.Error())
	}
	contract, list := plan.Contract(doc, plan.Options{})
	if contract == nil {
		t.Fatal(list.Error())
	}
	return doc, contract
}

func checkPositions(t *testing.T, list diag.List) {
	t.Helper()
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no position: %s", d)
		}
	}
}
