// Package corpustest finds the real API descriptions that tests run over, in the
// folder that the environment variable IDEMGEN_CORPUS names. They are other
// people's and no part of the repository.
package corpustest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Lookup returns the absolute path of the folder, or false where there is none. The
// test fails if IDEMGEN_REQUIRE=1 demands one.
func Lookup(t testing.TB) (folder string, ok bool) {
	t.Helper()
	folder = os.Getenv("IDEMGEN_CORPUS")
	if folder == "" {
		if os.Getenv("IDEMGEN_REQUIRE") == "1" {
			t.Fatal("IDEMGEN_CORPUS is not set, and IDEMGEN_REQUIRE=1 demands it")
		}
		t.Log("SKIPPED real API descriptions: set IDEMGEN_CORPUS to their folder")
		return "", false
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder, true
}

// Folder returns the absolute path of the folder. Where there is none, the test is
// skipped.
func Folder(t testing.TB) string {
	t.Helper()
	folder, ok := Lookup(t)
	if !ok {
		t.Skip("IDEMGEN_CORPUS is not set")
	}
	return folder
}

// Files returns the paths of all descriptions. Where there is no folder, the test is
// skipped; where it holds none, it fails.
func Files(t testing.TB) []string {
	t.Helper()
	folder := Folder(t)
	var files []string
	for _, pattern := range []string{"*.yaml", "*.yml", "*.json"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatalf("no API descriptions in %s", folder)
	}
	return files
}

// Operation is an operation of a description, and what is declared of it.
type Operation struct {
	File, Path, Method string
	Key                string // the header
	Fields             []string
}

// Overlay is the text of an overlay that annotates the operation.
func (o Operation) Overlay() string {
	return fmt.Sprintf(`overlay: 1.0.0
info: {title: idempotency, version: '1'}
actions:
  - target: $
    update:
      x-idempotent: {scopes: {account: {columns: [{name: tenant_id, type: uuid}]}}}
  - target: $.paths['%s'].%s
    update:
      x-idempotent: {scope: account, key: {name: %s}, fingerprint: ["%s"]}
`, o.Path, o.Method, o.Key, strings.Join(o.Fields, `", "`))
}
