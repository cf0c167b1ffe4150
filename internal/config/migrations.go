package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// Migrations is a folder of migrations, to which a run adds a file when the tables
// change.
type Migrations struct {
	Dir   Path
	Style string // "goose", "golang-migrate", "atlas" or "plain"
}

var (
	migrationKeys   = []string{"dir", "style"}
	migrationStyles = []string{"goose", "golang-migrate", "atlas", "plain"}
)

const (
	exampleSchema     = "schema: schema/idempotency.sql"
	exampleMigrations = "migrations: {dir: db/migrations, style: goose}"
)

// tables reads where the key tables are written: to one file, or to a folder of
// migrations.
func (r *reader) tables(top section) (Path, Migrations) {
	schema, migrations := top.node.Member("schema"), top.node.Member("migrations")
	switch {
	case schema != nil && migrations != nil:
		second := migrations
		if schema.Pos.Line > migrations.Pos.Line {
			second = schema
		}
		r.Errorf(second.Pos, "remove one of the two", "schema and migrations are both set: the tables are either in one file or in a folder of migrations")
	case migrations != nil:
		return Path{}, r.migrations(migrations.Value)
	case schema != nil:
		return r.output(top, "schema", "", ".sql"), Migrations{}
	default:
		r.Errorf(top.node.Pos, "add "+exampleSchema+", or "+exampleMigrations, "schema is missing")
	}
	return Path{}, Migrations{}
}

func (r *reader) migrations(n *tree.Node) Migrations {
	if !r.Mapping(n, "migrations", migrationKeys...) {
		return Migrations{}
	}
	s := section{n, "migrations."}
	return Migrations{Dir: r.folder(s, "dir", "db/migrations"), Style: r.style(s)}
}

func (r *reader) style(s section) string {
	name := r.text(s, "style", "goose, for example")
	if name != "" && !slices.Contains(migrationStyles, name) {
		r.Errorf(s.node.Get("style").Pos, diag.DidYouMean(name, migrationStyles), "style %q is unknown", name)
	}
	return name
}

// checkFolder reports a folder of migrations that is a file, or that contains another
// output, which the migration tool and sqlc would read as a migration.
func (r *reader) checkFolder(c *Config) {
	dir := c.Migrations.Dir
	if dir.IsZero() {
		return
	}
	before := len(r.problems)
	for _, other := range append(c.inputs(), c.outputs()...) {
		switch {
		case sameFile(other.Abs, dir.Abs):
			r.Errorf(dir.Pos, "name a folder of migrations", "%s", "migrations.dir and "+other.key+" are the same: "+dir.Display)
		case inside(dir.Abs, other.Abs):
			r.Errorf(dir.Pos, "choose another folder", "%s", "migrations.dir is inside "+other.Display+", which is a file ("+other.key+")")
		case sameFile(filepath.Dir(other.Abs), dir.Abs) && filepath.Ext(other.Abs) == ".sql":
			r.Errorf(other.Pos, "choose another folder for it", "%s", other.key+" is in "+dir.Display+", whose SQL is applied to the database as migrations")
		}
	}
	if info, err := os.Stat(dir.Abs); err == nil && !info.IsDir() && len(r.problems) == before {
		r.Errorf(dir.Pos, "name a folder of migrations", "%s", dir.Display+" is a file, and migrations.dir must be a folder")
	}
}
