// Package consumer makes a service out of what idemgen generates, as somebody
// who uses idemgen would: in a module of its own, compiled, and in a process of
// its own.
package consumer

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// Module is a folder with a go.mod.
type Module struct {
	Folder string
	t      testing.TB
}

// New makes a module of that path that requires what the example requires. It
// holds the files of sources.
func New(t testing.TB, path, sources string) Module {
	t.Helper()
	return NewLike(t, "example", path, sources)
}

// NewIn is New in an empty folder of the caller's. The module that several tests
// share cannot be in a folder that is removed when the first of them ends.
func NewIn(t testing.TB, folder, path, sources string) Module {
	t.Helper()
	return newModule(t, folder, "example", path, sources)
}

// NewLike is New for a module that requires what that in a folder of the repository
// requires.
func NewLike(t testing.TB, folder, path, sources string) Module {
	t.Helper()
	return newModule(t, t.TempDir(), folder, path, sources)
}

func newModule(t testing.TB, folder, model, path, sources string) Module {
	t.Helper()
	m := Module{Folder: folder, t: t}
	if err := os.CopyFS(m.Folder, os.DirFS(sources)); err != nil {
		t.Fatal(err)
	}
	model = filepath.Join(command.Root(t), filepath.FromSlash(model))
	for _, name := range []string{"go.mod", "go.sum"} {
		m.Write(name, read(t, filepath.Join(model, name)))
	}
	edit := []string{"mod", "edit", "-module=" + path}
	for old, replacement := range m.replaced() {
		edit = append(edit, "-replace="+old+"="+filepath.Join(model, replacement))
	}
	m.run(edit...)
	return m
}

// replaced returns the replacements of the module's go.mod, by what they replace.
func (m Module) replaced() map[string]string {
	m.t.Helper()
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal(m.run("mod", "edit", "-json"), &mod); err != nil {
		m.t.Fatal(err)
	}
	all := map[string]string{}
	for _, replace := range mod.Replace {
		all[replace.Old.Path] = replace.New.Path
	}
	return all
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
func (m Module) Generate(args ...string) (diagnostics string, generated bool) {
	m.t.Helper()
	_, diagnostics, generated = m.generate(args)
	return diagnostics, generated
}

// MustGenerate runs idemgen generate, which must have nothing to complain about, and
// returns what it prints.
func (m Module) MustGenerate(args ...string) string {
	m.t.Helper()
	printed, diagnostics, generated := m.generate(args)
	if !generated || diagnostics != "" {
		m.t.Fatalf("idemgen generate:\n%s", diagnostics)
	}
	return printed
}

func (m Module) generate(args []string) (printed, diagnostics string, generated bool) {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	generate := exec.CommandContext(m.t.Context(), command.Idemgen(m.t), append([]string{"generate"}, args...)...)
	generate.Dir = m.Folder
	generate.Stdout, generate.Stderr = &stdout, &stderr
	err := generate.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		m.t.Fatalf("idemgen generate: %v\n%s", err, &stderr)
	}
	return stdout.String(), stderr.String(), err == nil
}

// Build compiles the module's main package and returns the program's path.
func (m Module) Build() string {
	m.t.Helper()
	program := filepath.Join(m.Folder, "service")
	m.run(append([]string{"build", "-o", program}, append(raceFlags(), ".")...)...)
	return program
}

// run returns what the go command prints.
func (m Module) run(args ...string) []byte {
	m.t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.Folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatalf("go %v: %v\n%s%s", args, err, out, &stderr)
	}
	return out
}

func read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
