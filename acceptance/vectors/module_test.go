package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// packageOf is the package into which a document goes: one for each OpenAPI version
// and set of options.
func packageOf(d document) string {
	name := "v" + strings.ReplaceAll(d.OpenAPI[:3], ".", "")
	if d.Nullable {
		name += "nullable"
	}
	return name
}

// newModule generates all documents into a module, and returns its folder.
func newModule(t *testing.T, documents []document) string {
	t.Helper()
	module := t.TempDir()
	if err := os.CopyFS(module, os.DirFS(filepath.Join("testdata", "driver"))); err != nil {
		t.Fatal(err)
	}
	root := command.Root(t)
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(root, "example", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(module, name), string(content))
	}
	run(t, module, "go", "mod", "edit", "-module=example.com/vectors",
		"-replace=github.com/idemgen/idemgen/idem="+filepath.Join(root, "idem"),
		"-replace=github.com/idemgen/idemgen/pgserver="+filepath.Join(root, "pgserver"))

	packages := map[string][]document{}
	for _, d := range documents {
		packages[packageOf(d)] = append(packages[packageOf(d)], d)
	}
	for _, documents := range packages {
		generate(t, module, documents)
	}
	return module
}

// generate writes one document that holds all those of one package, has idemgen
// generate it, and adds access to its functions.
func generate(t *testing.T, module string, documents []document) {
	t.Helper()
	name := packageOf(documents[0])
	paths := map[string]json.RawMessage{}
	components := map[string]map[string]any{}
	var functions strings.Builder
	for _, d := range documents {
		maps.Copy(paths, d.Raw.Paths)
		for kind, named := range d.Components {
			if components[kind] == nil {
				components[kind] = map[string]any{}
			}
			for component, value := range named {
				components[kind][component] = value
			}
		}
		for _, methods := range d.Paths {
			for _, op := range methods {
				fmt.Fprintf(&functions, "\tcase %sRequestObject:\n\t\treturn fingerprint%sV%d(r)\n", op.ID, op.ID, op.Idempotent.version())
			}
		}
	}
	whole, err := json.Marshal(map[string]any{
		"openapi":      documents[0].OpenAPI,
		"info":         map[string]string{"title": "vectors", "version": "1"},
		"x-idempotent": json.RawMessage(`{"scopes": {"tenant": {"columns": [{"name": "tenant_id", "type": "uuid"}]}}}`),
		"paths":        paths,
		"components":   components,
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(module, name+".json"), string(whole))
	fill := strings.NewReplacer("NAME", name).Replace
	write(t, filepath.Join(module, name+".sqlc.yaml"), fill(sqlcYAML))
	options := fmt.Sprintf("{output-options: {nullable-type: %t}}", documents[0].Nullable)
	write(t, filepath.Join(module, name+".idemgen.yaml"), strings.ReplaceAll(fill(idemgenYAML), "OPTIONS", options))
	run(t, module, command.Idemgen(t), "generate", "-c", name+".idemgen.yaml")
	write(t, filepath.Join(module, name, "access.go"), fill(accessGo[0])+functions.String()+accessGo[1])
}

const sqlcYAML = `version: "2"
sql:
  - engine: postgresql
    schema: NAME/schema.sql
    queries: NAME/queries.sql
    gen:
      go: {package: NAMEkeys, out: NAMEkeys, sql_package: pgx/v5}
`

const idemgenYAML = `version: 1
spec: NAME.json
server: {package: NAME, out: NAME, options: OPTIONS}
sqlc: NAME.sqlc.yaml
schema: NAME/schema.sql
queries: NAME/queries.sql
lock: NAME.lock.yaml
`

var accessGo = [2]string{`package NAME

import (
	"context"
	"net/http"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// Serve answers requests as the strict server decodes them, and hands their
// fingerprints to found.
func Serve(found func(fingerprint.Fingerprint)) http.Handler {
	return Handler(NewStrictHandler(nil, []StrictMiddlewareFunc{func(StrictHandlerFunc, string) StrictHandlerFunc {
		return func(_ context.Context, _ http.ResponseWriter, _ *http.Request, request any) (any, error) {
			found(digest(request))
			return nil, nil
		}
	}}))
}

func digest(request any) fingerprint.Fingerprint {
	switch r := request.(type) {
`, `	}
	panic("unknown request")
}
`}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in the module.
func run(t *testing.T, module, name string, args ...string) {
	t.Helper()
	runWith(t, module, nil, name, args...)
}

// runWith runs a command in the module and returns what it prints.
func runWith(t *testing.T, module string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(name), args, err, &stderr)
	}
	return out
}
