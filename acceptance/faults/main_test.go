package faults

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "seed of the run; 0 chooses one")
	firstFlag = flag.Int("first", 1, "round to begin with")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(runner{m}) }

// runner removes the service's program when the tests are over.
type runner struct{ tests interface{ Run() int } }

func (r runner) Run() int {
	folder, err := os.MkdirTemp("", "idemgen-faults-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	build = sync.OnceValues(func() (string, error) { return buildInto(folder) })
	return r.tests.Run()
}

// build compiles the service on the first call.
var build func() (string, error)

// buildInto compiles the service, with the race detector where the tests have it.
func buildInto(folder string) (string, error) {
	program := filepath.Join(folder, "service")
	args := append([]string{"build", "-o", program}, raceFlags()...)
	out, err := exec.CommandContext(context.Background(), "go", append(args, "./service")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the service: %w\n%s", err, out)
	}
	return program, nil
}

// service returns the path of the service's program.
func service(t *testing.T) string {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return program
}
