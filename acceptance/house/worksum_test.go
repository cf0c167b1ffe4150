package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// The go command adds the hashes that go.work.sum lacks when it fetches a go.mod,
// and only then: the first build on a new machine would change the file, and on a
// machine that has everything nobody would see it.
func TestWorkspaceSumsAreComplete(t *testing.T) {
	cache := strings.TrimSpace(run(t, ".", "env", "GOMODCACHE"))
	upstream := strings.TrimSpace(run(t, ".", "env", "GOPROXY"))
	workspace := t.TempDir()
	for _, name := range repositoryFiles(t) {
		switch filepath.Base(name) {
		case "go.mod", "go.sum", "go.work", "go.work.sum":
			copyTo(t, workspace, name)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "all")
	cmd.Dir = workspace
	cmd.Env = append(os.Environ(),
		"GOWORK=", "GOFLAGS=-modcacherw",
		"GOMODCACHE="+t.TempDir(), // empty, as on a new machine
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download"))+","+upstream,
	)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go list -m all: %v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(workspace, "go.work.sum"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(command.Root(t), "go.work.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("a first build changes go.work.sum; add what `GOMODCACHE=$(mktemp -d) go list -m all` does: -committed +changed\n%s", diff)
	}
}

// copyTo copies a file of the repository into folder, under its name.
func copyTo(t *testing.T, folder, name string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(command.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
