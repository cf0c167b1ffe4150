// Package generations compiles generated files together with runtimes of other
// generations. They must not compile, and the compiler must say which side is older.
package generations

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// ofGeneration1 is how a generated file of the first generation begins.
const ofGeneration1 = `package api

import (
	"time"

	"github.com/idemgen/idemgen/idem"
)

// If this line does not compile, this file and the runtime are of different
// generations: update github.com/idemgen/idemgen/idem, or run idemgen again.
const _ = idem.GeneratedCodeV1

var createOrderOperation = idem.Operation{
	Name:   "createOrder",
	Final:  []idem.StatusPattern{"2XX"},
	Window: 72 * time.Hour,
}
`

func TestFileIsOlderThanRuntime(t *testing.T) {
	got := compile(t, ofGeneration1, filepath.Join(command.Root(t), "idem"), "mod")
	first, _, _ := strings.Cut(got, "\n")
	for _, part := range []string{"api.go:11:", "GeneratedFileIsOlderThanRuntimeRunIdemgenGenerate", "is not constant"} {
		if !strings.Contains(first, part) {
			t.Errorf("the first error lacks %q:\n%s", part, got)
		}
	}
}

// The remedy of the type's name: what is generated again compiles.
func TestFileAndRuntimeOfOneGeneration(t *testing.T) {
	if got := compile(t, current(t), filepath.Join(command.Root(t), "idem"), "mod"); got != "" {
		t.Errorf("it does not compile:\n%s", got)
	}
}

// A file of a later generation refers to a name that this runtime does not have yet.
func TestRuntimeIsOlderThanFile(t *testing.T) {
	later := strings.ReplaceAll(current(t), "GeneratedCodeV2", "GeneratedCodeV3")
	got := compile(t, later, filepath.Join(command.Root(t), "idem"), "mod")
	if !strings.Contains(got, "undefined: idemrt.GeneratedCodeV3") || !strings.Contains(later, `"undefined": the`+"\n// runtime is older") {
		t.Errorf("the runtime is not blamed:\n%s\n%s", got, later)
	}
}

// The first generation has no package idemrt, and the go command says so of the import.
func TestRuntimeIsOfTheFirstGeneration(t *testing.T) {
	runtime := t.TempDir()
	write(t, runtime, "go.mod", "module github.com/idemgen/idemgen/idem\n\ngo 1.26\n")
	write(t, runtime, "idem.go", "package idem\n\nconst GeneratedCodeV1 = true\n")
	got := compile(t, current(t), runtime, "readonly")
	if !strings.HasPrefix(got, "api.go:3:") || !strings.Contains(got, "package github.com/idemgen/idemgen/idem/idemrt") {
		t.Errorf("the missing package is not named:\n%s", got)
	}
}

// current is the handshake of the example's generated file.
func current(t *testing.T) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(command.Root(t), "example/internal/orderapi/idempotent.gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(file), "\n// If this line does not compile")
	handshake, _, ends := strings.Cut(rest, "\n\n")
	if !begins || !ends {
		t.Fatalf("there is no handshake:\n%s", file)
	}
	return "package api\n\nimport \"github.com/idemgen/idemgen/idem/idemrt\"\n\n// If this line does not compile" + handshake + "\n"
}

// compile compiles a file with a runtime, and returns what the go command says.
func compile(t *testing.T, file, runtime, mode string) string {
	t.Helper()
	folder := t.TempDir()
	write(t, folder, "go.mod", "module example.com/api\n\ngo 1.26\n\nrequire github.com/idemgen/idemgen/idem v0.0.0\n\n"+
		"replace github.com/idemgen/idemgen/idem => "+runtime+"\n")
	sums, err := os.ReadFile(filepath.Join(command.Root(t), "example/go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "go.sum", string(sums))
	write(t, folder, "api.go", file)
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod="+mode)
	out, err := build.CombinedOutput()
	if (err == nil) != (len(out) == 0) {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimPrefix(string(out), "# example.com/api\n")
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
