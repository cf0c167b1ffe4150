package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
)

// The validating middleware fills defaults into a request, and so what the
// business function receives is not the same with it and without. The fingerprint
// is, and it is that of the request with its defaults spelt out. The archive's
// tests check that inside of the generated package.
func TestMiddlewareChangesNoFingerprint(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	c := goldentest.Read(t, "testdata/middleware/things.txtar", sections...)
	root := goldenModule(t)
	dir := filepath.Join(root, "things")
	unpack(t, c.Given, dir)
	t.Chdir(dir)
	if got := generate(t); got["errors"] != "" {
		t.Fatal(got["errors"])
	}
	run := exec.CommandContext(t.Context(), "go", "test", "./things/...")
	run.Dir = root
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
