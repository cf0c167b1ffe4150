package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
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

// tables reads where the key tables go: into one file, or into a folder of migrations.
func (r *reader) tables(top *mapping) (Path, Migrations) {
	schema, inFile := top.entries["schema"]
	migrations, inFolder := top.entries["migrations"]
	switch {
	case inFile && inFolder:
		second := migrations
		if schema.key.Line > migrations.key.Line {
			second = schema
		}
		r.report(second.key, "schema and migrations exclude each other: the tables are in one file, or in a folder of migrations", "remove one of the two")
	case inFolder:
		return Path{}, r.migrations(migrations)
	case inFile:
		return r.output(top, "schema", "", ".sql"), Migrations{}
	default:
		r.report(top.node, "schema is missing", "add "+exampleSchema+", or "+exampleMigrations)
	}
	return Path{}, Migrations{}
}

func (r *reader) migrations(e entry) Migrations {
	m := r.mapping(e.value, "migrations", migrationKeys)
	if m == nil {
		return Migrations{}
	}
	for key, named := range m.entries {
		named.name = "migrations." + key
		m.entries[key] = named
	}
	var migrations Migrations
	if _, ok := m.entries["dir"]; ok {
		migrations.Dir = r.path(m, "dir", "")
		r.relative(m, "dir")
	} else {
		r.report(e.value, "migrations.dir is missing", "add dir: db/migrations")
	}
	if style, ok := m.entries["style"]; ok {
		migrations.Style = r.style(style)
	} else {
		r.report(e.value, "migrations.style is missing", "add style: goose, for example")
	}
	return migrations
}

func (r *reader) style(e entry) string {
	name, ok := r.text(e)
	if ok && !slices.Contains(migrationStyles, name) {
		r.report(e.value, "style "+quote(name)+" is not known", diag.DidYouMean(name, migrationStyles))
	}
	return name
}

// checkFolder refuses a folder of migrations that is a file, or that another output is
// to be in, which the migration tool and sqlc would read as a migration.
func (r *reader) checkFolder(c *Config) {
	dir := c.Migrations.Dir
	if dir.IsZero() {
		return
	}
	before := len(r.problems)
	for _, other := range append(c.inputs(), c.outputs()...) {
		switch {
		case sameFile(other.Abs, dir.Abs):
			r.reportAt(dir.Pos, "migrations.dir and "+other.key+" are the same: "+dir.Display, "name a folder of migrations")
		case inside(dir.Abs, other.Abs):
			r.reportAt(dir.Pos, "migrations.dir lies inside "+other.Display+", which is a file ("+other.key+")", "choose another folder")
		case sameFile(filepath.Dir(other.Abs), dir.Abs) && filepath.Ext(other.Abs) == ".sql":
			r.reportAt(other.Pos, other.key+" lies in "+dir.Display+", whose SQL is applied to the database as migrations", "choose another folder for it")
		}
	}
	if info, err := os.Stat(dir.Abs); err == nil && !info.IsDir() && len(r.problems) == before {
		r.reportAt(dir.Pos, dir.Display+" is a file, and migrations.dir must be a folder", "name a folder of migrations")
	}
}
