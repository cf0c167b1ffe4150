// Package goldentest runs golden cases. A case is one txtar file: the files that a
// test is given, and sections with what must come of them. With the flag -update,
// which every test that imports this package has, the sections are rewritten.
package goldentest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Sections are the names of those files of a case that hold expectations, in the
// order in which they are written. One that ends in a slash is all files below it.
type Sections []string

// index returns which of the sections a file belongs to, or -1.
func (s Sections) index(name string) int {
	return slices.IndexFunc(s, func(section string) bool {
		return name == section || strings.HasSuffix(section, "/") && strings.HasPrefix(name, section)
	})
}

// Case is a case that was read.
type Case struct {
	Name  string            // the file's, without folder and .txtar
	Given *txtar.Archive    // the case without its expectations
	Want  map[string]string // the expectations, by the name of their file

	path     string // absolute: tests may change the working folder
	sections Sections
}

// Read reads one case.
func Read(t testing.TB, path string, sections ...string) *Case {
	t.Helper()
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(absolute)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{
		Name:  strings.TrimSuffix(filepath.Base(path), ".txtar"),
		Given: &txtar.Archive{Comment: archive.Comment},
		Want:  map[string]string{},
		path:  absolute, sections: sections,
	}
	for _, file := range archive.Files {
		if c.sections.index(file.Name) < 0 {
			c.Given.Files = append(c.Given.Files, file)
		} else {
			c.Want[file.Name] = string(file.Data)
		}
	}
	return c
}

// ReadAll reads all cases in a folder, of which there must be some.
func ReadAll(t testing.TB, folder string, sections ...string) []*Case {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	cases := make([]*Case, len(paths))
	for i, path := range paths {
		cases[i] = Read(t, path, sections...)
	}
	return cases
}

// Files returns the given files by name.
func (c *Case) Files() map[string]string {
	files := map[string]string{}
	for _, file := range c.Given.Files {
		files[file.Name] = string(file.Data)
	}
	return files
}

// Unpack writes the given files into a folder that goes with the test, and returns
// it.
func (c *Case) Unpack(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	Unpack(t, c.Given, folder)
	return folder
}

// Unpack writes the files of an archive into a folder.
func Unpack(t testing.TB, archive *txtar.Archive, folder string) {
	t.Helper()
	for _, file := range archive.Files {
		path := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
