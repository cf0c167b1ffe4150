package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/lock"
	"github.com/idemgen/idemgen/internal/migrate"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// Migration is what a database with the tables of the last run needs, to have those of
// this one.
type Migration struct {
	Changes []string // for people, one for each change: "account_idempotency_keys is created"
	Unused  []string // likewise, for each table that is left
	Schema  string   // the schema file, as the user would type it; "" with File
	SQL     string   // with Schema: what to run, as one transaction; "" where the schema file will do

	File    string // the file that goes forward, in a folder of migrations; "" with Schema
	Command string // with File: what applies it
}

// tables is what becomes of the key tables in a run.
type tables struct {
	before  []model.LockTable // as the last run left them; none before the first
	changes []migrate.Change
	next    config.Path    // the file that sqlc reads our changes from, whether or not there is one
	files   []migrate.File // of the migration; none without changes, and with a schema file
}

// planTables compares the contract's tables with those of the last run.
func (r *run) planTables() error {
	after := lock.New(r.contract, r.lock, nil, nil).Tables
	before, err := r.tablesBefore(after)
	if err != nil {
		return err
	}
	schemas, err := tableSchemas(r.contract)
	if err != nil {
		return err
	}
	r.tables = tables{before: before, changes: migrate.Changes(before, after, schemas)}
	if r.config.Migrations.Dir.IsZero() {
		return nil
	}
	return r.planMigration()
}

// tablesBefore returns the tables as the last run left them. Where nothing says what they
// were, they are taken to be those of the contract.
func (r *run) tablesBefore(after []model.LockTable) ([]model.LockTable, error) {
	switch {
	case len(r.lock.Tables) > 0:
		return r.lock.Tables, nil
	case len(r.lock.Operations) > 0: // the lock was written before locks had tables
		return after, nil
	case !r.config.Migrations.Dir.IsZero():
		return r.inMigrations(after)
	default:
		return nil, nil
	}
}

// tableSchemas prints the SQL of each table, by the table's name in SQL.
func tableSchemas(contract *model.Contract) (map[string]migrate.Schema, error) {
	schemas := map[string]migrate.Schema{}
	for _, scope := range contract.Scopes {
		keys, err := render.KeyTable(scope)
		if err != nil {
			return nil, err
		}
		responses, err := render.ResponseTable(scope)
		if err != nil {
			return nil, err
		}
		schemas[naming.QuoteTable(scope.Schema, scope.Table)] = migrate.Schema{Keys: string(keys), Responses: string(responses)}
	}
	return schemas, nil
}

// planMigration lays out the changes as the next file of the folder of migrations.
func (r *run) planMigration() error {
	dir, style := r.config.Migrations.Dir, migrate.Style(r.config.Migrations.Style)
	names, err := fileNames(dir)
	if err != nil {
		return err
	}
	number, err := migrate.NextIn(names, style)
	if order := (*migrate.OrderError)(nil); errors.As(err, &order) {
		if len(r.tables.changes) > 0 {
			return diag.List{diag.Errorf(dir.Pos, "rename the files so that all numbers have as many digits, with leading zeros: sqlc reads them in the order of their names",
				"%s: %v", dir.Display, order)}
		}
		number, err = "", nil
	}
	if err != nil {
		return err
	}
	r.tables.next = dir.Join(number + "idempotency_keys.sql")
	if len(r.tables.changes) > 0 {
		r.tables.files = style.Files(number, r.contract.Owner, r.tables.changes)
		r.tables.next = dir.Join(r.tables.files[0].Name)
	}
	return nil
}

// fileNames lists the files in a folder that may not exist.
func fileNames(dir config.Path) ([]string, error) {
	listing, err := os.ReadDir(dir.Abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diag.List{diag.Errorf(dir.Pos, "correct the path or its permissions", "the folder %s cannot be read", dir.Display)}
	}
	var names []string
	for _, entry := range listing {
		if !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// findBlock finds the user's block of sqlc's configuration that our queries are in.
func (r *run) findBlock() (*sqlc.Block, error) {
	file, queries := sqlcFile(r.config.SQLC), sqlcFile(r.config.Queries)
	dir := r.config.Migrations.Dir
	if dir.IsZero() {
		return sqlc.Find(file, sqlcFile(r.config.Schema), queries)
	}
	block, err := sqlc.FindMigrations(file, sqlcFile(dir), sqlcFile(r.tables.next), queries)
	if err != nil {
		return nil, err
	}
	return block, r.created(block).Err()
}

// created reports tables that the last run has left, and that no migration makes: those
// of a schema file whose place the folder has taken.
func (r *run) created(block *sqlc.Block) diag.List {
	var list diag.List
	var ours []string // they are written anew, or removed
	for _, name := range r.lock.Files {
		ours = append(ours, filepath.Join(filepath.Dir(r.config.Lock.Abs), filepath.FromSlash(name)))
	}
	dir := r.config.Migrations.Dir
	for _, scope := range r.contract.Scopes {
		name := naming.QuoteTable(scope.Schema, scope.Table)
		known := slices.ContainsFunc(r.tables.before, func(t model.LockTable) bool { return t.Table == name })
		if known && !block.Mentions(scope.Table, ours) {
			list.Errorf(dir.Pos, "move the schema file that made it into the folder, as a migration; docs/migrations.md says how for each style",
				"%s says that there is a table %s, and nothing in %s makes it", r.config.Lock.Display, name, dir.Display)
		}
	}
	return list
}

// sqlcSchema is what sqlc reads under the name of our file; nil for no file.
func (r *run) sqlcSchema() []byte {
	switch {
	case r.config.Migrations.Dir.IsZero():
		return r.schema
	case len(r.tables.files) == 0:
		return nil
	default:
		return []byte(r.tables.files[0].Content)
	}
}

// migrationFiles are the files that a run adds to the folder of migrations. The lock does
// not list them: they stay when the tables change again.
func (r *run) migrationFiles() []output.File {
	var files []output.File
	for _, f := range r.tables.files {
		files = append(files, file(r.config.Migrations.Dir.Join(f.Name), []byte(f.Content)))
	}
	return files
}

// migration says what has become of the tables; nil for nothing.
func (r *run) migration() *Migration {
	if len(r.tables.changes) == 0 {
		return nil
	}
	m := &Migration{}
	altered := false
	for _, change := range r.tables.changes {
		altered = altered || change.Kind == migrate.Altered
		if change.Kind == migrate.Unused {
			m.Unused = append(m.Unused, change.Summary)
		} else {
			m.Changes = append(m.Changes, change.Summary)
		}
	}
	if len(r.tables.files) > 0 {
		dir := r.config.Migrations.Dir
		m.File = filepath.ToSlash(dir.Join(r.tables.files[0].Name).Display)
		m.Command = migrate.Style(r.config.Migrations.Style).Command(filepath.ToSlash(dir.Display), m.File)
		return m
	}
	m.Schema = r.config.Schema.Display
	if altered {
		m.SQL = migrate.Transaction(migrate.Statements(r.tables.changes))
	}
	return m
}

// inMigrations returns those of the tables that the migrations of this configuration
// create. They are there although the lock is lost.
func (r *run) inMigrations(tables []model.LockTable) ([]model.LockTable, error) {
	dir := r.config.Migrations.Dir
	names, err := fileNames(dir)
	if err != nil {
		return nil, err
	}
	var made []string
	for _, name := range names {
		text, err := os.ReadFile(dir.Join(name).Abs)
		if owner, created := sqlc.KeyTables(text); err == nil && owner != "" && owner == r.contract.Owner {
			made = append(made, created...)
		}
	}
	return slices.DeleteFunc(slices.Clone(tables), func(t model.LockTable) bool { return !slices.Contains(made, t.Table) }), nil
}
