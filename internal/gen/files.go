package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/lock"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// files lists everything that the run has made, the lock last: it names the rest.
func (r *run) files(decorator []byte) ([]output.File, error) {
	files := []output.File{file(r.config.Queries, r.queries)}
	if !r.config.Schema.IsZero() {
		files = append(files, file(r.config.Schema, r.schema))
	}
	for _, generated := range r.database.files {
		files = append(files, file(r.database.out.Join(generated.Name), generated.Content))
	}
	if r.config.Server.From.IsZero() {
		files = append(files, file(r.config.Server.Out.Join(config.ServerFile), r.server.source.Files[config.ServerFile]))
	}
	files = append(files, file(r.config.Server.Folder().Join(config.DecoratorFile), decorator))
	if r.server.bound != nil {
		files = append(files, file(r.config.Bound, r.server.bound))
	}
	names, err := r.relative(files)
	if err != nil {
		return nil, err
	}
	if err := r.isOurs(r.lock, names); err != nil {
		return nil, err
	}
	next := lock.New(r.contract, r.lock, r.accepted, names)
	content, err := render.Lock(&next)
	if err != nil {
		return nil, err
	}
	files = append(files, r.migrationFiles()...)
	return append(files, file(r.config.Lock, content)), nil
}

func file(p config.Path, content []byte) output.File {
	return output.File{Path: p.Abs, Display: p.Display, Content: content}
}

// relative returns the files' paths as the lock states them.
func (r *run) relative(files []output.File) ([]string, error) {
	names := make([]string, len(files))
	for i, f := range files {
		name, err := filepath.Rel(filepath.Dir(r.config.Lock.Abs), f.Path)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be named in %s: %w", f.Display, r.config.Lock.Display, err)
		}
		names[i] = filepath.ToSlash(name)
	}
	return names, nil
}

// isOurs reports a lock that another configuration has written: every file that it
// names would be removed.
func (r *run) isOurs(before model.Lock, names []string) error {
	known := func(name string) bool { return slices.Contains(before.Files, name) }
	if len(before.Files) == 0 || slices.ContainsFunc(names, known) {
		return nil
	}
	return diag.List{diag.Errorf(r.config.Lock.Pos, "give each configuration a lock of its own; if all files of this one have moved, empty the list under files: in it",
		"%s is the lock of another configuration: it names none of the files that this one writes", r.config.Lock.Display)}
}

// isOursAlready is isOurs by the files that every run writes to places that the
// configuration names, before the rest is known.
func (r *run) isOursAlready(before model.Lock) error {
	names, err := r.relative([]output.File{
		file(r.config.Queries, nil),
		file(r.config.Server.Folder().Join(config.DecoratorFile), nil),
	})
	if err != nil {
		return err
	}
	return r.isOurs(before, names)
}

// stale returns the files that the lock of the last run names and that are not
// among files.
func (r *run) stale(files []output.File) []output.File {
	folder := config.Path{Abs: filepath.Dir(r.config.Lock.Abs), Display: filepath.Dir(r.config.Lock.Display)}
	var stale []output.File
	for _, name := range r.lock.Files {
		path := folder.Join(name)
		if r.isTheirs(path) || r.isMigration(path.Abs) {
			continue // the user generates now what an earlier run did; a migration stays
		}
		if !slices.ContainsFunc(files, func(f output.File) bool { return f.Path == path.Abs }) {
			stale = append(stale, output.File{Path: path.Abs, Display: path.Display})
		}
	}
	return stale
}

// isTheirs reports whether a file belongs to the package that the user generates.
func (r *run) isTheirs(path config.Path) bool {
	from := r.config.Server.From
	return !from.IsZero() && filepath.Dir(path.Abs) == from.Abs && filepath.Base(path.Abs) != config.DecoratorFile
}

// orphans are files of an earlier run of this configuration whose lock is not there.
func orphans(c *config.Config) []string {
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
	return found
}

// readLock reads the lock of the last run. There is none before the first.
func readLock(p config.Path) (model.Lock, diag.List) {
	data, err := os.ReadFile(p.Abs)
	if errors.Is(err, fs.ErrNotExist) {
		return model.Lock{}, nil
	}
	if err != nil {
		return model.Lock{}, diag.List{diag.Errorf(diag.Position{File: p.Display, Line: 1, Column: 1},
			"mend its permissions, or restore it from version control", "the lock file cannot be read")}
	}
	return lock.Parse(p.Display, data)
}
