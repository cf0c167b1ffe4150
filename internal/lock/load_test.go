package lock

import (
	"os"
	"testing"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

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
