package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
)

// workspace creates a folder with a module, a document, an overlay, a sqlc
// configuration and an idemgen.yaml with the given text, and changes to it.
func workspace(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/shop\n\ngo 1.26\n")
	write(t, dir, "api.yaml", "openapi: 3.0.3\n")
	write(t, dir, "overlay.yaml", "overlay: 1.0.0\n")
	write(t, dir, "sqlc.yaml", "version: \"2\"\n")
	write(t, dir, "idemgen.yaml", config)
	t.Chdir(dir)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

const valid = `version: 1
spec: api.yaml
server: {package: api, out: internal/api, framework: std-http, options: {}}
sqlc: sqlc.yaml
schema: schema/idempotency.sql
queries: queries/idempotency.sql
lock: idemgen.lock.yaml
`

func TestLoad(t *testing.T) {
	dir := workspace(t, valid+"overlay: overlay.yaml\nbound: internal/api/openapi.gen.yaml\nstrict: true\n")
	at := func(line, column int) diag.Position {
		return diag.Position{File: "idemgen.yaml", Line: line, Column: column}
	}
	path := func(name string, pos diag.Position) Path {
		return Path{Display: filepath.FromSlash(name), Abs: filepath.Join(dir, filepath.FromSlash(name)), Pos: pos}
	}
	want := &Config{
		File:    path("idemgen.yaml", at(1, 1)),
		Spec:    path("api.yaml", at(2, 7)),
		Overlay: path("overlay.yaml", at(8, 10)),
		Server: Server{
			Package:    "api",
			Out:        path("internal/api", at(3, 29)),
			ImportPath: "example.com/shop/internal/api",
			Framework:  "std-http",
		},
		Bound:   path("internal/api/openapi.gen.yaml", at(9, 8)),
		SQLC:    path("sqlc.yaml", at(4, 7)),
		Schema:  path("schema/idempotency.sql", at(5, 9)),
		Queries: path("queries/idempotency.sql", at(6, 10)),
		Lock:    path("idemgen.lock.yaml", at(7, 7)),
		Strict:  true,
	}
	got, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadMigrations(t *testing.T) {
	dir := workspace(t, strings.Replace(valid, "schema: schema/idempotency.sql", "migrations: {dir: db/migrations, style: golang-migrate}", 1))
	c, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := Migrations{
		Dir: Path{
			Display: filepath.FromSlash("db/migrations"),
			Abs:     filepath.Join(dir, "db", "migrations"),
			Pos:     diag.Position{File: "idemgen.yaml", Line: 5, Column: 19},
		},
		Style: "golang-migrate",
	}
	if diff := cmp.Diff(want, c.Migrations); diff != "" || !c.Schema.IsZero() {
		t.Errorf("schema %+v, migrations %s", c.Schema, diff)
	}
}

func TestLoadServerFrom(t *testing.T) {
	dir := workspace(t, strings.Replace(valid, "package: api, out: internal/api, framework: std-http, options: {}", "from: ./internal/api", 1))
	c, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := Server{
		From: Path{
			Display: filepath.FromSlash("internal/api"),
			Abs:     filepath.Join(dir, "internal", "api"),
			Pos:     diag.Position{File: "idemgen.yaml", Line: 3, Column: 16},
		},
		ImportPath: "example.com/shop/internal/api",
	}
	if diff := cmp.Diff(want, c.Server); diff != "" {
		t.Error(diff)
	}
}

func TestLoadServerOptions(t *testing.T) {
	workspace(t, strings.Replace(valid, "options: {}", "options: {output-options: {nullable-type: true}}", 1))
	c, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if node := c.Server.Options; node == nil || node.Pos.Line != 3 || node.Members[0].Name != "output-options" {
		t.Errorf("options are %+v", node)
	}
}

// Paths are relative to the file and shown relative to the working directory.
func TestLoadFromElsewhere(t *testing.T) {
	dir := workspace(t, "")
	write(t, dir, "sub/conf/idemgen.yaml", strings.NewReplacer("api.yaml", "../../api.yaml", "sqlc.yaml", "../../sqlc.yaml", "schema/", "../schema/").Replace(valid))
	for name, want := range map[string]string{
		"sub/conf/idemgen.yaml":                     "sub/schema/idempotency.sql",
		filepath.Join(dir, "sub/conf/idemgen.yaml"): filepath.Join(dir, "sub/schema/idempotency.sql"),
	} {
		c, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Schema.Display != want || c.Schema.Abs != filepath.Join(dir, "sub", "schema", "idempotency.sql") {
			t.Errorf("%s: schema is %+v", name, c.Schema)
		}
		if c.Server.ImportPath != "example.com/shop/sub/conf/internal/api" || c.Server.Framework != "std-http" {
			t.Errorf("%s: server is %+v", name, c.Server)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(valid) }
	tests := []struct {
		name, config string
		want         []string
	}{
		{"empty", "", []string{`1:1: the file is empty; write its content`}},
		{"only a comment", "# nothing\n", []string{`1:1: the file is empty; write its content`}},
		{"not YAML", "version: 1\n\tspec: x\n", []string{`2:1: this is not YAML: found a tab character that violates indentation, while scanning a plain scalar that began at line 1; fix the YAML`}},
		{"two documents", valid + "---\nversion: 1\n", []string{`8:1: a second YAML document begins here; keep one document in the file`}},
		{"a list", "- version: 1\n", []string{`1:1: the configuration is a list, not a mapping; write key: value lines, such as version: ...`}},
		{"nothing but a version", "version: 1\n", []string{
			`1:1: lock is missing; add lock: idemgen.lock.yaml`,
			`1:1: queries is missing; add queries: queries/idempotency.sql`,
			`1:1: schema is missing; add schema: schema/idempotency.sql, or migrations: {dir: db/migrations, style: goose}`,
			`1:1: server is missing; add server: {package: api, out: internal/api, framework: std-http, options: {}}`,
			`1:1: spec is missing; add spec: openapi/api.yaml`,
			`1:1: sqlc is missing; add sqlc: sqlc.yaml`,
		}},
		{"version 2", replace("version: 1", "version: 2"), []string{`1:10: this version of the configuration is unknown; write version: 1`}},
		{"unknown keys", valid + "stirct: true\nzzz: 1\n? [a]\n: b\n", []string{
			`8:1: unknown key "stirct" in the configuration; did you mean "strict"?`,
			`9:1: unknown key "zzz" in the configuration; use one of: bound, lock, migrations, overlay, queries, schema, server, spec, sqlc, strict, version`,
			`10:3: a key must not be a list or a mapping; use a plain name`,
		}},
		{"unknown key of server", replace("package:", "pakage:"), []string{
			`3:9: server.package is missing; add package: api`,
			`3:10: unknown key "pakage" in server; did you mean "package"?`,
		}},
		{"repeated key", valid + "spec: other.yaml\n", []string{`8:1: key "spec" is already set at line 2; remove one of the two`}},
		{"repeated option", replace("options: {}", "options: {compatibility: {a: 1, a: 2}}"), []string{`3:96: key "a" is already set at line 3; remove one of the two`}},
		{"wrong types", replace("spec: api.yaml", "spec: [api.yaml]", "sqlc: sqlc.yaml", "sqlc:", "lock: idemgen.lock.yaml", "lock: 3", "schema: schema/idempotency.sql", "schema: {a: b}", "queries: queries/idempotency.sql", `queries: " "`) + "strict: yes please\n", []string{
			`2:7: spec is a list, not a string; write a value, in quotes if necessary`,
			`4:6: sqlc is empty; it must be a string; write a value, in quotes if necessary`,
			`5:9: schema is a mapping, not a string; write a value, in quotes if necessary`,
			`6:10: queries is empty; write a value`,
			`7:7: lock is an integer, not a string; quote it: '3'`,
			`8:9: strict is a string, not a boolean; write true or false`,
		}},
		{"server is text", replace("{package: api, out: internal/api, framework: std-http, options: {}}", "api"), []string{`3:9: server is a string, not a mapping; write key: value lines, such as package: ...`}},
		{"package names", replace("package: api", "package: type"), []string{`3:19: "type" is not a valid name of a Go package; use a Go identifier that is not a keyword, such as orderapi`}},
		{"package with a dash", replace("package: api", "package: order-api"), []string{`3:19: "order-api" is not a valid name of a Go package; use a Go identifier that is not a keyword, such as orderapi`}},
		{"misspelt framework", replace("std-http", "fiber2"), []string{`3:54: framework "fiber2" is unknown; did you mean "fiber"?`}},
		{"unknown framework", replace("std-http", "rails"), []string{`3:54: framework "rails" is unknown; use one of: chi, echo, echo5, fiber, fiber3, gin, gorilla, iris, std-http`}},
		{"options of another type", replace("options: {}", "options: []"), []string{`3:73: server.options is a list, not a mapping; write options: {}`}},
		{"server.from and what does not go with it", replace("out: internal/api", "out: x, from: ./internal/api"), []string{
			`3:10: server.package is not allowed with server.from, which names a package that you generate yourself; remove one of the two`,
			`3:24: server.out is not allowed with server.from, which names a package that you generate yourself; remove one of the two`,
			`3:75: server.options is not allowed with server.from, which names a package that you generate yourself; remove one of the two`,
		}},
		{"server.from is absolute", replace("package: api, out: internal/api, framework: std-http, options: {}", "from: /api"), []string{
			`3:16: /api is not in a Go module, so its package has no import path; run go mod init in your service's folder, or choose a folder inside a module`,
			`3:16: an output must not be an absolute path; write it relative to idemgen.yaml`,
		}},
		{"missing inputs", replace("api.yaml", "gone.yaml", "sqlc: sqlc.yaml", "sqlc: ."), []string{
			`2:7: gone.yaml does not exist; fix the path, which is relative to idemgen.yaml`,
			`4:7: . is not a file; name a file`,
		}},
		{"schema and migrations", valid + "migrations: {dir: db/migrations, style: goose}\n", []string{
			`8:1: schema and migrations are both set: the tables are either in one file or in a folder of migrations; remove one of the two`,
		}},
		{"empty migrations", replace("schema: schema/idempotency.sql", "migrations: {}"), []string{
			`5:13: migrations.dir is missing; add dir: db/migrations`,
			`5:13: migrations.style is missing; add style: goose, for example`,
		}},
		{"migrations of wrong types", replace("schema: schema/idempotency.sql", "migrations: {dir: [], style: gose, name: a}"), []string{
			`5:19: migrations.dir is a list, not a string; write a value, in quotes if necessary`,
			`5:30: style "gose" is unknown; did you mean "goose"?`,
			`5:36: unknown key "name" in migrations; use one of: dir, style`,
		}},
		{"migrations that are a file", replace("schema: schema/idempotency.sql", "migrations: {dir: api.yaml, style: plain}"), []string{
			`5:19: migrations.dir and spec are the same: api.yaml; name a folder of migrations`,
		}},
		{"migrations that are another file", replace("schema: schema/idempotency.sql", "migrations: {dir: go.mod, style: plain}"), []string{
			`5:19: go.mod is a file, and migrations.dir must be a folder; name a folder of migrations`,
		}},
		{"migrations elsewhere", replace("schema: schema/idempotency.sql", "migrations: {dir: /migrations, style: plain}"), []string{
			`5:19: an output must not be an absolute path; write it relative to idemgen.yaml`,
		}},
		{"queries among migrations", replace("schema: schema/idempotency.sql", "migrations: {dir: queries, style: atlas}"), []string{
			`6:10: queries is in queries, whose SQL is applied to the database as migrations; choose another folder for it`,
		}},
		{"migrations inside a file", replace("schema: schema/idempotency.sql", "migrations: {dir: idemgen.lock.yaml/sql, style: atlas}"), []string{
			`5:19: migrations.dir is inside idemgen.lock.yaml, which is a file (lock); choose another folder`,
		}},
		{"absolute output", replace("schema/idempotency.sql", "/schema.sql"), []string{`5:9: an output must not be an absolute path; write it relative to idemgen.yaml`}},
		{"extensions", replace("schema/idempotency.sql", "schema.ddl", "idemgen.lock.yaml", "lock.json") + "bound: b.json\n", []string{
			`5:9: schema must be a file whose name ends in .sql; rename it`,
			`7:7: lock must be a file whose name ends in .yaml or .yml; rename it`,
			`8:8: bound must be a file whose name ends in .yaml or .yml; rename it`,
		}},
		{"names that sqlc skips", replace("schema/idempotency.sql", "schema/.a.sql", "queries/idempotency.sql", "queries/a.down.sql"), []string{
			`5:9: sqlc skips files named like .a.sql; rename it, for example to idempotency.sql`,
			`6:10: sqlc skips files named like a.down.sql; rename it, for example to idempotency.sql`,
		}},
		{"outputs that are one file", replace("queries/idempotency.sql", "./schema/../schema/Idempotency.sql"), []string{
			`6:10: queries and schema are the same file; use a different file for each`,
		}},
		{"an output that is an input", replace("idemgen.lock.yaml", "api.yaml") + "bound: idemgen.yaml\n", []string{
			`7:7: lock and spec are the same file; use a different file for each`,
			`8:8: bound and the configuration are the same file; use a different file for each`,
		}},
		{"a folder inside a file", replace("internal/api", "schema/idempotency.sql/api"), []string{
			`5:9: schema is a file, but server.out's api.gen.go is inside it; choose another path`,
			`5:9: schema is a file, but server.out's idempotent.gen.go is inside it; choose another path`,
		}},
		{"a file inside a file", replace("queries/idempotency.sql", "api.yaml/q.sql"), []string{
			`6:10: queries is inside api.yaml, which is a file (spec); choose another path`,
		}},
		{"a folder name that is no import path", replace("internal/api", "internal/a b"), []string{
			`3:29: internal/a b would have the import path "example.com/shop/internal/a b", which Go does not allow; rename the folder`,
		}},
		{"aliases", strings.Replace(replace("spec: api.yaml", "spec: &x api.yaml"), "lock: idemgen.lock.yaml", "lock: *x", 1), []string{
			`2:7: lock and spec are the same file; use a different file for each`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			workspace(t, tt.config)
			_, err := Load("idemgen.yaml")
			want := "idemgen.yaml:" + strings.Join(tt.want, "\nidemgen.yaml:")
			if diff := cmp.Diff(want, problems(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// problems returns the diagnostics in an error, one per line.
func problems(t *testing.T, err error) string {
	t.Helper()
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("not a list of diagnostics: %v", err)
	}
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("a diagnostic without a position: %v", d)
		}
	}
	return list.Error()
}

func TestLoadMissingFile(t *testing.T) {
	workspace(t, valid)
	_, err := Load("conf/idemgen.yaml")
	const want = "conf/idemgen.yaml:1:1: the configuration file does not exist; create it, or name another one with -c"
	if diff := cmp.Diff(want, problems(t, err)); diff != "" {
		t.Error(diff)
	}
	write(t, ".", "absolute.yaml", strings.Replace(valid, "schema/idempotency.sql", "/schema.sql", 1))
	absolute, err := filepath.Abs("absolute.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Load(absolute); err == nil || !strings.Contains(err.Error(), "must not be an absolute path") {
		t.Errorf("an absolute output under an absolute -c: %v", err)
	}
	if _, err := Load("."); err == nil || errors.As(err, new(diag.List)) {
		t.Errorf("a folder as configuration: %v", err)
	}
}

func TestLoadOutsideOfAModule(t *testing.T) {
	dir := workspace(t, valid)
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	_, err := Load("idemgen.yaml")
	const want = "idemgen.yaml:3:29: internal/api is not in a Go module, so its package has no import path; run go mod init in your service's folder, or choose a folder inside a module"
	if diff := cmp.Diff(want, problems(t, err)); diff != "" {
		t.Error(diff)
	}
}

func TestNearestModuleCounts(t *testing.T) {
	dir := workspace(t, valid)
	write(t, dir, "internal/go.mod", "// the inner one\nmodule \"example.com/inner\"\n")
	c, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Server.ImportPath; got != "example.com/inner/api" {
		t.Errorf("import path is %s", got)
	}
	write(t, dir, "internal/go.mod", "go 1.26\n")
	_, err = Load("idemgen.yaml")
	const want = "idemgen.yaml:3:29: the go.mod nearest to internal/api has no module line; fix the go.mod"
	if diff := cmp.Diff(want, problems(t, err)); diff != "" {
		t.Error(diff)
	}
}

func TestQueriesImportPath(t *testing.T) {
	dir := workspace(t, valid)
	c, err := Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ folder, path, want string }{
		{"internal/idemdb", "example.com/shop/internal/idemdb", ""},
		{"internal/api/db", "example.com/shop/internal/api/db", ""},
		{".", "example.com/shop", ""},
		{"internal/api", "", "sqlc's package and server.out of idemgen.yaml are the same folder, internal/api; use a different folder for each package"},
		{"schema/idempotency.sql", "", "sqlc's package needs a folder where schema/idempotency.sql is a file (schema); choose another folder"},
		{"api.yaml/db", "", "sqlc's package needs a folder where api.yaml is a file (spec); choose another folder"},
		{"other/internal/db", "", "package example.com/shop/other/internal/db must be imported by example.com/shop/internal/api, which Go does not allow for a folder named internal; move it next to the server's folder, or out of the folder named internal"},
	}
	for _, tt := range tests {
		out := Path{
			Display: filepath.FromSlash(tt.folder),
			Abs:     filepath.Join(dir, filepath.FromSlash(tt.folder)),
			Pos:     diag.Position{File: "sqlc.yaml", Line: 9, Column: 14},
		}
		got, err := c.QueriesImportPath(out)
		if tt.want == "" {
			if err != nil || got != tt.path {
				t.Errorf("%s: got %s, %v", tt.folder, got, err)
			}
			continue
		}
		if diff := cmp.Diff("sqlc.yaml:9:14: "+tt.want, problems(t, err)); diff != "" {
			t.Errorf("%s: %s", tt.folder, diff)
		}
	}
}
