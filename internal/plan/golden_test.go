package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestContract runs the cases in testdata/contract. A case has a document in api.yaml
// and possibly other files; want holds the diagnostics and the contract, if there is
// one. A case with a file named strict, or nullable-type, is planned with that option.
func TestContract(t *testing.T) {
	golden(t, "testdata/contract", func(t *testing.T, files map[string]string) string {
		_, strict := files["strict"]
		_, nullableType := files["nullable-type"]
		contract, list := load(t, files, Options{Strict: strict, NullableType: nullableType})
		var out strings.Builder
		writeList(&out, list)
		if contract != nil {
			dump(&out, contract)
			checkRestored(t, contract)
		}
		return out.String()
	})
}

// golden runs each case in a folder and compares the result of run with its file want.
func golden(t *testing.T, dir string, run func(t *testing.T, files map[string]string) string) {
	t.Helper()
	goldentest.Run(t, dir, goldentest.Sections{"want"}, func(t *testing.T, c *goldentest.Case) map[string]string {
		return map[string]string{"want": run(t, c.Files())}
	})
}

// load plans api.yaml of a case. The list holds the diagnostics of spec, too.
func load(t *testing.T, files map[string]string, options Options) (*model.Contract, diag.List) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay := ""
	if _, ok := files["overlay.yaml"]; ok {
		overlay = "overlay.yaml"
	}
	doc, list := spec.Load("api.yaml", overlay)
	if doc == nil {
		return nil, list
	}
	contract, planned := Contract(doc, options)
	list.Add(planned...)
	list.Sort()
	checkPositions(t, list)
	return contract, list
}

func checkPositions(t *testing.T, list diag.List) {
	t.Helper()
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no position: %s", d)
		}
	}
}

func writeList(out *strings.Builder, list diag.List) {
	for _, d := range list {
		out.WriteString(d.String() + "\n")
	}
}

// TestExample plans the example's own document.
func TestExample(t *testing.T) {
	doc, list := spec.Load("../../openapi/orders.yaml", "")
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	contract, list := Contract(doc, Options{Strict: true})
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	var out strings.Builder
	dump(&out, contract)
	goldentest.File(t, "testdata/orders.want", out.String())
}

// FuzzContract plans any document that can be read: it must never panic, and every
// diagnostic has a position.
func FuzzContract(f *testing.F) {
	for _, c := range goldentest.ReadAll(f, "testdata/contract", "want") {
		f.Add([]byte(c.Files()["api.yaml"]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "api.yaml")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		doc, _ := spec.Load(path, "")
		if doc == nil {
			return
		}
		contract, list := Contract(doc, Options{})
		checkPositions(t, list)
		if contract != nil {
			dump(&strings.Builder{}, contract)
			checkRestored(t, contract)
		}
	})
}
