// Package house holds the rules of the house: who may import whom, what a module
// may depend on, what each part does not know of, and what is not written down.
package house

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// module is the path of the root module; the others' paths begin with it.
const module = "github.com/idemgen/idemgen"

// listedPackage is what go list says of a package.
type listedPackage struct {
	ImportPath   string
	Dir          string
	Standard     bool
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Module       *struct{ Path string }
}

// list runs go list, without the workspace, in a folder of the repository.
func list(t *testing.T, folder string, args ...string) []listedPackage {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(run(t, folder, append([]string{"list", "-json"}, args...)...)))
	var packages []listedPackage
	for {
		var p listedPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			if len(packages) == 0 {
				t.Fatalf("no packages in %s", folder)
			}
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// run returns what the go command prints in a folder of the repository.
func run(t *testing.T, folder string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = filepath.Join(command.Root(t), folder)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}
