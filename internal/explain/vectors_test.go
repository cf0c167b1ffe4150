package explain

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

const vectorsFile = "../../docs/fingerprint-vectors.json"

// vectors is docs/fingerprint-vectors.json.
type vectors struct {
	About     string            `json:"about"`
	Documents []vectorsDocument `json:"documents"`
}

type vectorsDocument struct {
	Name       string          `json:"name"`
	OpenAPI    string          `json:"openapi"`
	Nullable   bool            `json:"nullableType,omitempty"`
	Paths      json.RawMessage `json:"paths"`
	Components json.RawMessage `json:"components,omitempty"`
	Vectors    []*vector       `json:"vectors"`
}

type vector struct {
	Name        string          `json:"name"`
	Rules       []string        `json:"rules"`
	Operation   string          `json:"operation"`
	Request     json.RawMessage `json:"request"`
	Same        string          `json:"same,omitempty"`
	Differs     string          `json:"differs,omitempty"`
	Refused     bool            `json:"refused,omitempty"`
	Canonical   []vectorField   `json:"canonical,omitempty"`
	Encoding    string          `json:"encoding,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
}

type vectorField struct {
	Path  string `json:"path"`
	Type  string `json:"type"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

// TestVectors computes every vector anew. Run it with -update after a change of
// the documents or requests, and look at what has changed.
func TestVectors(t *testing.T) {
	file := readVectors(t)
	for _, document := range file.Documents {
		t.Run(document.Name, func(t *testing.T) {
			contract := document.contract(t)
			seen := map[string]*vector{}
			for _, v := range document.Vectors {
				got := v.explained(t, contract)
				if goldentest.Updating() {
					v.Canonical, v.Encoding, v.Fingerprint = got.Canonical, got.Encoding, got.Fingerprint
				}
				if diff := cmp.Diff(v, got); diff != "" {
					t.Errorf("%s: -want +got\n%s", v.Name, diff)
				}
				if v.Same != "" && (seen[v.Same] == nil || seen[v.Same].Encoding != got.Encoding) {
					t.Errorf("%s is not the same as %s", v.Name, v.Same)
				}
				if v.Differs != "" && (seen[v.Differs] == nil || seen[v.Differs].Fingerprint == got.Fingerprint) {
					t.Errorf("%s does not differ from %s", v.Name, v.Differs)
				}
				if seen[v.Name] != nil {
					t.Errorf("two vectors are called %q", v.Name)
				}
				seen[v.Name] = v
			}
		})
	}
	if goldentest.Updating() {
		writeVectors(t, file)
	}
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var file vectors
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	return file
}

// writeVectors writes the file with a line for each declared value.
func writeVectors(t *testing.T, file vectors) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n \"about\": %s,\n \"documents\": [\n", compact(t, file.About))
	for i, d := range file.Documents {
		fmt.Fprintf(&b, "  {\n   \"name\": %s,\n   \"openapi\": %s,\n", compact(t, d.Name), compact(t, d.OpenAPI))
		if d.Nullable {
			b.WriteString("   \"nullableType\": true,\n")
		}
		fmt.Fprintf(&b, "   \"paths\": %s,\n", indented(t, d.Paths))
		if d.Components != nil {
			fmt.Fprintf(&b, "   \"components\": %s,\n", indented(t, d.Components))
		}
		b.WriteString("   \"vectors\": [\n")
		for k, v := range d.Vectors {
			writeVector(t, &b, v)
			b.WriteString(separator(k, len(d.Vectors)))
		}
		b.WriteString("   ]\n  }" + separator(i, len(file.Documents)))
	}
	b.WriteString(" ]\n}\n")
	if err := os.WriteFile(vectorsFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeVector(t *testing.T, b *bytes.Buffer, v *vector) {
	t.Helper()
	fmt.Fprintf(b, "    {\n     \"name\": %s,\n     \"rules\": %s,\n     \"operation\": %s,\n     \"request\": %s",
		compact(t, v.Name), compact(t, v.Rules), compact(t, v.Operation), compact(t, v.Request))
	for _, other := range []struct{ key, name string }{{"same", v.Same}, {"differs", v.Differs}} {
		if other.name != "" {
			fmt.Fprintf(b, ",\n     %q: %s", other.key, compact(t, other.name))
		}
	}
	if v.Refused {
		b.WriteString(",\n     \"refused\": true\n    }")
		return
	}
	b.WriteString(",\n     \"canonical\": [\n")
	for i, field := range v.Canonical {
		b.WriteString("      " + compact(t, field) + separator(i, len(v.Canonical)))
	}
	fmt.Fprintf(b, "     ],\n     \"encoding\": %q,\n     \"fingerprint\": %q\n    }", v.Encoding, v.Fingerprint)
}

func separator(i, n int) string {
	if i == n-1 {
		return "\n"
	}
	return ",\n"
}

func compact(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func indented(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "   ", " "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contract plans the document, completed to one that can be read.
func (d *vectorsDocument) contract(t testing.TB) *model.Contract {
	t.Helper()
	whole, err := json.Marshal(map[string]any{
		"openapi":      d.OpenAPI,
		"info":         map[string]string{"title": d.Name, "version": "1"},
		"x-idempotent": json.RawMessage(`{"scopes": {"tenant": {"columns": [{"name": "tenant_id", "type": "uuid"}]}}}`),
		"paths":        d.Paths,
		"components":   orEmpty(d.Components),
	})
	if err != nil {
		t.Fatal(err)
	}
	return contractOf(t, "api.json", whole, plan.Options{NullableType: d.Nullable})
}

func orEmpty(object json.RawMessage) json.RawMessage {
	if object == nil {
		return json.RawMessage("{}")
	}
	return object
}

// contractOf plans a document.
func contractOf(t testing.TB, name string, document []byte, options plan.Options) *model.Contract {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	doc, list := spec.Load(path, "")
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	contract, list := plan.Contract(doc, options)
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return contract
}

// explained returns the vector with what explain makes of its request.
func (v *vector) explained(t *testing.T, contract *model.Contract) *vector {
	t.Helper()
	got := *v
	got.Canonical, got.Encoding, got.Fingerprint = nil, "", ""
	e, err := explained(contract, v.Operation, v.Request)
	got.Refused = err != nil
	if err != nil {
		var list diag.List
		if !errors.As(err, &list) {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if !v.Refused {
			t.Errorf("%s: %v", v.Name, err)
		}
		return &got
	}
	for _, field := range e.Fields {
		got.Canonical = append(got.Canonical, vectorField(field))
	}
	got.Encoding = hex.EncodeToString(e.Encoding)
	got.Fingerprint = hex.EncodeToString(e.Fingerprint[:])
	return &got
}

func explained(contract *model.Contract, operation string, request []byte) (*Explanation, error) {
	op, err := Find(contract, operation)
	if err != nil {
		return nil, err
	}
	r, err := Read("request.json", request)
	if err != nil {
		return nil, err
	}
	return Explain(op, r)
}
