package goldentest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const text = "A comment.\n-- a.yaml --\na: 1\n-- want/z --\nold\n-- b/c.yaml --\nc: 1\n-- errors --\nnone\n"

func TestCase(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "one.txtar"), []byte(text))
	cases := ReadAll(t, folder, "errors", "want/")
	if len(cases) != 1 || cases[0].Name != "one" {
		t.Fatalf("got %+v", cases)
	}
	c := cases[0]
	if diff := cmp.Diff(map[string]string{"a.yaml": "a: 1\n", "b/c.yaml": "c: 1\n"}, c.Files()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"want/z": "old\n", "errors": "none\n"}, c.Want); diff != "" {
		t.Error(diff)
	}
	content, err := os.ReadFile(filepath.Join(c.Unpack(t), "b", "c.yaml"))
	if err != nil || string(content) != "c: 1\n" {
		t.Errorf("unpacked %q, %v", content, err)
	}
}

// Expectations come last, in the order of the sections.
func TestExpecting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.txtar")
	write(t, path, []byte(text))
	got := Read(t, path, "errors", "want/").expecting(map[string]string{"want/z": "new\n", "want/a": "", "errors": "some\n"})
	want := "A comment.\n-- a.yaml --\na: 1\n-- b/c.yaml --\nc: 1\n-- errors --\nsome\n-- want/a --\n-- want/z --\nnew\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
