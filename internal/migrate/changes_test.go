package migrate_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/migrate"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/render"
)

var sqlFolder = flag.String("sql", "", "folder for the SQL of all cases, which acceptance/migrations runs")

// The tables of the cases.
var (
	tenant = model.LockColumn{Name: "tenant_id", Type: "uuid"}
	user   = model.LockColumn{Name: "user_id", Type: "int64"}
	order  = model.LockColumn{Name: "order", Type: "int32"} // a reserved word
)

func region(length int) model.LockColumn {
	return model.LockColumn{Name: "region", Type: "string", MaxLength: length}
}

func inline(name string, columns ...model.LockColumn) model.LockTable {
	return model.LockTable{Table: name, Scope: "account", Columns: columns}
}

func split(t model.LockTable, responses string) model.LockTable {
	t.Responses, t.Partition = responses, "day"
	return t
}

func previously(t model.LockTable, previous ...model.LockPrevious) model.LockTable {
	t.Previous = previous
	return t
}

var (
	long    = strings.Repeat("l", 60)
	accents = `"` + strings.Repeat("é", 31) + `"`
)

// cases are changes of tables. acceptance/migrations runs the SQL of each on a database
// that has the tables before, and compares it with one that has those after.
var cases = map[string]struct{ before, after []model.LockTable }{
	"create":             {nil, []model.LockTable{inline("keys", tenant, region(8))}},
	"create-split":       {nil, []model.LockTable{split(inline("keys", tenant), "responses")}},
	"create-in-a-schema": {nil, []model.LockTable{split(inline(`"Billing".keys`, order), `"Billing"."Keys' answers"`)}},
	"create-another":     {[]model.LockTable{inline("keys", tenant)}, []model.LockTable{inline("keys", tenant), inline("other", user)}},

	"length":           {[]model.LockTable{inline("keys", tenant, region(8))}, []model.LockTable{inline("keys", tenant, region(64))}},
	"length-quoted":    {[]model.LockTable{inline(`billing."My keys"`, region(8))}, []model.LockTable{inline(`billing."My keys"`, region(4))}},
	"length-long-name": {[]model.LockTable{inline(long, region(8))}, []model.LockTable{inline(long, region(64))}},
	"length-accents":   {[]model.LockTable{inline(accents, region(8))}, []model.LockTable{inline(accents, region(64))}},
	"scope":            {[]model.LockTable{inline("keys", tenant)}, []model.LockTable{{Table: "keys", Scope: "customer", Columns: []model.LockColumn{tenant}}}},

	"split":           {[]model.LockTable{inline("keys", tenant, region(8))}, []model.LockTable{split(inline("keys", tenant, region(8)), "responses")}},
	"split-in-schema": {[]model.LockTable{inline(`app."K"`, user)}, []model.LockTable{split(inline(`app."K"`, user), `answers."R"`)}},
	"split-and-longer": {
		[]model.LockTable{inline("keys", tenant, region(8)), inline("more", user)},
		[]model.LockTable{split(inline("keys", tenant, region(9)), "responses"), split(inline("more", user), "more_responses")},
	},
	"join":           {[]model.LockTable{split(inline("keys", tenant, region(8)), "responses")}, []model.LockTable{inline("keys", tenant, region(8))}},
	"move-responses": {[]model.LockTable{split(inline("keys", tenant), "responses")}, []model.LockTable{split(inline("keys", tenant), "answers")}},

	"columns": {
		[]model.LockTable{inline("keys", tenant, region(8))},
		[]model.LockTable{previously(inline("keys", tenant, region(8), user), old("keys_1", tenant, region(8)))},
	},
	"columns-again": {
		[]model.LockTable{previously(inline("keys", tenant, region(8)), old("keys_1", tenant))},
		[]model.LockTable{previously(inline("keys", tenant, user), old("keys_1", tenant), old("keys_2", tenant, region(8)))},
	},
	"columns-split": {
		[]model.LockTable{split(inline("keys", tenant), "responses")},
		[]model.LockTable{previously(split(inline("keys", tenant, user), "responses"), old("keys_1", tenant))},
	},
	"columns-lost": {
		[]model.LockTable{inline("keys", tenant, region(8))},
		[]model.LockTable{previously(inline("keys", user, region(8)), old("keys_1", tenant, region(8)))},
	},
	"columns-lost-later": {
		[]model.LockTable{previously(inline("keys", tenant, user, region(8)), old("keys_2", tenant, user), old("keys_1", tenant, user, order))},
		[]model.LockTable{previously(inline("keys", region(8), user), old("keys_3", tenant, user, region(8)), old("keys_2", tenant, user), old("keys_1", tenant, user, order))},
	},
	"columns-renamed": {
		[]model.LockTable{inline("keys", tenant, user)},
		[]model.LockTable{previously(inline("keys", model.LockColumn{Name: "org", Type: "uuid"}, user), old("keys_1", model.LockColumn{Name: "tenant_id", Type: "uuid", Now: "org"}, user))},
	},
	"now": {
		[]model.LockTable{previously(inline("keys", model.LockColumn{Name: "org", Type: "uuid"}, user), old("keys_1", tenant, user))},
		[]model.LockTable{previously(inline("keys", model.LockColumn{Name: "org", Type: "uuid"}, user), old("keys_1", model.LockColumn{Name: "tenant_id", Type: "uuid", Now: "org"}, user))},
	},
	"scope-with-previous": {
		[]model.LockTable{previously(inline("keys", tenant, user), old("keys_1", tenant))},
		[]model.LockTable{previously(model.LockTable{Table: "keys", Scope: "customer", Columns: []model.LockColumn{tenant, user}}, old("keys_1", tenant))},
	},
	"columns-another-schema": {
		[]model.LockTable{split(inline(`app."K"`, region(8)), "app.responses")},
		[]model.LockTable{previously(split(inline(`app."K"`, region(8), user), "app.responses"), old(`"Old"."K"`, region(8)))},
	},
	"columns-long-name": {
		[]model.LockTable{inline(long, region(8))},
		[]model.LockTable{previously(inline(long, region(8), user), old(long+"_1", region(8)))},
	},

	"unused": {[]model.LockTable{split(inline("keys", tenant), "responses"), inline("other", user)}, []model.LockTable{inline("other", user)}},
	"unused-previous": {
		[]model.LockTable{previously(inline("keys", tenant, user), old("keys_1", tenant))},
		[]model.LockTable{inline("keys", tenant, user)},
	},
}

func old(name string, columns ...model.LockColumn) model.LockPrevious {
	return model.LockPrevious{Table: name, Columns: columns}
}

func TestChanges(t *testing.T) {
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			changes := migrate.Changes(tt.before, tt.after, schemas(t, tt.after))
			writeSQL(t, name, tt.before, tt.after, changes)
			goldentest.File(t, filepath.Join("testdata", name+".sql"), summaries(changes)+"\n"+shorten(migrate.Statements(changes)))
		})
	}
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) != len(cases) {
		t.Errorf("%d files for %d cases: %v", len(files), len(cases), err)
	}
}

// writeSQL writes what -sql asks for: both schemas, and the way from one to the other and
// back.
func writeSQL(t *testing.T, name string, before, after []model.LockTable, changes []migrate.Change) {
	t.Helper()
	if *sqlFolder == "" {
		return
	}
	migration := migrate.GolangMigrate.Files("1_", "example.com/shop", changes)
	folder := filepath.Join(*sqlFolder, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{
		"before.sql": schemaFile(t, before),
		"up.sql":     migration[0].Content,
		"down.sql":   migration[1].Content,
		"after.sql":  schemaFile(t, after),
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// rotation is the function that a response table comes with, and what is said of it.
var rotation = regexp.MustCompile(`(?s)(-- \S+ drops the partitions).*?\$rotate\$.*?\$rotate\$;`)

func shorten(sql string) string { return rotation.ReplaceAllString(sql, "$1 …") }

func summaries(changes []migrate.Change) string {
	var out strings.Builder
	for _, change := range changes {
		fmt.Fprintf(&out, "-- %s\n", change.Summary)
	}
	return out.String()
}

// Nothing is done where nothing has changed, or only what no table shows.
func TestNoChanges(t *testing.T) {
	from := tenant
	from.From = "header.Tenant"
	before := []model.LockTable{previously(split(inline("keys", tenant, user), "responses"), old("keys_1", tenant))}
	after := []model.LockTable{previously(split(inline("keys", from, user), "responses"), old("keys_1", tenant))}
	if changes := migrate.Changes(before, after, schemas(t, after)); len(changes) != 0 {
		t.Errorf("got %v", changes)
	}
}

// schemas prints the SQL of each table.
func schemas(t *testing.T, tables []model.LockTable) map[string]migrate.Schema {
	t.Helper()
	all := map[string]migrate.Schema{}
	for _, table := range tables {
		scope := scopeOf(table)
		keys, err := render.KeyTable(scope)
		if err != nil {
			t.Fatal(err)
		}
		responses, err := render.ResponseTable(scope)
		if err != nil {
			t.Fatal(err)
		}
		all[table.Table] = migrate.Schema{Keys: string(keys), Responses: string(responses)}
	}
	return all
}

// schemaFile is the schema file of tables, with those that had their keys before.
func schemaFile(t *testing.T, tables []model.LockTable) string {
	t.Helper()
	var contract model.Contract
	var indexes strings.Builder
	for _, table := range tables {
		contract.Scopes = append(contract.Scopes, scopeOf(table))
		for _, previous := range table.Previous {
			was := table
			was.Table, was.Columns = previous.Table, previous.Columns
			contract.Scopes = append(contract.Scopes, scopeOf(was))
			if previous.Columns[0].Now == "" {
				indexes.WriteString(lookupIndexes[previous.Table+" in "+columnNames(table)])
			}
		}
	}
	text, err := render.Schema(&contract)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + indexes.String()
}

// lookupIndexes are those of previous tables that have lost columns, by the columns of the
// scope.
var lookupIndexes = map[string]string{
	"keys_1 in user_id region":           "CREATE INDEX keys_1_lookup_idx ON keys_1 (region, operation, idempotency_key);",
	"keys_1 in tenant_id user_id region": "CREATE INDEX keys_1_lookup_idx ON keys_1 (tenant_id, user_id, operation, idempotency_key);",
	"keys_1 in region user_id":           "CREATE INDEX keys_1_lookup_idx ON keys_1 (user_id, operation, idempotency_key);",
	"keys_2 in region user_id":           "CREATE INDEX keys_2_lookup_idx ON keys_2 (user_id, operation, idempotency_key);",
	"keys_3 in region user_id":           "CREATE INDEX keys_3_lookup_idx ON keys_3 (user_id, region, operation, idempotency_key);",
	"keys_2 in tenant_id user_id":        "CREATE INDEX keys_2_lookup_idx ON keys_2 (tenant_id, operation, idempotency_key);",
	"keys_1 in org user_id":              "CREATE INDEX keys_1_lookup_idx ON keys_1 (user_id, operation, idempotency_key);",
}

func columnNames(table model.LockTable) string {
	var names []string
	for _, column := range table.Columns {
		names = append(names, column.Name)
	}
	return strings.Join(names, " ")
}

var sqlTypes = map[string]string{"uuid": "uuid", "int32": "integer", "int64": "bigint", "string": "text"}

func scopeOf(table model.LockTable) *model.Scope {
	scope := &model.Scope{Name: table.Scope}
	scope.Schema, scope.Table = nameOf(table.Table)
	scope.Index = naming.FitSQL(scope.Table, "_replay_until_idx")
	for _, column := range table.Columns {
		scope.Columns = append(scope.Columns, model.Column{Name: column.Name, SQLType: sqlTypes[column.Type], MaxLength: column.MaxLength})
	}
	if table.Responses != "" {
		scope.Responses = &model.Responses{}
		scope.Responses.Schema, scope.Responses.Table = nameOf(table.Responses)
		scope.Responses.Rotate = model.RotatePrefix + scope.Responses.Table
	}
	return scope
}

func nameOf(text string) (schema, name string) {
	parts, problem := naming.ParseTable(text)
	if problem != "" {
		panic(problem)
	}
	if len(parts) == 2 {
		schema = parts[0]
	}
	return schema, parts[len(parts)-1]
}
