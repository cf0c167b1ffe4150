package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/lock"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// generated is what a run has made, but for the lock.
type generated struct {
	tables    tables
	database  database
	server    server
	decorator []byte
}

// listFiles lists everything that the run has made, the lock last: it names the rest.
func listFiles(c *config.Config, contract *model.Contract, last lastRun, made generated) ([]output.File, error) {
	files := []output.File{file(c.Queries, made.tables.queries)}
	if !c.Schema.IsZero() {
		files = append(files, file(c.Schema, made.tables.schema))
	}
	for _, f := range made.database.files {
		files = append(files, file(made.database.out.Join(f.Name), f.Content))
	}
	if c.Server.From.IsZero() {
		files = append(files, file(c.Server.Out.Join(config.ServerFile), made.server.source.Files[config.ServerFile]))
	}
	files = append(files, file(c.Server.Folder().Join(config.DecoratorFile), made.decorator))
	if made.server.bound != nil {
		files = append(files, file(c.Bound, made.server.bound))
	}
	names, err := relativeNames(c.Lock, files)
	if err != nil {
		return nil, err
	}
	if err := isLockOf(c, last.lock, names); err != nil {
		return nil, err
	}
	next := lock.New(contract, last.lock, last.accepted, names)
	content, err := render.Lock(&next)
	if err != nil {
		return nil, err
	}
	files = append(files, made.tables.migrationFiles(c.Migrations)...)
	return append(files, file(c.Lock, content)), nil
}

func file(p config.Path, content []byte) output.File {
	return output.File{Path: p.Abs, Display: p.Display, Content: content}
}

// relativeNames returns the files' paths as the lock states them.
func relativeNames(lock config.Path, files []output.File) ([]string, error) {
	names := make([]string, len(files))
	for i, f := range files {
		name, err := filepath.Rel(filepath.Dir(lock.Abs), f.Path)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be named in %s: %w", f.Display, lock.Display, err)
		}
		names[i] = filepath.ToSlash(name)
	}
	return names, nil
}

// isLockOf reports a lock that another configuration has written: every file that it
// names would be removed.
func isLockOf(c *config.Config, last model.Lock, names []string) error {
	known := func(name string) bool { return slices.Contains(last.Files, name) }
	if len(last.Files) == 0 || slices.ContainsFunc(names, known) {
		return nil
	}
	return diag.List{diag.Errorf(c.Lock.Pos, "give each configuration a lock of its own; if all files of this one have moved, empty the list under files: in it",
		"%s is the lock of another configuration: it names none of the files that this one writes", c.Lock.Display)}
}

// isLockOfFixed is isLockOf by the files that every run writes to places that the
// configuration names, before the rest is known.
func isLockOfFixed(c *config.Config, last model.Lock) error {
	names, err := relativeNames(c.Lock, []output.File{
		file(c.Queries, nil),
		file(c.Server.Folder().Join(config.DecoratorFile), nil),
	})
	if err != nil {
		return err
	}
	return isLockOf(c, last, names)
}

// staleFiles returns the files that the lock of the last run names and that are not
// among files.
func staleFiles(c *config.Config, last model.Lock, files []output.File) []output.File {
	folder := config.Path{Abs: filepath.Dir(c.Lock.Abs), Display: filepath.Dir(c.Lock.Display)}
	var stale []output.File
	for _, name := range last.Files {
		path := folder.Join(name)
		if isUsers(c, path) || isMigration(c.Migrations, path.Abs) {
			continue // the user generates now what an earlier run did; a migration stays
		}
		if !slices.ContainsFunc(files, func(f output.File) bool { return f.Path == path.Abs }) {
			stale = append(stale, output.File{Path: path.Abs, Display: path.Display})
		}
	}
	return stale
}

// isUsers reports whether a file belongs to the package that the user generates.
func isUsers(c *config.Config, path config.Path) bool {
	from := c.Server.From
	return !from.IsZero() && filepath.Dir(path.Abs) == from.Abs && filepath.Base(path.Abs) != config.DecoratorFile
}

// missingLock reports files of an earlier run of this configuration whose lock is not
// there.
func missingLock(c *config.Config) diag.List {
	if _, err := os.Lstat(c.Lock.Abs); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var found []string
	decorator := c.Server.Folder().Join(config.DecoratorFile)
	if content, err := os.ReadFile(decorator.Abs); err == nil && output.Generated(content) {
		found = append(found, decorator.Display)
	}
	if schema, err := os.ReadFile(c.Schema.Abs); err == nil {
		if owner, _ := sqlc.KeyTables(schema); owner == c.Server.ImportPath {
			found = append(found, c.Schema.Display)
		}
	}
	if len(found) == 0 {
		return nil
	}
	left := strings.Join(found, " and ")
	return diag.List{diag.Errorf(c.Lock.Pos, "restore it, from version control or from where lock: had it before; or, if fingerprint versions"+
		" may begin anew, what has changed may go unnoticed, and retries of what is recorded may be refused, delete "+left+", too",
		"%s is missing, although an earlier run wrote %s", c.Lock.Display, left)}
}

// readLock reads the lock of the last run. There is none before the first.
func readLock(p config.Path) (model.Lock, diag.List) {
	data, err := os.ReadFile(p.Abs)
	if errors.Is(err, fs.ErrNotExist) {
		return model.Lock{}, nil
	}
	if err != nil {
		return model.Lock{}, diag.List{diag.Errorf(diag.Position{File: p.Display, Line: 1, Column: 1},
			"fix its permissions, or restore it from version control", "the lock file cannot be read")}
	}
	return lock.Parse(p.Display, data)
}
