package vectors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// document is one document of docs/fingerprint-vectors.json.
type document struct {
	Name       string                                     `json:"name"`
	OpenAPI    string                                     `json:"openapi"`
	Nullable   bool                                       `json:"nullableType"`
	Paths      map[string]map[string]operation            `json:"paths"`
	Components map[string]map[string]map[string]any       `json:"components"`
	Vectors    []vector                                   `json:"vectors"`
	Raw        struct{ Paths map[string]json.RawMessage } `json:"-"`
}

// operation is what must be known of an operation to call it.
type operation struct {
	ID         string      `json:"operationId"`
	Parameters []parameter `json:"parameters"`
	Idempotent annotation  `json:"x-idempotent"`
}

type parameter struct {
	Name    string         `json:"name"`
	In      string         `json:"in"`
	Explode *bool          `json:"explode"`
	Schema  map[string]any `json:"schema"`
}

type annotation struct {
	Fingerprint json.RawMessage `json:"fingerprint"`
}

// version returns the version of the fingerprint, which a bare list does not state.
func (a annotation) version() int {
	var stated struct{ Version int }
	if json.Unmarshal(a.Fingerprint, &stated) != nil || stated.Version == 0 {
		return 1
	}
	return stated.Version
}

type vector struct {
	Name        string          `json:"name"`
	Operation   string          `json:"operation"`
	Request     json.RawMessage `json:"request"`
	Refused     bool            `json:"refused"`
	Fingerprint string          `json:"fingerprint"`
}

// readDocuments reads the vectors.
func readDocuments(t *testing.T) []document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(command.Root(t), "docs", "fingerprint-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Documents []document }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var raw struct {
		Documents []struct{ Paths map[string]json.RawMessage }
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	for i := range file.Documents {
		file.Documents[i].Raw.Paths = raw.Documents[i].Paths
	}
	return file.Documents
}
