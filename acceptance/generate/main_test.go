// Package generate tests the command idemgen from outside: that its output
// depends on nothing but its input, and that it writes all files or none.
package generate

import (
	"os"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

func TestMain(m *testing.M) { os.Exit(command.Main(m).Run()) }
