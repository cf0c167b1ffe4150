package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/acceptance/internal/corpus"
)

// program is the service, compiled, and the SQL that its database needs.
type program struct {
	path    string
	schemas []string
}

// build generates for all descriptions into one module, and compiles what comes of it.
func build(t *testing.T) program {
	t.Helper()
	folder := corpus.Folder(t)
	module := consumer.New(t, "example.com/corpus", filepath.Join("testdata", "service"))
	built := program{schemas: []string{module.Read("business.sql")}}
	for _, d := range descriptions {
		module.Write(d.file, read(t, filepath.Join(folder, d.file)))
		module.Write(d.file+".overlay.yaml", read(t, filepath.Join("testdata", d.file+".overlay.yaml")))
		fill := strings.NewReplacer("DESCRIPTION", d.file, "PACKAGE", d.pkg).Replace
		module.Write(d.pkg+".idemgen.yaml", fill(module.Read("idemgen.yaml")))
		module.Write(d.pkg+".sqlc.yaml", fill(module.Read("sqlc.yaml")))
		module.Write(d.pkg+".go", render(t, module.Read("api.go.tmpl"), d))
		module.MustGenerate("-c", d.pkg+".idemgen.yaml")
		built.schemas = append(built.schemas, module.Read(d.pkg+"/schema.sql"))
	}
	built.path = module.Build()
	return built
}

// render prints the business side of a description.
func render(t *testing.T, text string, d description) string {
	t.Helper()
	var names []string
	for _, o := range d.operations {
		names = append(names, o.name)
	}
	var out strings.Builder
	err := template.Must(template.New("").Parse(text)).Execute(&out, map[string]any{"Package": d.pkg, "Operations": names})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
