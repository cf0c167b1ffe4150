package gen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/oapi"
)

// The configuration knows those frameworks that oapi-codegen has a server for, and
// each has a golden case of its own.
func TestEveryFrameworkIsKnown(t *testing.T) {
	golden, err := filepath.Abs("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(goldenModule(t), "frameworks")
	unpack(t, &txtar.Archive{Files: []txtar.File{{Name: "api.yaml", Data: []byte(smallest)}}}, dir)
	t.Chdir(dir)
	for _, name := range oapi.Frameworks() {
		text := strings.Replace(defaultConfig, "out: api}", "out: api, framework: "+name+"}", 1)
		if err := os.WriteFile("idemgen.yaml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load("idemgen.yaml"); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(golden, "framework-"+name+".txtar")); err != nil && name != "std-http" {
			t.Error(err)
		}
	}
}
