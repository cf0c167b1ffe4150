package sqlc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// source is one SQL file of the block.
type source struct {
	File
	pos diag.Position // the entry that lists it
}

// entries returns the items of a list of paths, which may be a single one.
func entries(list *tree.Node) []*tree.Node {
	if list.Kind == tree.Sequence {
		return list.Items
	}
	return []*tree.Node{list}
}

// matches reports whether an entry of a list of paths matches file, which need not
// exist: as a file, a folder or a pattern of either.
func matches(dir, entry, file string) bool {
	folder := filepath.Dir(file)
	if !isPattern(entry) {
		path := join(dir, entry)
		return path == file || (path == folder && isSQL(filepath.Base(file)))
	}
	pattern := join(escape(dir), entry)
	asFile, _ := filepath.Match(pattern, file)
	asFolder, _ := filepath.Match(pattern, folder)
	return (asFile || asFolder) && isSQL(filepath.Base(file))
}

func isPattern(entry string) bool { return strings.ContainsAny(entry, "*?[]") }

func join(dir, entry string) string { return filepath.Join(dir, filepath.FromSlash(entry)) }

// escape returns a pattern that matches only path.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // the backslash is a separator there
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// expand returns the SQL files that a list of paths names, in sqlc's order, including
// idemgen's own whether or not it exists.
func (f *finder) expand(list *tree.Node, ours File) []source {
	var sources []source
	for _, entry := range entries(list) {
		paths := f.glob(entry, ours.Path)
		if len(paths) == 0 && isPattern(entry.Text) {
			f.problems.Warnf(entry.Pos, "fix or remove it", "%q matches no file", entry.Text)
		}
		for _, path := range paths {
			for _, name := range f.files(entry, path, ours.Path) {
				if isSQL(filepath.Base(name)) {
					sources = append(sources, source{f.named(name), entry.Pos})
				}
			}
		}
	}
	return sources
}

// glob returns the files and folders that match one entry.
func (f *finder) glob(entry *tree.Node, ours string) []string {
	if !isPattern(entry.Text) {
		return []string{join(f.dir.Path, entry.Text)}
	}
	pattern := join(escape(f.dir.Path), entry.Text)
	found, err := filepath.Glob(pattern)
	if err != nil {
		f.problems.Errorf(entry.Pos, "fix the pattern", "%q is not a pattern: %v", entry.Text, err)
		return nil
	}
	for _, path := range []string{ours, filepath.Dir(ours)} {
		if ok, _ := filepath.Match(pattern, path); ok {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// files returns the files in a folder, or the file itself.
func (f *finder) files(entry *tree.Node, path, ours string) []string {
	if path == ours {
		return []string{path}
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		f.checkFile(entry, path, ours)
		return []string{path}
	}
	var files []string
	if path == filepath.Dir(ours) {
		files = append(files, ours)
	}
	listing, err := os.ReadDir(path)
	if err != nil {
		if len(files) == 0 || !errors.Is(err, fs.ErrNotExist) {
			f.problems.Errorf(entry.Pos, "fix the path", "%s cannot be read: %v", f.named(path).Display, diag.Cause(err))
		}
		return files
	}
	for _, item := range listing {
		if !item.IsDir() {
			files = append(files, filepath.Join(path, item.Name()))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// checkFile reports a listed file that sqlc does not read. sqlc skips it silently, and
// its tables would be missing in the queries.
func (f *finder) checkFile(entry *tree.Node, path, ours string) {
	switch {
	case isPattern(entry.Text):
	case path == filepath.Dir(ours):
		f.problems.Errorf(entry.Pos, "move the file, or configure another folder for idemgen",
			"%s is a file, but %s must be in a folder of that name", f.named(path).Display, f.named(ours).Display)
	case !isSQL(filepath.Base(path)):
		f.problems.Errorf(entry.Pos, "give it a name that ends with .sql, or remove it from the list",
			"sqlc does not read %s: it is neither a folder nor an SQL file", f.named(path).Display)
	}
}

// named returns a path with its Display name.
func (f *finder) named(path string) File {
	for _, ours := range []File{f.schema, f.queries} {
		if path == ours.Path {
			return ours
		}
	}
	relative, err := filepath.Rel(f.dir.Path, path)
	if err != nil {
		return File{path, path}
	}
	return File{path, filepath.Join(f.dir.Display, relative)}
}
