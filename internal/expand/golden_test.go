package expand_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

var expectations = []string{"published", "bound"}

// TestGolden expands openapi.yaml, or openapi.json, of each case, with overlay.yaml
// if there is one. "published" and "bound" are the results.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			name, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(unpack(t, archive))
			d := load(t, existing("openapi.yaml", "openapi.json"), existing("overlay.yaml"))
			got := map[string]string{
				"published": string(published(t, d)),
				"bound":     string(bound(t, d)),
			}
			if *update {
				rewriteCase(t, name, archive, got)
				return
			}
			for _, section := range expectations {
				if diff := cmp.Diff(expected(archive, section), got[section]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", section, diff)
				}
			}
		})
	}
}

func existing(names ...string) string {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

func expected(archive *txtar.Archive, section string) string {
	for _, f := range archive.Files {
		if f.Name == section {
			return string(f.Data)
		}
	}
	return ""
}

func rewriteCase(t *testing.T, name string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return slices.Contains(expectations, f.Name) })
	for _, section := range expectations {
		archive.Files = append(archive.Files, txtar.File{Name: section, Data: []byte(got[section])})
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// unpack writes the files of a case, without the expectations, into a folder.
func unpack(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		if slices.Contains(expectations, f.Name) {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
