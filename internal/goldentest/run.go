package goldentest

import (
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of golden cases") //nolint:gochecknoglobals // a flag of go test

// Updating reports whether expectations are to be rewritten.
func Updating() bool { return *update }

// Run runs every case in a folder as a subtest: run is called with the case, and
// what it returns is what the case must expect, by the name of the section's file.
// With -update the case expects it from now on.
func Run(t *testing.T, folder string, sections Sections, run func(t *testing.T, c *Case) map[string]string) {
	t.Helper()
	for _, c := range ReadAll(t, folder, sections...) {
		t.Run(c.Name, func(t *testing.T) {
			got := run(t, c)
			if *update {
				write(t, c.path, c.expecting(got))
				return
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("-want +got; go test -update rewrites the expectations\n%s", diff)
			}
		})
	}
}

// File compares got with the content of a file, which -update rewrites.
func File(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		write(t, path, []byte(got))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got; go test -update rewrites it\n%s", path, diff)
	}
}

// expecting is the text of the case with other expectations.
func (c *Case) expecting(got map[string]string) []byte {
	names := slices.Sorted(maps.Keys(got))
	slices.SortStableFunc(names, func(a, b string) int { return c.sections.index(a) - c.sections.index(b) })
	archive := &txtar.Archive{Comment: c.Given.Comment, Files: slices.Clone(c.Given.Files)}
	for _, name := range names {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	return txtar.Format(archive)
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
