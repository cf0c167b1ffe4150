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

// tables are the key tables and queries of a run, and what becomes of the tables of the
// last one.
type tables struct {
	schema  []byte // the tables, as a schema file has them
	queries []byte
	before  []model.LockTable // as the last run left them; none before the first
	kept    []*model.Scope    // scopes whose tables are among those
	written []string          // absolute paths of what the last run wrote, without migrations
	changes []migrate.Change
	next    config.Path    // the migration that sqlc reads the changes from, whether or not there is one
	files   []migrate.File // of the migration; none without changes, and with a schema file
}

// planTables prints the contract's tables and queries, and compares the tables with those
// of the last run.
func planTables(c *config.Config, contract *model.Contract, last model.Lock) (planned tables, err error) {
	if planned.schema, err = render.Schema(contract); err != nil {
		return planned, err
	}
	if planned.queries, err = render.Queries(contract); err != nil {
		return planned, err
	}
	after := lock.Tables(contract)
	if planned.before, err = tablesBefore(c, contract, last, after); err != nil {
		return planned, err
	}
	schemas, err := tableSchemas(contract)
	if err != nil {
		return planned, err
	}
	planned.changes = migrate.Changes(planned.before, after, schemas)
	if c.Migrations.Dir.IsZero() {
		return planned, nil
	}
	planned.kept = slices.DeleteFunc(slices.Clone(contract.Scopes), func(scope *model.Scope) bool {
		name := naming.QuoteTable(scope.Schema, scope.Table)
		return !slices.ContainsFunc(planned.before, func(t model.LockTable) bool { return t.Table == name })
	})
	for _, name := range last.Files {
		if path := filepath.Join(filepath.Dir(c.Lock.Abs), filepath.FromSlash(name)); !isMigration(c.Migrations, path) {
			planned.written = append(planned.written, path)
		}
	}
	planned.next, planned.files, err = planMigration(c.Migrations, contract.Owner, planned.changes)
	return planned, err
}

// tablesBefore returns the tables as the last run left them. Where nothing says what they
// were, they are taken to be those of the contract.
func tablesBefore(c *config.Config, contract *model.Contract, last model.Lock, after []model.LockTable) ([]model.LockTable, error) {
	switch {
	case len(last.Tables) > 0:
		return last.Tables, nil
	case len(last.Operations) > 0: // the lock was written before locks had tables
		return after, nil
	case !c.Migrations.Dir.IsZero():
		return createdIn(c.Migrations.Dir, contract.Owner, after)
	default:
		return nil, nil
	}
}

// createdIn returns those of the tables that the migrations of this configuration create.
// They are there although the lock is lost.
func createdIn(dir config.Path, owner string, tables []model.LockTable) ([]model.LockTable, error) {
	names, err := fileNames(dir)
	if err != nil {
		return nil, err
	}
	var made []string
	for _, name := range names {
		text, err := os.ReadFile(dir.Join(name).Abs)
		if by, created := sqlc.KeyTables(text); err == nil && by != "" && by == owner {
			made = append(made, created...)
		}
	}
	return slices.DeleteFunc(slices.Clone(tables), func(t model.LockTable) bool { return !slices.Contains(made, t.Table) }), nil
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
func planMigration(migrations config.Migrations, owner string, changes []migrate.Change) (next config.Path, files []migrate.File, err error) {
	dir, style := migrations.Dir, migrate.Style(migrations.Style)
	names, err := fileNames(dir)
	if err != nil {
		return next, nil, err
	}
	number, err := migrate.NextIn(names, style)
	if order := (*migrate.OrderError)(nil); errors.As(err, &order) {
		if len(changes) > 0 {
			return next, nil, diag.List{diag.Errorf(dir.Pos, "rename the files so that all numbers have as many digits, with leading zeros: sqlc reads them in the order of their names",
				"%s: %v", dir.Display, order)}
		}
		number, err = "", nil
	}
	if err != nil {
		return next, nil, err
	}
	if len(changes) == 0 {
		return dir.Join(number + "idempotency_keys.sql"), nil, nil
	}
	files = style.Files(number, owner, changes)
	return dir.Join(files[0].Name), files, nil
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
func (t tables) findBlock(c *config.Config) (*sqlc.Block, error) {
	file := func(p config.Path) sqlc.File { return sqlc.File{Path: p.Abs, Display: p.Display} }
	if c.Migrations.Dir.IsZero() {
		return sqlc.Find(file(c.SQLC), file(c.Schema), file(c.Queries))
	}
	block, err := sqlc.FindMigrations(file(c.SQLC), file(c.Migrations.Dir), file(t.next), file(c.Queries))
	if err != nil {
		return nil, err
	}
	return block, t.notCreated(c, block).Err()
}

// notCreated reports tables that the last run has left, and that no migration makes: those
// of a schema file whose place the folder has taken.
func (t tables) notCreated(c *config.Config, block *sqlc.Block) diag.List {
	var list diag.List
	dir := c.Migrations.Dir
	for _, scope := range t.kept {
		if !block.Mentions(scope.Table, t.written) {
			list.Errorf(dir.Pos, "move the schema file that made it into the folder, as a migration; docs/migrations.md says how for each style",
				"%s says that there is a table %s, and nothing in %s makes it", c.Lock.Display, naming.QuoteTable(scope.Schema, scope.Table), dir.Display)
		}
	}
	return list
}

// sqlcSchema is what sqlc reads under the name of our file; nil for no file.
func (t tables) sqlcSchema() []byte {
	switch {
	case t.next.IsZero():
		return t.schema
	case len(t.files) == 0:
		return nil
	default:
		return []byte(t.files[0].Content)
	}
}

// migrationFiles are the files that a run adds to the folder of migrations. The lock does
// not list them: they stay when the tables change again.
func (t tables) migrationFiles(migrations config.Migrations) []output.File {
	var files []output.File
	for _, f := range t.files {
		files = append(files, file(migrations.Dir.Join(f.Name), []byte(f.Content)))
	}
	return files
}

// isMigration reports whether a file is in the folder of migrations. A schema file that was
// written there before it became that folder counts as one.
func isMigration(migrations config.Migrations, path string) bool {
	return !migrations.Dir.IsZero() && filepath.Dir(path) == migrations.Dir.Abs
}

// migration says what has become of the tables; nil for nothing.
func (t tables) migration(c *config.Config) *Migration {
	if len(t.changes) == 0 {
		return nil
	}
	m := &Migration{}
	altered := false
	for _, change := range t.changes {
		altered = altered || change.Kind == migrate.Altered
		if change.Kind == migrate.Unused {
			m.Unused = append(m.Unused, change.Summary)
		} else {
			m.Changes = append(m.Changes, change.Summary)
		}
	}
	if len(t.files) > 0 {
		dir := c.Migrations.Dir
		m.File = filepath.ToSlash(dir.Join(t.files[0].Name).Display)
		m.Command = migrate.Style(c.Migrations.Style).Command(filepath.ToSlash(dir.Display), m.File)
		return m
	}
	m.Schema = c.Schema.Display
	if altered {
		m.SQL = migrate.Transaction(migrate.Statements(t.changes))
	}
	return m
}
