package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestLock runs the cases in testdata/lock: a document, the lock file of an
// earlier run, and what reading it and comparing it says.
func TestLock(t *testing.T) {
	golden(t, "testdata/lock", func(t *testing.T, files map[string]string) string {
		contract, list := load(t, files, Options{})
		if contract == nil {
			t.Fatal(list.Error())
		}
		var out strings.Builder
		lock, list := ParseLock("idemgen.lock.yaml", []byte(files["idemgen.lock.yaml"]))
		writeList(&out, list)
		checkPositions(t, list)
		if !list.HasErrors() {
			list = CompareLock("idemgen.lock.yaml", lock, contract)
			writeList(&out, list)
			checkPositions(t, list)
		}
		if lock.Operations == nil && list == nil {
			out.WriteString(printLock(NewLock(contract, []string{"b.sql", "a.go"})))
		}
		return out.String()
	})
}

func printLock(lock model.Lock) string {
	var out strings.Builder
	out.WriteString("version: 1\noperations:\n")
	for _, o := range lock.Operations {
		fmt.Fprintf(&out, "  - name: %s\n    scope: %s\n    window: %s\n    fingerprints:\n", o.Name, o.Scope, o.Window)
		for _, v := range o.Versions {
			fmt.Fprintf(&out, "      - version: %d\n        fields:\n", v.Version)
			for _, f := range v.Fields {
				fmt.Fprintf(&out, "          - {path: '%s', type: %s, default: '%s'}\n", f.Path, f.Type, f.Default)
			}
		}
	}
	out.WriteString("files:\n")
	for _, file := range lock.Files {
		fmt.Fprintf(&out, "  - %s\n", file)
	}
	return out.String()
}

// TestLockRoundTrip reads back what the next run will be compared with.
func TestLockRoundTrip(t *testing.T) {
	doc, _ := spec.Load("../../openapi/orders.yaml", "")
	contract, _ := Contract(doc, Options{})
	want := NewLock(contract, []string{"queries/idempotency.sql"})
	got, list := ParseLock("lock", []byte(printLock(want)))
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if list := CompareLock("lock", got, contract); len(list) > 0 {
		t.Errorf("an unchanged contract is refused: %s", list.Error())
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte("version: 1\noperations:\n  - {name: a, window: 1h}\n"))
	f.Add([]byte("a: [\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, list := ParseLock("lock", data)
		checkPositions(t, list)
	})
}
