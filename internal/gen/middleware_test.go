package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// The validating middleware fills defaults into a request, and so what the
// business function receives is not the same with it and without. The fingerprint
// is, and it is that of the request with its defaults spelt out. The archive's
// tests check that inside of the generated package.
func TestMiddlewareChangesNoFingerprint(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	archive, err := txtar.ParseFile("testdata/middleware/things.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := goldenModule(t)
	dir := filepath.Join(root, "things")
	unpack(t, archive, dir)
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
