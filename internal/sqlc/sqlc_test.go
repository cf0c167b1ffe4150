package sqlc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/sqlc"
)

func TestMain(m *testing.M) {
	if code, ok := sqlc.Child(os.Args[1:]); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const importPath = "example.com/shop/idemdb"

// committed returns a file that the generator emitted for the example.
func committed(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tree is a user's folder: the content of files by slash-separated name.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, dir, name, content)
	}
	return dir
}

func find(dir, config string) (*sqlc.Block, error) {
	file := func(name string) sqlc.File {
		return sqlc.File{Path: filepath.Join(dir, filepath.FromSlash(name)), Display: filepath.FromSlash(name)}
	}
	return sqlc.Find(file(config), file("schema/idempotency.sql"), file("queries/idempotency.sql"))
}

// run runs sqlc on the committed schema and queries.
func run(t *testing.T, config string) *sqlc.Package {
	t.Helper()
	block, err := find(tree(t, map[string]string{"sqlc.yaml": config}), "sqlc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := block.Run(context.Background(), committed(t, "schema/idempotency.sql"), committed(t, "queries/idempotency.sql"))
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// Tables in a folder of migrations: the next file, if any, is read from memory.
func TestMigrations(t *testing.T) {
	text := strings.Replace(config(), "schema: schema/idempotency.sql", "schema: db/migrations", 1)
	file := func(dir, name string) sqlc.File {
		return sqlc.File{Path: filepath.Join(dir, filepath.FromSlash(name)), Display: filepath.FromSlash(name)}
	}
	schema, queries := committed(t, "schema/idempotency.sql"), committed(t, "queries/idempotency.sql")
	for name, tt := range map[string]struct {
		folder map[string]string
		next   []byte
	}{
		"the first":        {nil, schema},
		"nothing new":      {map[string]string{"db/migrations/0001_keys.sql": string(schema)}, nil},
		"one after others": {map[string]string{"db/migrations/0001_keys.sql": string(schema)}, []byte("ALTER TABLE account_idempotency_keys ADD COLUMN extra bigint;")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"sqlc.yaml": text})
			for name, content := range tt.folder {
				write(t, dir, name, content)
			}
			block, err := sqlc.FindMigrations(file(dir, "sqlc.yaml"), file(dir, "db/migrations"), file(dir, "db/migrations/0002_keys.sql"), file(dir, "queries/idempotency.sql"))
			if err != nil {
				t.Fatal(err)
			}
			pkg, err := block.Run(t.Context(), tt.next, queries)
			if err != nil {
				t.Fatal(err)
			}
			extra := slices.ContainsFunc(pkg.Files, func(f sqlc.GeneratedFile) bool { return strings.Contains(string(f.Content), "Extra ") })
			if got, want := extra, strings.Contains(string(tt.next), "extra"); got != want {
				t.Errorf("the next migration was read: %t, want %t", got, want)
			}
			if got, want := block.Mentions("account_idempotency_keys", nil), tt.folder != nil; got != want {
				t.Errorf("the folder mentions the table: %t, want %t", got, want)
			}
		})
	}
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

// config returns a configuration with one block, whose Go options end with options.
func config(options ...string) string {
	lines := []string{
		`version: "2"`,
		`sql:`,
		`  - engine: postgresql`,
		`    schema: schema/idempotency.sql`,
		`    queries: queries/idempotency.sql`,
		`    gen:`,
		`      go:`,
		`        package: idemdb`,
		`        out: internal/idemdb`,
		`        sql_package: pgx/v5`,
	}
	for _, option := range options {
		lines = append(lines, "        "+option)
	}
	return strings.Join(lines, "\n") + "\n"
}

var (
	uuidOverride = `overrides: [{db_type: uuid, go_type: github.com/google/uuid.UUID}]`
	googleUUID   = []model.Import{{Path: "github.com/google/uuid"}}
	pgtype       = []model.Import{{Path: "github.com/jackc/pgx/v5/pgtype"}}
)

// claim is the call of ClaimAccountKey with default options.
func claim(change func(*sqlc.Query)) *sqlc.Query {
	q := &sqlc.Query{
		Name:         "ClaimAccountKey",
		ParamsStruct: "ClaimAccountKeyParams",
		Params: []sqlc.Value{
			{SQL: "tenant_id", Field: "TenantID", Type: "uuid.UUID", Imports: googleUUID},
			{SQL: "user_id", Field: "UserID", Type: "int64"},
			{SQL: "operation", Field: "Operation", Type: "string"},
			{SQL: "idempotency_key", Field: "IdempotencyKey", Type: "string"},
			{SQL: "fingerprint", Field: "Fingerprint", Type: "[]byte"},
			{SQL: "fingerprint_version", Field: "FingerprintVersion", Type: "int16"},
			{SQL: "replay_seconds", Field: "ReplaySeconds", Type: "int64"},
		},
		Results: []sqlc.Value{{Type: "int16"}},
	}
	change(q)
	return q
}

// load is the call of LoadAccountKey with default options.
func load(change func(*sqlc.Query)) *sqlc.Query {
	q := &sqlc.Query{
		Name:         "LoadAccountKey",
		ParamsStruct: "LoadAccountKeyParams",
		Params: []sqlc.Value{
			{SQL: "tenant_id", Field: "TenantID", Type: "uuid.UUID", Imports: googleUUID},
			{SQL: "user_id", Field: "UserID", Type: "int64"},
			{SQL: "operation", Field: "Operation", Type: "string"},
			{SQL: "idempotency_key", Field: "IdempotencyKey", Type: "string"},
		},
		ResultStruct: "LoadAccountKeyRow",
		Results: []sqlc.Value{
			{Field: "Fingerprint", Type: "[]byte"},
			{Field: "FingerprintVersion", Type: "int16"},
			{Field: "Expired", Type: "bool"},
			{Field: "Status", Type: "int16"},
			{Field: "Headers", Type: "[]byte"},
			{Field: "Body", Type: "[]byte"},
		},
	}
	change(q)
	return q
}

func keep(*sqlc.Query) {}

// positional makes the parameters positional.
func positional(q *sqlc.Query) {
	q.ParamsStruct, q.ParamsPointer = "", false
	for i := range q.Params {
		q.Params[i].Field = ""
	}
}

func TestQueryUnderOptions(t *testing.T) {
	alias := []model.Import{{Name: "guid", Path: "example.com/go/guid.v2"}}
	tests := []struct {
		name    string
		options []string
		want    []*sqlc.Query
	}{
		{"plain", []string{uuidOverride}, []*sqlc.Query{claim(keep), load(keep)}},
		{"no override", nil, []*sqlc.Query{claim(func(q *sqlc.Query) {
			q.Params[0].Type, q.Params[0].Imports = "pgtype.UUID", pgtype
		})}},
		{"override with an alias", []string{`overrides: [{db_type: uuid, go_type: {import: example.com/go/guid.v2, package: guid, type: ID, pointer: true}}]`}, []*sqlc.Query{claim(func(q *sqlc.Query) {
			q.Params[0].Type, q.Params[0].Imports = "*guid.ID", alias
		})}},
		{"override by column", []string{`overrides: [{column: account_idempotency_keys.tenant_id, go_type: github.com/google/uuid.UUID}]`}, []*sqlc.Query{load(keep)}},
		{"db argument", []string{uuidOverride, "emit_methods_with_db_argument: true"}, []*sqlc.Query{
			claim(func(q *sqlc.Query) { q.DBArgument = true }),
			load(func(q *sqlc.Query) { q.DBArgument = true }),
		}},
		{"pointers", []string{uuidOverride, "emit_params_struct_pointers: true", "emit_result_struct_pointers: true", "emit_pointers_for_null_types: true"}, []*sqlc.Query{
			claim(func(q *sqlc.Query) { q.ParamsPointer = true }),
			load(func(q *sqlc.Query) { q.ParamsPointer, q.ResultPointer = true, true }),
		}},
		{"positional", []string{uuidOverride, "query_parameter_limit: 7"}, []*sqlc.Query{claim(positional), load(positional)}},
		{"positional with db argument and pointers", []string{uuidOverride, "query_parameter_limit: 4", "emit_methods_with_db_argument: true", "emit_params_struct_pointers: true", "emit_result_struct_pointers: true"}, []*sqlc.Query{
			claim(func(q *sqlc.Query) { q.DBArgument, q.ParamsPointer = true, true }),
			load(func(q *sqlc.Query) { positional(q); q.DBArgument, q.ResultPointer = true, true }),
		}},
		{"rename, initialisms, exported, tags, interface", []string{
			uuidOverride,
			`rename: {idempotency_key: TheKey, status: HTTPStatus}`,
			`initialisms: []`, "emit_exported_queries: true", "emit_json_tags: true", "emit_db_tags: true",
			"emit_interface: true", "wrap_errors: true", "omit_sqlc_version: true", "omit_unused_structs: true", "emit_sql_as_comment: true",
			"output_db_file_name: base.go", "output_files_suffix: .gen",
		}, []*sqlc.Query{
			claim(func(q *sqlc.Query) {
				q.Params[0].Field, q.Params[1].Field, q.Params[3].Field = "TenantId", "UserId", "TheKey"
			}),
			load(func(q *sqlc.Query) {
				q.Params[0].Field, q.Params[1].Field, q.Params[3].Field = "TenantId", "UserId", "TheKey"
				q.Results[3].Field = "HTTPStatus"
			}),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reader, err := run(t, config(tt.options...)).Reader(importPath)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				got, err := reader.Query(want.Name)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", want.Name, diff)
				}
			}
		})
	}
}

// Every query that idemgen generates is supported, with every order of sqlc's
// parameters.
func TestEveryQuery(t *testing.T) {
	reader, err := run(t, config(uuidOverride)).Reader(importPath)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name            string
		params, results string
	}{
		{"FinishAccountKey", "status headers body tenant_id user_id operation idempotency_key", "int32"},
		{"TombstoneAccountKey", "tenant_id user_id operation idempotency_key", "int64"},
		{"SweepAccountKeys", "swept_until batch_size", "int64 int64"},
		{"PurgeAccountKeys", "retention_seconds batch_size", "int64"},
		{"AccountKeyStatus", "tenant_id user_id operation idempotency_key", "pgtype.Timestamptz pgtype.Timestamptz bool int16 int16"},
		{"ClaimProviderKey", "provider operation idempotency_key fingerprint fingerprint_version replay_seconds", "int16"},
		{"FinishProviderKey", "status headers body provider operation idempotency_key", "int32"},
	}
	for _, tt := range tests {
		q, err := reader.Query(tt.name)
		if err != nil {
			t.Error(err)
			continue
		}
		var params, results []string
		for _, p := range q.Params {
			params = append(params, p.SQL)
		}
		for _, r := range q.Results {
			results = append(results, r.Type)
		}
		if got := strings.Join(params, " "); got != tt.params {
			t.Errorf("%s: parameters are %s, want %s", tt.name, got, tt.params)
		}
		if got := strings.Join(results, " "); got != tt.results {
			t.Errorf("%s: results are %s, want %s", tt.name, got, tt.results)
		}
	}
	if _, err := reader.Query("Nonesuch"); err == nil {
		t.Error("a query that does not exist was read")
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
