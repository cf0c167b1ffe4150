package resolve

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
)

func load(t testing.TB, text string) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// parseSettings reads options of oapi-codegen as a configuration has them.
func parseSettings(t testing.TB, text string) *oapi.Settings {
	t.Helper()
	var node *yaml.Node
	if text != "" {
		var parsed yaml.Node
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatal(err)
		}
		node = parsed.Content[0]
	}
	settings, problems := oapi.ParseSettings(node, oapi.SettingsFile{Display: "idemgen.yaml", Framework: "std-http"})
	if len(problems) > 0 {
		t.Fatal(problems.Error())
	}
	return settings
}

// generated binds the document and returns what oapi-codegen makes of it.
func generated(t testing.TB, doc *openapi3.T, settings *oapi.Settings, operations ...*model.Operation) *gopkg.Package {
	t.Helper()
	if err := oapi.BindFor(doc, operations, settings); err != nil {
		t.Fatal(err)
	}
	source, err := oapi.Run(t.Context(), doc, oapi.Options{Package: "api", File: "api.yaml", Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, gopkg.Source{Path: "example.com/api", Files: map[string][]byte{"api.gen.go": source}})
}

func parsed(t testing.TB, source gopkg.Source) *gopkg.Package {
	t.Helper()
	pkg, err := gopkg.Load(source)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// annotated is an operation that declares nothing.
func annotated(method, path, id string) *model.Operation {
	return &model.Operation{
		Method: method, Path: path, ID: id, Name: id,
		Scope:       &model.Scope{Name: "account"},
		Key:         model.Key{Name: "Idempotency-Key", Pos: at(4)},
		Fingerprint: model.Fingerprint{Version: 1},
		Pos:         at(3),
	}
}
