package spec_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/spec"
)

// FuzzLoad loads a document, an overlay for it and a file that both may refer to
// as shared.yaml. Nothing makes the loader panic, every diagnostic has a valid
// position in one of the files, and two runs say the same.
func FuzzLoad(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var seed [3]string
		for _, file := range archive.Files {
			switch file.Name {
			case "openapi.yaml", "openapi.json":
				seed[0] = string(file.Data)
			case "overlay.yaml":
				seed[1] = string(file.Data)
			default:
				if !isExpectation(file.Name) {
					seed[2] = string(file.Data)
				}
			}
		}
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, document, overlay, shared string) {
		const largest = 8 << 10
		if len(document) > largest || len(overlay) > largest || len(shared) > largest {
			t.Skip("too large to be quick")
		}
		t.Chdir(t.TempDir())
		files := map[string]string{"openapi.yaml": document, "shared.yaml": shared}
		overlayName := ""
		if overlay != "" {
			overlayName = "overlay.yaml"
			files[overlayName] = overlay
		}
		for name, content := range files {
			if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		doc, list := spec.Load("openapi.yaml", overlayName)
		checkPositions(t, list)
		if doc == nil && !list.HasErrors() {
			t.Error("no document and no error")
		}
		again, listAgain := spec.Load("openapi.yaml", overlayName)
		if !slices.Equal(list, listAgain) || dump(doc) != dump(again) {
			t.Errorf("two runs differ:\n%v\n%v", list, listAgain)
		}
		if doc == nil {
			return
		}
		if _, err := doc.Fresh(); err != nil {
			t.Errorf("a document that was loaded cannot be loaded anew: %v", err)
		}
		for _, op := range doc.Operations {
			if pos := doc.PositionOf(op.Pointer.Child("requestBody")); !pos.Valid() || op.OpenAPI == nil {
				t.Errorf("%s %s at %v", op.Method, op.Path, pos)
			}
		}
	})
}
