package gopkg

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
)

func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"api.gen.go": "package api\n", "own.go": "package api\n", "own_test.go": "package api\n", "idempotent.gen.go": "package api\n",
		"ignored.go": "//go:build ignore\n\npackage main\n", "api_windows.go": "package api\n", "api_linux.go": "package api\n", "notes.txt": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	source, err := ReadFolder(Folder{Path: dir, Display: "internal/api", Import: "example.com/api"}, "idempotent.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"internal/api/api.gen.go", "internal/api/api_linux.go", "internal/api/own.go"}, slices.Sorted(maps.Keys(source.Files))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = ReadFolder(Folder{Path: filepath.Join(dir, "gone"), Display: "gone", Pos: diag.Position{File: "idemgen.yaml", Line: 3, Column: 9}}, "x.go")
	want := "idemgen.yaml:3:9: gone holds no Go package; run oapi-codegen first, over what idemgen expand --bound prints; or let idemgen do so, with server.out instead of server.from"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
