package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	repository := fstest.MapFS{
		"orders/shop_test.go": {Data: []byte(`package orders
			func each(t *testing.T, run func()) { pgtest.Each(t, run) }
			func TestThroughAHelper(t *testing.T) { each(t, func() {}) }
			func TestOfNothing(t *testing.T) { other(t) }
			func TestRecursive(t *testing.T) { TestRecursive(t) }
		`)},
		"orders/helper_test.go":      {Data: []byte(`package orders; func other(t *testing.T) {}`)},
		"corpus/corpus_test.go":      {Data: []byte(`package corpus; func FuzzFiles(f *testing.F) { os.Getenv("IDEMGEN_CORPUS") }`)},
		"described/drive_test.go":    {Data: []byte(`package described; func TestDrive(t *testing.T) { corpustest.Folder(t) }`)},
		"quiet/quiet_test.go":        {Data: []byte(`package quiet; func TestQuiet(t *testing.T) { pgtest.Server(t) }`)},
		"a/testdata/service_test.go": {Data: []byte(`no Go`)},
	}
	got, err := find(repository)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"./orders": {"TestThroughAHelper"}, "./corpus": {"FuzzFiles"}, "./described": {"TestDrive"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	selected := []string{"-run=^(FuzzFiles|TestDrive|TestThroughAHelper)$", "./corpus", "./described", "./orders"}
	if diff := cmp.Diff(selected, arguments(got)); diff != "" {
		t.Errorf("arguments: -want +got\n%s", diff)
	}
}

// mention finds the calls that only tests with a demand make.
var mention = regexp.MustCompile(`pgtest\.(?:Own)?Each\(|\bcorpus(?:test)?\.(?:Folder|Files|Lookup)\(|exec\.LookPath\("pgbouncer`)

// Whatever mentions a demand is in a package that is selected, and in a test: what a
// package that is no test does for another one is not found.
func TestNoPackageIsLeftOut(t *testing.T) {
	repository := os.DirFS("../../..")
	found, err := find(repository)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		folder := "./" + path.Dir(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case path.Ext(name) != ".go" || folder == "./acceptance/internal/demanded":
			return nil
		}
		source, err := fs.ReadFile(repository, name)
		if err == nil && mention.Match(source) && (found[folder] == nil || !strings.HasSuffix(name, "_test.go")) {
			t.Errorf("%s depends on what CI demands, and no test of its package is selected", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 5 {
		t.Errorf("only %d packages are selected", len(found))
	}
}
