package resolve

import (
	"testing"

	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/oapi"
)

// The framework is read from the generated source, for each of oapi-codegen's servers.
func TestFramework(t *testing.T) {
	const text = `
openapi: 3.0.3
info: {title: One, version: '1'}
paths:
  /list: {post: {operationId: list, responses: {'204': {description: Done.}}}}
`
	for _, name := range oapi.Frameworks() {
		source, err := oapi.Run(t.Context(), load(t, text), oapi.Options{Package: "api", Framework: name})
		if err != nil {
			t.Fatal(err)
		}
		pkg := parsed(t, gopkg.Source{Path: "example.com/api", Files: map[string][]byte{"api.gen.go": source}})
		if got := Framework(pkg); got != name {
			t.Errorf("%s is taken for %q", name, got)
		}
	}
	pkg := parsed(t, gopkg.Source{Path: "example.com/api", Files: map[string][]byte{"api.gen.go": []byte("package api\n\ntype ServerInterface interface{ Get(x int) }\n")}})
	if got := Framework(pkg); got != "" {
		t.Errorf("a package without a server is taken for %q", got)
	}
}
