package migrations

import (
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

// steps are the scopes of a document over time.
var steps = []string{
	`{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 8}]}}`,
	`{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 16}]}}`,
	`{account: {columns: [{name: tenant_id, type: uuid}, {name: region, type: string, maxLength: 16}], responses: {partition: day}},
	  partner: {table: '"Billing"."Partner keys"', columns: [{name: partner_id, type: int64}]}}`,
}

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
		target.generate(steps[len(steps)-1])
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
				wantSame(t, want, pool)
			})
		}
	})
}

// In a database that has the old tables, the schema file is not enough, and what generate
// prints is.
func TestSchemaFileIsATarget(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		p := newProject(t, "schema: schema/idempotency.sql")
		p.generate(steps[0])
		pool := pgtest.PoolOn(t, server, read(t, p.folder, "schema", "idempotency.sql"))
		for _, step := range steps[1:] {
			out := p.generate(step)
			_, sql, found := strings.Cut(out, "needs this instead:\n\n")
			if !found {
				t.Fatalf("generate printed no SQL:\n%s", out)
			}
			run(t, pool, sql)
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

// generate generates from a document with these scopes and returns what is printed.
func (p *project) generate(scopes string) string {
	p.t.Helper()
	write(p.t, `openapi: 3.0.3
info: {title: shop, version: 1.0.0}
x-idempotent: {scopes: `+scopes+`}
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
