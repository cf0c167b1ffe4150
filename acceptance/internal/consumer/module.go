// Package consumer makes a service out of what idemgen generates, as somebody
// who uses idemgen would: in a module of its own, compiled, and in a process of
// its own.
package consumer

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// Module is a folder with a go.mod that requires what the example requires.
type Module struct {
	Folder string
	t      testing.TB
}

// New makes a module of that path. It holds the files of sources.
func New(t testing.TB, path, sources string) Module {
	t.Helper()
	m := Module{Folder: t.TempDir(), t: t}
	if err := os.CopyFS(m.Folder, os.DirFS(sources)); err != nil {
		t.Fatal(err)
	}
	root := command.Root(t)
	for _, name := range []string{"go.mod", "go.sum"} {
		m.Write(name, read(t, filepath.Join(root, "example", name)))
	}
	m.run("mod", "edit", "-module="+path,
		"-replace=github.com/idemgen/idemgen/idem="+filepath.Join(root, "idem"),
		"-replace=github.com/idemgen/idemgen/pgserver="+filepath.Join(root, "pgserver"))
	return m
}

// Write puts a file into the module.
func (m Module) Write(name, content string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.Folder, filepath.FromSlash(name)), []byte(content), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// Read returns a file of the module.
func (m Module) Read(name string) string {
	m.t.Helper()
	return read(m.t, filepath.Join(m.Folder, filepath.FromSlash(name)))
}

// Generate runs idemgen generate and returns what it says, and whether it has
// generated.
func (m Module) Generate() (diagnostics string, generated bool) {
	m.t.Helper()
	var stderr bytes.Buffer
	generate := exec.CommandContext(m.t.Context(), command.Idemgen(m.t), "generate")
	generate.Dir = m.Folder
	generate.Stderr = &stderr
	err := generate.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		m.t.Fatalf("idemgen generate: %v\n%s", err, &stderr)
	}
	return stderr.String(), err == nil
}

// MustGenerate runs idemgen generate, which must have nothing to say.
func (m Module) MustGenerate() {
	m.t.Helper()
	if diagnostics, generated := m.Generate(); !generated || diagnostics != "" {
		m.t.Fatalf("idemgen generate:\n%s", diagnostics)
	}
}

// Build compiles the module's main package and returns the program's path.
func (m Module) Build() string {
	m.t.Helper()
	program := filepath.Join(m.Folder, "service")
	m.run(append([]string{"build", "-o", program}, append(raceFlags(), ".")...)...)
	return program
}

func (m Module) run(args ...string) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.Folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
