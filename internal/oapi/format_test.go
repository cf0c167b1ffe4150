package oapi

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	goimports "golang.org/x/tools/imports"
)

// What is made of oapi-codegen's source is what goimports makes of the whole, which
// is what oapi-codegen does by itself.
func TestFormatted(t *testing.T) {
	documents := []string{filepath.Join("..", "..", "openapi", "orders.yaml")}
	if dir := os.Getenv("IDEMGEN_CORPUS"); dir != "" {
		for _, pattern := range []string{"*.yaml", "*.json"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, found...)
		}
	}
	frameworks := []string{"std-http", "chi", "echo", "gin", "fiber", "iris"}
	for i, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for j, framework := range frameworks {
			if i > 0 && j > 0 && j != 1+i%5 {
				continue // the first document has all frameworks, the others one beside std-http
			}
			t.Run(filepath.Base(document)+" "+framework, func(t *testing.T) { checkFormatted(t, framework, text) })
		}
	}
}

func TestFormattedWithImportsOfTheUser(t *testing.T) {
	const head = `openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Thing:
      type: object
      properties:
`
	for name, property := range map[string]string{
		"imported":       `{type: string, x-go-type: money.Amount, x-go-type-import: {path: example.com/money}}`,
		"under a name":   `{type: string, x-go-type: m.Amount, x-go-type-import: {path: example.com/money, name: m}}`,
		"never imported": `{type: string, x-go-type: big.Float}`,
		"of a local":     `{type: string, x-go-name: Path, description: "a ` + "`" + `path.Join` + "`" + `"}`,
	} {
		t.Run(name, func(t *testing.T) { checkFormatted(t, "std-http", []byte(head+"        a: "+property+"\n")) })
	}
}

func checkFormatted(t *testing.T, framework string, document []byte) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	settings := &Settings{}
	settings.configuration.OutputOptions.SkipFmt = true
	source, err := generate(doc, Options{Package: "api", Framework: framework, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	checkShortWay(t, []byte(source))
	want, err := goimports.Process("api.go", []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := formatted("api.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-goimports +ours\n%s", diff)
	}
}

// checkShortWay demands that goimports is not given the whole file.
func checkShortWay(t *testing.T, source []byte) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "api.go", source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	end, ok := endOfImports(fset, file)
	if !ok {
		t.Fatal("there is not one import declaration")
	}
	if _, ok := fixedHead("api.go", source, end); !ok {
		t.Error("the imports cannot be fixed")
	}
}
