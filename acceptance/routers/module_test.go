package routers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
)

// program is the service, compiled, and the SQL that its database needs.
type program struct {
	path    string
	schemas []string
}

// build generates for all frameworks into one module, and compiles what comes of it.
func build(t *testing.T) program {
	t.Helper()
	service := filepath.Join("testdata", "service")
	module := consumer.NewLike(t, "acceptance/routers", "example.com/routers", service)
	for _, f := range frameworks {
		for _, folder := range []string{"", "business"} {
			if err := os.MkdirAll(filepath.Join(module.Folder, f.name, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		fill := strings.NewReplacer("FRAMEWORK", f.name).Replace
		module.Write(f.name+".idemgen.yaml", fill(module.Read("idemgen.yaml")))
		module.Write(f.name+".sqlc.yaml", fill(module.Read("sqlc.yaml")))
		module.Write(f.name+"/business/business.go", fill(module.Read("business.go")))
		module.Write(f.name+"/serve.go", module.Read("wiring/"+f.name+".go"))
		module.MustGenerate("-c", f.name+".idemgen.yaml")
	}
	for _, source := range []string{"wiring", "business.go"} { // they are where they belong
		if err := os.RemoveAll(filepath.Join(module.Folder, source)); err != nil {
			t.Fatal(err)
		}
	}
	return program{path: module.Build(), schemas: []string{module.Read("schema.sql"), module.Read("business.sql")}}
}
