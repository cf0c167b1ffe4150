package generate

import (
	"strings"
	"testing"
)

// failures are one mistake for each step of a run, in the order of the steps.
var failures = []struct {
	step   string
	commit func(*project) // the mistake
	code   int
	says   string
}{
	{"configuration", func(p *project) { p.replace("idemgen.yaml", "spec:", "spek:") }, 1, `idemgen.yaml:2:1: unknown key "spek"`},
	{"document", func(p *project) { p.replace("api.yaml", "paths:", "paths: [") }, 1, "api.yaml:"},
	{"annotation", func(p *project) { p.replace("api.yaml", "body.sku", "body.sko") }, 1, "api.yaml:15:23: "},
	{"sqlc's configuration", func(p *project) { p.replace("sqlc.yaml", "queries/idempotency.sql", "others.sql") }, 1, "sqlc.yaml:2:1: "},
	{"sqlc's driver", func(p *project) { p.replace("sqlc.yaml", "pgx/v5", "database/sql") }, 1, "sqlc.yaml:7:"},
	{"sqlc", func(p *project) { p.replace("mine.sql", "count(*)", "nope") }, 1, "mine.sql:2:8: "},
	{"oapi-codegen", func(p *project) {
		p.replace("api.yaml", "sku: {type: string}", "sku: {type: string}, both: {type: [string, integer]}")
		p.replace("api.yaml", "replay:", "ignore: [body.both]\n        replay:")
	}, 1, "api.yaml:"},
	{"resolving fields in Go", func(p *project) { p.replace("api.yaml", "sku: {type: string}", "sku: {type: string, x-go-type: int}") }, 1, "but int in the generated Go"},
	{"no go command", func(p *project) { p.environ = append(p.environ, "PATH="+p.t.TempDir()) }, 2, "install Go"},
	{"a file in the way", func(p *project) { p.write("internal/api/idempotent.gen.go", "package api\n") }, 1, "internal/api/idempotent.gen.go:1:1: the file is not generated"},
	{"a folder in the way", func(p *project) {
		p.clear("schema/idempotency.sql")
		p.write("schema/idempotency.sql/mine", "")
	}, 1, "schema/idempotency.sql:1:1: a folder is in the way"},
	{"a folder that is a file", func(p *project) {
		p.clear("internal/api")
		p.write("internal/api", "")
	}, 1, "internal/api is in the way"},
}

// histories are what may have gone before.
var histories = []struct {
	name  string
	until func(*project)
}{
	{"before anything was generated", func(*project) {}},
	{"when every file is to change", func(p *project) {
		p.generate()
		p.replace("api.yaml", "window: 72h", "window: 24h")
		p.replace("api.yaml", "columns:\n        - {name: tenant_id, type: uuid}\n        - {name: user_id, type: int64}\n",
			"columns: [{name: tenant_id, type: uuid}, {name: user_id, type: int64}]\n      responses: {partition: day}\n\n")
	}},
}

func TestFailureLeavesEveryFileAsItWas(t *testing.T) {
	for _, failure := range failures {
		t.Run(failure.step, func(t *testing.T) {
			t.Parallel()
			for _, history := range histories {
				t.Run(history.name, func(t *testing.T) {
					p := newProject(t)
					history.until(p)
					failure.commit(p)
					before := tree(t, p.folder)
					got := p.run("generate")
					if got.code != failure.code || got.stdout != "" || !strings.Contains(got.stderr, failure.says) {
						t.Errorf("got %+v, want exit code %d and %q", got, failure.code, failure.says)
					}
					p.expectUnchanged(before)
					p.expectNoScratch()
				})
			}
		})
	}
}
