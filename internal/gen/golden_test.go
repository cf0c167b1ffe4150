package gen_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/sqlc"
)

func TestMain(m *testing.M) {
	if code, ok := sqlc.Child(os.Args[1:]); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// sections are what the cases in testdata/golden expect.
var sections = goldentest.Sections{"want/"}

// TestGolden runs every case of testdata/golden. A case is one txtar file: the
// input files, and what must come of them, which is either "want/errors" or any
// of the generated files under "want/". Cases may leave out idemgen.yaml and
// sqlc.yaml. A case with errors may have remedies under "fix/": edits of api.yaml,
// with each of which, alone, it must generate. Everything that was generated is
// compiled in the end, whether or not an expectation changed; but see folderOf.
func TestGolden(t *testing.T) {
	root := goldenModule(t)
	goldentest.Run(t, "testdata/golden", sections, func(t *testing.T, c *goldentest.Case) map[string]string {
		dir := filepath.Join(root, folderOf(c.Name))
		unpack(t, c.Given, dir)
		t.Chdir(dir)
		runOAPICodegen(t)
		got := generate(t).expected(c.Want)
		if !t.Failed() {
			applyFixes(t, c.Given)
		}
		return got
	})
	if t.Failed() {
		return
	}
	build := exec.CommandContext(t.Context(), "go", "vet", "./...")
	build.Dir = root
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("what was generated does not compile: %v\n%s", err, out)
	}
}

// folderOf is where a case is generated. Frameworks are none of the example's
// requirements, so what is generated for them is compiled in acceptance/routers, and
// go skips it here; as it skips packages of the user's that are refused.
func folderOf(name string) string {
	if strings.HasPrefix(name, "framework-") || strings.HasPrefix(name, "error-from-") {
		return "_" + name
	}
	return name
}

// today is the day on which all cases are generated.
var today = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// results are generated files and their contents; or "errors" and "warnings".
type results map[string]string

// expected returns the part of r that a case speaks of, as its sections. Errors are
// always spoken of; a new case expects its errors, or its decorator.
func (r results) expected(wanted map[string]string) map[string]string {
	part := map[string]string{}
	for name, content := range r {
		section := sections[0] + name
		_, ok := wanted[section]
		if ok || name == "errors" || len(wanted) == 0 && name == "api/idempotent.gen.go" {
			part[section] = content
		}
	}
	return part
}

// generate runs the pipeline in the working folder and writes what it generates. A
// second run, which finds that, must give the same.
func generate(t *testing.T) results {
	t.Helper()
	first, files := runOnce(t)
	if _, err := output.Write(files, nil); err != nil {
		t.Fatal(err)
	}
	second, _ := runOnce(t)
	before := maps.Clone(first)
	if len(files) > 0 {
		for _, r := range []results{before, second} {
			delete(r, "warnings") // a version is new only once
		}
	}
	if diff := cmp.Diff(before, second); diff != "" {
		t.Errorf("a second run differs: -first +second\n%s", diff)
	}
	return first
}

func runOnce(t *testing.T) (results, []output.File) {
	t.Helper()
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		return failure(t, err), nil
	}
	result, err := gen.Run(t.Context(), c, gen.Options{Today: today})
	if err != nil {
		return failure(t, err), nil
	}
	got := results{}
	for _, file := range result.Files {
		got[filepath.ToSlash(file.Display)] = string(file.Content)
	}
	if len(result.Warnings) > 0 {
		got["warnings"] = result.Warnings.Error() + "\n"
	}
	return got, result.Files
}

// failure is the text of errors that are the user's; others end the test.
func failure(t *testing.T, err error) results {
	t.Helper()
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("not a diagnostic: %v", err)
	}
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no position: %s", d)
		}
	}
	return results{"errors": list.Error() + "\n"}
}

// unpack writes the input files of a case, and those that it leaves out.
func unpack(t *testing.T, archive *txtar.Archive, dir string) {
	t.Helper()
	goldentest.Unpack(t, &txtar.Archive{Files: []txtar.File{
		{Name: "idemgen.yaml", Data: []byte(defaultConfig)},
		{Name: "sqlc.yaml", Data: []byte(defaultSQLC)},
	}}, dir)
	goldentest.Unpack(t, archive, dir)
}

const defaultConfig = `version: 1
spec: api.yaml
server: {package: api, out: api}
sqlc: sqlc.yaml
schema: schema.sql
queries: queries.sql
lock: idemgen.lock.yaml
`

const defaultSQLC = `version: "2"
sql:
  - engine: postgresql
    schema: schema.sql
    queries: queries.sql
    gen: {go: {package: keysdb, out: keysdb, sql_package: pgx/v5}}
`

func TestRunStopsWithItsContext(t *testing.T) {
	dir := filepath.Join(goldenModule(t), "stopped")
	unpack(t, &txtar.Archive{Files: []txtar.File{{Name: "api.yaml", Data: []byte(smallest)}}}, dir)
	t.Chdir(dir)
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gen.Run(ctx, c, gen.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

const smallest = `openapi: 3.0.3
info: {title: t, version: "1"}
x-idempotent:
  scopes: {tenant: {columns: [{name: tenant_id, type: int64}]}}
paths:
  /things:
    post:
      operationId: createThing
      x-idempotent: {scope: tenant, fingerprint: []}
      responses: {'204': {description: done}}
`
