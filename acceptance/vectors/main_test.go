// Package vectors runs the generated fingerprint functions over the vectors of
// docs/fingerprint.md. All their documents are generated into one module, whose
// program decodes each request as a service does: from HTTP, by the strict server.
package vectors

import (
	"os"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

func TestMain(m *testing.M) { os.Exit(command.Main(m).Run()) }
