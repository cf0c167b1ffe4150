package faults

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "seed of the run; 0 chooses one")
	firstFlag = flag.Int("first", 1, "round to begin with")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(runner{m})) }

// runner removes the service's module when the tests are over.
type runner struct{ tests interface{ Run() int } }

func (r runner) Run() int {
	folder, err := os.MkdirTemp("", "idemgen-faults-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	shared.folder = folder
	return r.tests.Run()
}
