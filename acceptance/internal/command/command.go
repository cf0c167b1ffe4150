// Package command gives acceptance tests the command idemgen, built from this
// repository as go install builds it.
//
// TestMain must hand its tests to [Main], which removes the program at the end:
//
//	func TestMain(m *testing.M) { os.Exit(command.Main(m).Run()) }
package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Runner is what [testing.M] and those who wrap it have in common.
type Runner interface{ Run() int }

// build builds the program on the first call. Main sets it.
var build func() (string, error) //nolint:gochecknoglobals // all tests of a process share the program

// Main wraps tests, which may call [Idemgen].
func Main(tests Runner) Runner { return runner{tests} }

type runner struct{ tests Runner }

func (r runner) Run() int {
	folder, err := os.MkdirTemp("", "idemgen-acceptance-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "command:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := os.Chmod(folder, 0o755); err != nil { // a test may run it as another user
		fmt.Fprintln(os.Stderr, "command:", err)
		return 1
	}
	build = sync.OnceValues(func() (string, error) { return buildInto(folder) })
	return r.tests.Run()
}

// Idemgen returns the path of the command. The tests of a process share it.
func Idemgen(t testing.TB) string {
	t.Helper()
	if build == nil {
		t.Fatal("TestMain must run its tests by command.Main, which removes the program")
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// Root returns the folder of the repository. A test runs in the folder of its
// package, which must be acceptance/NAME.
func Root(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

const root = "../.."

func buildInto(folder string) (string, error) {
	program := filepath.Join(folder, "idemgen")
	// Without the workspace: that is what a user gets.
	cmd := exec.CommandContext(context.Background(), "go", "build", "-o", program, "./cmd/idemgen")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build idemgen: %w\n%s", err, out)
	}
	return program, nil
}
