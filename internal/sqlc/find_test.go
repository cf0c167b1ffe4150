package sqlc_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/sqlc"
)

func TestFindRefuses(t *testing.T) {
	lines := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	const example = `add - {engine: postgresql, schema: schema/idempotency.sql, queries: queries/idempotency.sql, gen: {go: {package: idemdb, out: internal/idemdb, sql_package: pgx/v5}}}`
	tests := []struct {
		name, config, want string
	}{
		{"empty", "", `sqlc.yaml:1:1: the file is empty; write its content`},
		{"not YAML", "version: \"2\"\nsql: [\n", `sqlc.yaml:3:1: this is not YAML: did not find expected node content, while parsing a flow node that began at line 3; fix the YAML`},
		{"a list", "[]", `sqlc.yaml:1:1: sqlc's configuration must be a mapping; start with version: "2"`},
		{"no version", "sql: []", `sqlc.yaml:1:1: sqlc's configuration has no version; add version: "2"`},
		{"version 1", "version: \"1\"\npackages: []\n", `sqlc.yaml:1:10: version 1 of sqlc's configuration is not supported; rewrite it as version: "2", see https://docs.sqlc.dev/en/stable/reference/config.html`},
		{"no blocks", "version: 2\nsql: []", `sqlc.yaml:2:1: sqlc's configuration has no blocks under sql; ` + example},
		{
			"not listed", "version: \"2\"\nsql:\n  - {engine: postgresql, schema: s, queries: [a.sql, q/*.sql, queries.sql]}\n",
			`sqlc.yaml:2:1: no block lists queries/idempotency.sql, the queries that idemgen writes; ` + example,
		},
		{
			"listed twice", "version: \"2\"\nsql:\n  - {queries: queries}\n  - {queries: [other, 'queries/*.sql']}\n",
			`sqlc.yaml:4:15: queries/idempotency.sql is listed by several blocks, first in line 3; list it in only one block`,
		},
		{"nothing but queries", "version: \"2\"\nsql:\n  - queries: queries\n", lines(
			`sqlc.yaml:3:5: the block that lists queries/idempotency.sql has no engine; add engine: postgresql`,
			`sqlc.yaml:3:5: the block that lists queries/idempotency.sql has no gen.go, so sqlc writes no Go for it; add gen: {go: {package: idemdb, out: internal/idemdb, sql_package: pgx/v5}}`,
			`sqlc.yaml:3:5: the schema of the block that lists queries/idempotency.sql does not list schema/idempotency.sql, which idemgen writes; add schema/idempotency.sql to the schema of the block`)},
		{"cannot work", lines(`version: "2"`, `sql:`, `  - engine: mysql`, `    schema: [db/*.sql]`, `    queries: "queries"`, `    gen:`, `      go:`,
			`        package: my-db`, `        out: x`, `        sql_package: database/sql`, `        emit_prepared_queries: true`, `        emit_methods_with_db_argument: true`), lines(
			`sqlc.yaml:3:13: the queries in queries/idempotency.sql do not work with engine "mysql"; write engine: postgresql, or list the file in another block`,
			`sqlc.yaml:4:13: the schema of the block that lists queries/idempotency.sql does not list schema/idempotency.sql, which idemgen writes; add schema/idempotency.sql to the schema of the block`,
			`sqlc.yaml:8:18: "my-db" is not a valid name of an importable Go package; set package to a Go identifier, such as idemdb`,
			`sqlc.yaml:10:22: the queries in queries/idempotency.sql do not work with sql_package "database/sql"; write sql_package: pgx/v5, or list the file in another block`,
			`sqlc.yaml:11:32: emit_prepared_queries and emit_methods_with_db_argument cannot both be set; remove emit_prepared_queries: pgx prepares statements by itself`)},
		{"no out, no sql_package, missing file", lines(`version: "2"`, `sql:`, `  - engine: postgresql`, `    schema: [schema, gone.sql]`, `    queries: queries`, `    gen: {go: {package: x}}`), lines(
			`sqlc.yaml:4:22: gone.sql cannot be read: no such file or directory; fix the path`,
			`sqlc.yaml:6:15: gen.go of the block that lists queries/idempotency.sql has no out; add out: internal/idemdb`,
			`sqlc.yaml:6:15: the block that lists queries/idempotency.sql has no sql_package; add sql_package: pgx/v5`)},
		{
			"JSON", `{"version": "2", "sql": [{"engine": "sqlite", "schema": "schema", "queries": ["queries"], "gen": {"go": {"out": "db", "sql_package": "pgx/v5"}}}]}`,
			`sqlc.yaml:1:37: the queries in queries/idempotency.sql do not work with engine "sqlite"; write engine: postgresql, or list the file in another block`,
		},
		{
			"alias bomb", "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]\n",
			`sqlc.yaml:1:22: aliases expand to more than 500000 values; write it with fewer aliases`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := find(tree(t, map[string]string{"sqlc.yaml": tt.config}), "sqlc.yaml")
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(strings.TrimSpace(tt.want), problems(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// sqlc silently skips listed files that it does not read; the only symptom would be
// relations that do not exist.
func TestFindRefusesWhatIsNotRead(t *testing.T) {
	list := func(schema, queries string) string {
		return "version: \"2\"\nsql:\n  - engine: postgresql\n    schema: " + schema + "\n    queries: " + queries +
			"\n    gen: {go: {out: db, sql_package: pgx/v5}}\n"
	}
	tests := []struct {
		name   string
		files  map[string]string
		config string
		want   string
	}{
		{"a missing folder", nil, list("[business, schema]", "queries"), "sqlc.yaml:4:14: business cannot be read: no such file or directory; fix the path"},
		{"a missing folder in a file", map[string]string{"db": ""}, list("[db/business, schema]", "queries"), "sqlc.yaml:4:14: db/business cannot be read: not a directory; fix the path"},
		{
			"our folder is a file",
			map[string]string{"schema": "CREATE TABLE a (b int);", "queries": ""},
			list("schema", "[queries]"),
			"sqlc.yaml:4:13: schema is a file, but schema/idempotency.sql must be in a folder of that name; move the file, or configure another folder for idemgen\n" +
				"sqlc.yaml:5:15: queries is a file, but queries/idempotency.sql must be in a folder of that name; move the file, or configure another folder for idemgen",
		},
		{
			"a file of another kind",
			map[string]string{"business": "", "old.down.sql": ""},
			list("[business, schema, old.down.sql]", "queries"),
			"sqlc.yaml:4:14: sqlc does not read business: it is neither a folder nor an SQL file; give it a name that ends with .sql, or remove it from the list\n" +
				"sqlc.yaml:4:32: sqlc does not read old.down.sql: it is neither a folder nor an SQL file; give it a name that ends with .sql, or remove it from the list",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"sqlc.yaml": tt.config}
			maps.Copy(files, tt.files)
			_, err := find(tree(t, files), "sqlc.yaml")
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, problems(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindWarnsOfPatternsWithoutFiles(t *testing.T) {
	block, err := find(tree(t, map[string]string{
		"sqlc.yaml": "version: \"2\"\nsql:\n  - {engine: postgresql, schema: [gone/*.sql, 'sch*/*.sql'], queries: queries, gen: {go: {out: db, sql_package: pgx/v5}}}\n",
	}), "sqlc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`sqlc.yaml:3:35: warning: "gone/*.sql" matches no file; fix or remove it`, block.Warnings.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestFindReads(t *testing.T) {
	dir := tree(t, map[string]string{
		"conf/sqlc.json": `{
  "version": "2",
  "sql": [
    {"engine": "sqlite", "schema": "x", "queries": "y"},
    {"engine": "postgresql", "schema": ["../sch*"], "queries": ["../queries"], "database": {"uri": "postgres://nowhere"},
     "gen": {"go": {"out": "../db", "sql_package": "pgx/v5"}}}
  ]
}`,
	})
	block, err := find(dir, "conf/sqlc.json")
	if err != nil {
		t.Fatal(err)
	}
	if block.Package != "db" {
		t.Errorf("package is %q, want the folder's name", block.Package)
	}
	if want := (sqlc.File{Path: filepath.Join(dir, "db"), Display: "db"}); block.Out != want {
		t.Errorf("out is %v, want %v", block.Out, want)
	}
	const warning = `conf/sqlc.json:5:92: warning: idemgen runs sqlc without a database, because its output must depend only on files; add analyzer: {database: false} to the block, so that sqlc generate gives the same result`
	if diff := cmp.Diff(warning, block.Warnings.Error()); diff != "" {
		t.Error(diff)
	}
	pkg, err := block.Run(context.Background(), committed(t, "schema/idempotency.sql"), committed(t, "queries/idempotency.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Files) != 3 {
		t.Errorf("sqlc wrote %d files, want 3", len(pkg.Files))
	}
}

// The user's own tables and queries of the block take part; the generated ones replace
// the files on disk, which do not change.
func TestRunWithFilesOfTheUser(t *testing.T) {
	t.Setenv("SQLCDEBUG", "processplugins=0,dumpast=1")
	t.Setenv("SQLC_AUTH_TOKEN", "would be refused")
	t.Setenv("PGHOST", "nowhere")
	files := map[string]string{
		"sqlc.yaml": `version: "2"
sql:
  - {engine: postgresql, schema: db, queries: other, gen: {go: &go {package: other, out: other, sql_package: pgx/v5}}}
  - engine: postgresql
    schema: ["db/[0-9]*.sql", schema]
    queries: ["q?eries", more/*.sql]
    codegen: [{plugin: missing, out: x}]
    gen:
      json: {out: json}
      go:
        <<: *go
        package: store
        out: store
        query_parameter_limit: 0
overrides:
  go:
    rename: {account_idempotency_key: Key}
    overrides: [{db_type: uuid, go_type: github.com/google/uuid.UUID}]
`,
		"db/1_mood.sql":           "CREATE TYPE mood AS ENUM ('sad', 'ok');",
		"db/2_person.sql":         "CREATE TABLE person (id bigint PRIMARY KEY, mood mood NOT NULL);",
		"db/2_person.down.sql":    "nonsense",
		"db/notes.txt":            "nonsense",
		"schema/idempotency.sql":  "nonsense from an earlier day",
		"queries/idempotency.sql": "nonsense from an earlier day",
		"queries/.hidden.sql":     "nonsense",
		"more/person.sql":         "-- name: MoodOf :one\nSELECT mood FROM person WHERE id = $1;\n\n-- name: Everyone :many\nSELECT * FROM person;\n\n-- name: Whole :one\nSELECT * FROM account_idempotency_keys WHERE user_id = $1;\n",
	}
	dir := tree(t, files)
	block, err := find(dir, "sqlc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := block.Run(context.Background(), committed(t, "schema/idempotency.sql"), committed(t, "queries/idempotency.sql"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range pkg.Files {
		names = append(names, file.Name)
		if strings.Contains(string(file.Content), os.TempDir()) {
			t.Errorf("%s names the temporary folder", file.Name)
		}
	}
	if diff := cmp.Diff([]string{"db.go", "idempotency.sql.go", "models.go", "person.sql.go"}, names); diff != "" {
		t.Error(diff)
	}
	for name, content := range files {
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || string(now) != content {
			t.Errorf("%s changed: %v", name, err)
		}
	}

	reader, err := pkg.Reader(importPath)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Query("ClaimAccountKey"); err != nil {
		t.Error(err)
	}
	mood, err := reader.Query("MoodOf")
	if err != nil {
		t.Fatal(err)
	}
	if got := mood.Results[0]; got.Type != "store.Mood" || len(got.Imports) != 1 || got.Imports[0].Path != importPath {
		t.Errorf("a type of sqlc's package is not qualified: %+v", got)
	}
	if mood.ParamsStruct != "MoodOfParams" || len(mood.Params) != 1 || mood.Params[0].Field != "ID" {
		t.Errorf("a struct of one field is misread: %+v", mood)
	}
	whole, err := reader.Query("Whole")
	if err != nil {
		t.Fatal(err)
	}
	if whole.ResultStruct != "Key" || len(whole.Results) != 11 || whole.Results[8].Type != "pgtype.Int2" {
		t.Errorf("a row that is a table's model is misread: %+v", whole)
	}
	if _, err := reader.Query("Everyone"); err == nil {
		t.Error("a query of several rows was read")
	}
}

func TestRunMapsErrors(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{
			"unknown option",
			map[string]string{"sqlc.yaml": config("emit_bogus: true")},
			`sqlc.yaml:11:9: sqlc does not know the key "emit_bogus"; fix its spelling, or see https://docs.sqlc.dev/en/stable/reference/config.html`,
		},
		{
			"unknown option after a flow mapping",
			map[string]string{"sqlc.yaml": "version: \"2\"\nsql: [{engine: postgresql, schema: schema, queries: queries, gen: {go: {package: a, out: b,\n  sql_package: pgx/v5, bogus: [1, 2]}}}]\nrules: []\n"},
			`sqlc.yaml:3:24: sqlc does not know the key "bogus"; fix its spelling, or see https://docs.sqlc.dev/en/stable/reference/config.html`,
		},
		{
			"wrong type",
			map[string]string{"sqlc.yaml": config("emit_interface: perhaps")},
			"sqlc.yaml:11:9: sqlc: cannot unmarshal !!str `perhaps` into bool; see https://docs.sqlc.dev/en/stable/reference/config.html",
		},
		{
			"bad override",
			map[string]string{"sqlc.yaml": config("overrides: [{db_type: uuid, go_type: nonsense}]")},
			`sqlc.yaml:9:14: sqlc: error generating code: Package override` + " `go_type` " + `specifier "nonsense" is not a Go basic type e.g. 'string'; fix the options under gen.go`,
		},
		{
			"override that breaks the code",
			map[string]string{"sqlc.yaml": config("overrides: [{db_type: uuid, go_type: {import: example.com/a, type: 'B C'}}]")},
			`sqlc.yaml:9:14: sqlc: error generating code: source error: 27:16: expected ';', found C (and 1 more errors); fix the options under gen.go`,
		},
		{"the user's query", map[string]string{
			"sqlc.yaml":      strings.Replace(config(), "queries/idempotency.sql", "[queries, mine]", 1),
			"mine/a.sql":     "-- name: A :one\nSELECT nope FROM account_idempotency_keys;\n\n-- name: B :exec\nDELETE FROM missing;\n",
			"mine/sub/a.sql": "nonsense",
		}, "mine/a.sql:2:8: sqlc: column \"nope\" does not exist\nmine/a.sql:5:1: sqlc: relation \"missing\" does not exist"},
		{"the user's schema", map[string]string{
			"sqlc.yaml":      strings.Replace(config(), "schema/idempotency.sql", "[schema, mine.sql]", 1),
			"mine.sql":       "CREATE TABLE a (b int);\nCREATE TABL c;\n",
			"schema/old.sql": "",
		}, `mine.sql:2:9: sqlc: syntax error at or near "TABL"`},
		{"a table of ours in the user's schema", map[string]string{
			"sqlc.yaml": strings.Replace(config(), "schema/idempotency.sql", "[mine.sql, schema/idempotency.sql]", 1),
			"mine.sql":  "CREATE TABLE provider_idempotency_keys (provider text, operation text);\n",
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			block, err := find(tree(t, tt.files), "sqlc.yaml")
			if err != nil {
				t.Fatal(err)
			}
			_, err = block.Run(context.Background(), committed(t, "schema/idempotency.sql"), committed(t, "queries/idempotency.sql"))
			if err == nil {
				t.Fatal("no error")
			}
			got := problems(t, err)
			if tt.want == "" { // in a generated file: the position depends on its text
				if !strings.Contains(got, "/idempotency.sql:") || !strings.Contains(got, "look in the other files of the block in sqlc.yaml") {
					t.Errorf("got %s", got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	block, err := find(tree(t, map[string]string{"sqlc.yaml": config()}), "sqlc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := block.Run(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A program that does not call Child must not start itself endlessly.
func TestRunRefusesInChild(t *testing.T) {
	t.Setenv("IDEMGEN_SQLC_CHILD", "1")
	block, err := find(tree(t, map[string]string{"sqlc.yaml": config()}), "sqlc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := block.Run(context.Background(), nil, nil); err == nil {
		t.Error("sqlc was run")
	}
}
