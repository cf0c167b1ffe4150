package lock

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/spec"
)

var today = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// TestLock runs the cases in testdata/lock: a document, the lock file of an
// earlier run, and what reading it and comparing it says; or else the lock that
// the run leaves.
func TestLock(t *testing.T) {
	goldentest.Run(t, "testdata/lock", goldentest.Sections{"want"}, func(t *testing.T, c *goldentest.Case) map[string]string {
		files := c.Files()
		doc, contract := load(t, files["api.yaml"])
		var out strings.Builder
		lock, list := Parse("idemgen.lock.yaml", []byte(files["idemgen.lock.yaml"]))
		var accepted []string
		if !list.HasErrors() {
			accepted, list = Compare(contract, history(doc, lock))
		}
		for _, d := range list {
			out.WriteString(d.String() + "\n")
		}
		checkPositions(t, list)
		if !list.HasErrors() {
			out.WriteString(printLock(t, New(contract, lock, accepted, []string{"b.sql", "a.go"})))
		}
		return map[string]string{"want": out.String()}
	})
}

func history(doc *spec.Document, lock model.Lock) History {
	return History{File: "idemgen.lock.yaml", Lock: lock, Today: today, Requests: plan.NewRequests(doc, plan.Options{})}
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
	contract, _ := plan.Contract(doc, plan.Options{})
	want := New(contract, model.Lock{}, nil, []string{"queries/idempotency.sql"})
	got, list := Parse("lock", []byte(printLock(t, want)))
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	if diff := cmp.Diff(want, got, withoutPositions, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if _, list := Compare(contract, history(doc, got)); len(list) > 0 {
		t.Errorf("an unchanged contract is refused: %s", list.Error())
	}
	if again := New(contract, got, nil, got.Files); !cmp.Equal(want, again, withoutPositions) {
		t.Errorf("an unchanged contract gives another lock: %s", cmp.Diff(want, again))
	}
}

// TestLockSyntax reads back everything that the file can say.
func TestLockSyntax(t *testing.T) {
	fields := []model.LockField{
		{Path: "body", Type: "list", Default: "[]", Unordered: true},
		{Path: "body[].a", Type: "string decimal", Default: `"'\"\u2028}"`, Normalize: []string{"trim", "decimal"}},
		{Path: `body[]["a.b"]`, Type: "integer int64", Default: "-1"},
		{Path: "body[].c", Type: "string", Nullable: true},
	}
	want := model.Lock{
		Tables: []model.LockTable{
			{
				Table: `"Billing"."Key s"`, Scope: "b", Responses: "billing.responses", Partition: "day",
				Columns: []model.LockColumn{{Name: "a", Type: "int64"}, {Name: "b", Type: "string", MaxLength: 8, From: `path["a b"]`}},
				Previous: []model.LockPrevious{
					{Table: "keys_2", Columns: []model.LockColumn{{Name: "c", Type: "int64", Now: "a"}}},
					{Table: "keys_1", Columns: []model.LockColumn{{Name: "a", Type: "int64"}}},
				},
			},
			{Table: "keys", Scope: "null", Columns: []model.LockColumn{{Name: "a", Type: "uuid"}}},
		},
		Operations: []model.LockOperation{{
			Name: "a: b", Request: "POST /{a}:b", Mode: "transaction", Scope: "null",
			Key:   model.LockKey{In: "body", Name: "the key", Required: true, MinLength: 2, MaxLength: 9, Pattern: `^[a-z']+: "$`, Format: "uuid"},
			Final: []string{"2XX", "402"}, NotFinal: []string{"409", "default"},
			Window: 90 * time.Minute, Wait: 500 * time.Millisecond, RetryAfter: 2 * time.Second,
			Statuses: model.LockStatuses{Mismatch: 422, InFlight: 409, Expired: 410},
			Headers:  []string{"Location"}, MaxBody: 1 << 20,
			Versions: []model.LockVersion{
				{Version: 3, Window: 2 * time.Hour, Digest: digestOf(fields), Fields: fields},
				{Version: 2, Retired: true},
				{Version: 1, Window: 90 * time.Minute, Digest: digestOf(nil)},
			},
		}},
		Accepted: []string{"operation x: y removed"},
	}
	got, list := Parse("lock", []byte(printLock(t, want)))
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
		digest := digestOf(fields)
		if other, taken := seen[digest]; taken {
			t.Errorf("%s and %s have the digest %s", name, other, digest)
		}
		seen[digest] = name
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("version: 1\noperations:\n  - {name: a, window: 1h}\n"))
	f.Add([]byte("version: 1\noperations: [{name: a, fingerprints: [{version: 2, digest: '" + digestOf(nil) + "'}, {version: 1, retired: true}]}]\n"))
	f.Add([]byte("version: 2\ntables: [{table: k, scope: s, responses: inline, columns: [{name: a, type: int64}], previous: [{table: k_1}]}]\n"))
	f.Add([]byte("a: [\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, list := Parse("lock", data)
		checkPositions(t, list)
	})
}
