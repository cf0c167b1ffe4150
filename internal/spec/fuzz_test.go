package spec_test

import (
	"os"
	"slices"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/spec"
)

// FuzzLoad loads a document, an overlay for it and a file that both may refer to as
// shared.yaml. The loader must never panic, every diagnostic has a valid position in
// one of the files, and two runs give the same result.
func FuzzLoad(f *testing.F) {
	for _, c := range goldentest.ReadAll(f, "testdata", sections...) {
		seed := map[string]string{}
		for name, content := range c.Files() {
			seed[roleOf(name)] = content
		}
		f.Add(seed["document"], seed["overlay"], seed["shared"])
	}
	f.Fuzz(func(t *testing.T, document, overlay, shared string) {
		const largest = 8 << 10
		if max(len(document), len(overlay), len(shared)) > largest {
			t.Skip("too large to be quick")
		}
		t.Chdir(t.TempDir())
		write(t, "openapi.yaml", document)
		write(t, "shared.yaml", shared)
		if overlay != "" {
			write(t, "overlay.yaml", overlay)
		}
		doc, list := spec.Load("openapi.yaml", overlayFile())
		checkPositions(t, list)
		if doc == nil && !list.HasErrors() {
			t.Error("no document and no error")
		}
		again, listAgain := spec.Load("openapi.yaml", overlayFile())
		if !slices.Equal(list, listAgain) || dump(doc) != dump(again) {
			t.Errorf("two runs differ:\n%v\n%v", list, listAgain)
		}
		if doc != nil {
			checkLoaded(t, doc)
		}
	})
}

// roleOf maps a file of a golden case to its parameter of the fuzz target.
func roleOf(name string) string {
	switch name {
	case "openapi.yaml", "openapi.json":
		return "document"
	case "overlay.yaml":
		return "overlay"
	}
	return "shared"
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func checkLoaded(t *testing.T, doc *spec.Document) {
	t.Helper()
	checkSame(t, doc)
	for _, op := range doc.Operations {
		if pos := doc.PositionOf(op.Pointer.Child("requestBody")); !pos.Valid() || op.OpenAPI == nil {
			t.Errorf("%s %s at %v", op.Method, op.Path, pos)
		}
	}
}
