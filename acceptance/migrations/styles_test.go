package migrations

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// step is a document at some time.
type step struct {
	scopes string
	accept string // what the step before demands
}

// steps are a document over time.
var steps = []step{
	{scopes: `{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 8}]}}`},
	{scopes: `{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 16}]}}`},
	{
		scopes: `{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 16}], responses: {partition: day}},
	  partner: {table: '"Billing"."Partner keys"', columns: [{name: partner_id, type: int64}]}}`,
		accept: "table account_idempotency_keys: responses in daily partitions of account_idempotency_responses",
	},
	{scopes: `{account: {columns: [{name: tenant_id, type: uuid}, {name: user_id, type: int64}], responses: {partition: day},
	    previous: [{table: account_idempotency_keys_1, columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 16}]}]},
	  partner: {table: '"Billing"."Partner keys"', columns: [{name: partner_id, type: int64}]}}`},
	{
		scopes: `{account: {columns: [{name: tenant_id, type: uuid}, {name: user_id, type: int64}], responses: {partition: day}},
	  partner: {table: '"Billing"."Partner keys"', columns: [{name: partner_id, type: int64}]}}`,
		accept: "table account_idempotency_keys_1 removed",
	},
}

// first is a document that no run has preceded.
func (s step) first() step { return step{scopes: s.scopes} }

// forward finds what each tool runs in a file to go forward.
var forward = map[string]func(content string) string{
	"goose": func(content string) string {
		up, _, _ := strings.Cut(content, "-- +goose Down")
		return "BEGIN;" + up + "COMMIT;"
	},
	"golang-migrate": func(content string) string { return content },
	"atlas":          func(content string) string { return "BEGIN;" + content + "COMMIT;" },
	"plain":          func(content string) string { return "BEGIN;" + content + "COMMIT;" },
}

// Migrations that were generated one after another make what the schema file of the last
// document makes.
func TestStyles(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		target := newProject(t, "schema: schema/idempotency.sql")
		target.generate(steps[len(steps)-1].first())
		want := pgtest.PoolOn(t, server, read(t, target.folder, "schema", "idempotency.sql"))
		for style, forward := range forward {
			t.Run(style, func(t *testing.T) {
				t.Parallel()
				p := newProject(t, "migrations: {dir: db/migrations, style: "+style+"}")
				pool := pgtest.PoolOn(t, server)
				var applied []string
				for _, step := range steps {
					p.generate(step)
					applied = p.migrate(pool, applied, forward)
				}
				if len(applied) != len(steps) {
					t.Errorf("%d migrations for %d steps", len(applied), len(steps))
				}
				run(t, pool, dropped)
				wantSame(t, want, pool)
			})
		}
	})
}

// dropped is what is done by hand after the last step.
const dropped = "DROP TABLE account_idempotency_keys_1"

// In a database that has the old tables, the schema file is not enough, and what generate
// prints is.
func TestSchemaFileIsATarget(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		p := newProject(t, "schema: schema/idempotency.sql")
		p.generate(steps[0])
		pool := pgtest.PoolOn(t, server, read(t, p.folder, "schema", "idempotency.sql"))
		for _, step := range steps[1:] {
			out := p.generate(step)
			switch _, sql, printed := strings.Cut(out, "needs this instead:\n\n"); {
			case printed:
				run(t, pool, sql)
			case strings.Contains(out, "\n  drop by hand, when no instance uses it and none of its keys can be sent again:\n    account_idempotency_keys_1 "):
				run(t, pool, dropped)
			default:
				t.Fatalf("generate printed no SQL:\n%s", out)
			}
			wantSame(t, pgtest.PoolOn(t, server, read(t, p.folder, "schema", "idempotency.sql")), pool)
		}
	})
}

// project is a folder with everything that idemgen needs.
type project struct {
	t      *testing.T
	folder string
}

// newProject is a project with one line of configuration that says where tables go.
func newProject(t *testing.T, tables string) *project {
	t.Helper()
	p := &project{t, t.TempDir()}
	write(t, "module example.com/shop\n\ngo 1.26\n", p.folder, "go.mod")
	write(t, "version: 1\nspec: api.yaml\nserver: {package: api, out: internal/api}\nsqlc: sqlc.yaml\n"+tables+
		"\nqueries: queries/idempotency.sql\nlock: idemgen.lock.yaml\n", p.folder, "idemgen.yaml")
	folder := "db/migrations"
	if strings.HasPrefix(tables, "schema:") {
		folder = "schema"
	}
	write(t, `{version: "2", sql: [{engine: postgresql, schema: `+folder+`, queries: queries,
		gen: {go: {package: idemdb, out: internal/idemdb, sql_package: pgx/v5}}}]}`, p.folder, "sqlc.yaml")
	return p
}

// generate generates from a document and returns what is printed.
func (p *project) generate(s step) string {
	p.t.Helper()
	accept := ""
	if s.accept != "" {
		accept = fmt.Sprintf("accept: [%q], ", s.accept)
	}
	write(p.t, `openapi: 3.0.3
info: {title: shop, version: 1.0.0}
x-idempotent: {`+accept+`scopes: `+s.scopes+`}
paths:
  /orders:
    post:
      operationId: createOrder
      x-idempotent: {scope: account, fingerprint: []}
      responses: {'204': {description: done}}
`, p.folder, "api.yaml")
	cmd := exec.CommandContext(p.t.Context(), command.Idemgen(p.t), "generate")
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

var backward = regexp.MustCompile(`\.down\.sql$`)

// migrate applies what is new in the folder, in order, and returns what has been applied.
func (p *project) migrate(pool *pgxpool.Pool, applied []string, forward func(string) string) []string {
	p.t.Helper()
	folder := filepath.Join(p.folder, "db", "migrations")
	for _, name := range names(p.t, folder) {
		if backward.MatchString(name) || slices.Contains(applied, name) {
			continue
		}
		run(p.t, pool, forward(read(p.t, folder, name)))
		applied = append(applied, name)
	}
	return applied
}
