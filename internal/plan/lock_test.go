package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestLock runs the cases in testdata/lock: a document, the lock file of an
// earlier run, and what reading it and comparing it says; or else the lock that
// the run leaves.
func TestLock(t *testing.T) {
	golden(t, "testdata/lock", func(t *testing.T, files map[string]string) string {
		doc, contract := mustLoad(t, files)
		var out strings.Builder
		lock, list := ParseLock("idemgen.lock.yaml", []byte(files["idemgen.lock.yaml"]))
		if !list.HasErrors() {
			list = Versions(doc, contract, History{
				File:  "idemgen.lock.yaml",
				Lock:  lock,
				Today: time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC),
			})
		}
		writeList(&out, list)
		checkPositions(t, list)
		if !list.HasErrors() {
			out.WriteString(printLock(t, NewLock(contract, lock, []string{"b.sql", "a.go"})))
		}
		return out.String()
	})
}

func printLock(t *testing.T, lock model.Lock) string {
	t.Helper()
	text, err := render.Lock(&lock)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutPositions compares what was decided, and not where it was written.
var withoutPositions = cmpopts.IgnoreTypes(diag.Position{})

// TestLockRoundTrip reads back what the next run will be compared with.
func TestLockRoundTrip(t *testing.T) {
	doc, _ := spec.Load("../../openapi/orders.yaml", "")
	contract, _ := Contract(doc, Options{})
	want := NewLock(contract, model.Lock{}, []string{"queries/idempotency.sql"})
	got, list := ParseLock("lock", []byte(printLock(t, want)))
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	if diff := cmp.Diff(want, got, withoutPositions); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if list := Versions(doc, contract, History{File: "lock", Lock: got}); len(list) > 0 {
		t.Errorf("an unchanged contract is refused: %s", list.Error())
	}
	if again := NewLock(contract, got, got.Files); !cmp.Equal(want, again, withoutPositions) {
		t.Errorf("an unchanged contract gives another lock: %s", cmp.Diff(want, again))
	}
}

// TestLockFieldSyntax reads back everything that a field can say.
func TestLockFieldSyntax(t *testing.T) {
	fields := []model.LockField{
		{Path: "body", Type: "list", Default: "[]", Unordered: true},
		{Path: "body[].a", Type: "string decimal", Default: `"'\"\u2028}"`, Normalize: []string{"trim", "decimal"}},
		{Path: `body[]["a.b"]`, Type: "integer int64", Default: "-1"},
		{Path: "body[].c", Type: "string", Nullable: true},
	}
	want := model.Lock{Operations: []model.LockOperation{{
		Name: "a: b", Scope: "null", Window: time.Hour,
		Versions: []model.LockVersion{
			{Version: 3, Window: 2 * time.Hour, Digest: lockDigest(fields), Fields: fields},
			{Version: 2, Retired: true},
			{Version: 1, Window: time.Hour, Digest: lockDigest(nil)},
		},
	}}}
	got, list := ParseLock("lock", []byte(printLock(t, want)))
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	if diff := cmp.Diff(want, got, withoutPositions); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// TestLockDigest changes one thing at a time.
func TestLockDigest(t *testing.T) {
	field := model.LockField{Path: "body.a", Type: "string"}
	lists := map[string][]model.LockField{"nothing": nil, "field": {field}, "field twice": {field, field}}
	change := func(name string, change func(*model.LockField)) {
		changed := field
		change(&changed)
		lists[name] = []model.LockField{changed}
	}
	change("path", func(f *model.LockField) { f.Path = "body.b" })
	change("type", func(f *model.LockField) { f.Type = "string uuid" })
	change("default", func(f *model.LockField) { f.Default = `"a"` })
	change("order", func(f *model.LockField) { f.Unordered = true })
	change("normalize", func(f *model.LockField) { f.Normalize = []string{"trim"} })
	change("normalize more", func(f *model.LockField) { f.Normalize = []string{"trim", "lower"} })
	change("nullable", func(f *model.LockField) { f.Nullable = true })
	seen := make(map[string]string)
	for name, fields := range lists {
		digest := lockDigest(fields)
		if other, taken := seen[digest]; taken {
			t.Errorf("%s and %s have the digest %s", name, other, digest)
		}
		seen[digest] = name
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte("version: 1\noperations:\n  - {name: a, window: 1h}\n"))
	f.Add([]byte("version: 1\noperations: [{name: a, fingerprints: [{version: 2, digest: '" + lockDigest(nil) + "'}, {version: 1, retired: true}]}]\n"))
	f.Add([]byte("a: [\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, list := ParseLock("lock", data)
		checkPositions(t, list)
	})
}
