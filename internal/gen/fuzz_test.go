package gen_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/goldentest"
)

// FuzzGenerate gives the generator documents that nobody would write. One that it
// accepts yields code that type-checks, twice the same; one that it refuses is
// refused with diagnostics that each have a position, and never with a fault of
// ours. The seeds are the documents of the golden cases; as TestGolden generates from
// all of them, a run that does not fuzz gets a few.
func FuzzGenerate(f *testing.F) {
	for i, c := range goldentest.ReadAll(f, "testdata/golden", sections...) {
		if i%8 != 0 && !fuzzing() {
			continue
		}
		for _, file := range c.Given.Files {
			if file.Name == "api.yaml" || file.Name == "api.json" {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		dir := t.TempDir()
		unpack(t, &txtar.Archive{Files: []txtar.File{
			{Name: "api.yaml", Data: document},
			{Name: "go.mod", Data: []byte("module fuzzed\n")},
		}}, dir)
		t.Chdir(dir)
		first, second := attempt(t), attempt(t)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("the second run differs: -first +second\n%s", diff)
		}
	})
}

// fuzzing reports whether the run is one of go test -fuzz.
func fuzzing() bool { return flag.Lookup("test.fuzz").Value.String() != "" }

// attempt runs the pipeline and returns its files, or its diagnostics.
func attempt(t *testing.T) results {
	t.Helper()
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result, err := gen.Run(t.Context(), c, gen.Options{})
	if err != nil {
		var list diag.List
		if !errors.As(err, &list) {
			t.Fatalf("not a diagnostic: %v", err)
		}
		for _, d := range list {
			if !d.Pos.Valid() {
				t.Errorf("no position: %s", d)
			}
			if strings.Contains(d.String(), "fault of idemgen") {
				t.Error(d)
			}
		}
		return results{"errors": list.Error()}
	}
	got := results{}
	for _, file := range result.Files {
		got[file.Display] = string(file.Content)
	}
	return got
}

// BenchmarkGenerate measures a whole run over the example's document.
func BenchmarkGenerate(b *testing.B) {
	b.Chdir("../..")
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := gen.Run(b.Context(), c, gen.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
