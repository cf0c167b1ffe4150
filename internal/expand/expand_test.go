package expand_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/expand"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

// document is a document that was read and planned.
type document struct {
	source     expand.Source
	operations []*model.Operation
}

func load(t *testing.T, file, overlay string) document {
	t.Helper()
	doc, problems := spec.Load(file, overlay)
	if problems.HasErrors() {
		t.Fatalf("%s:\n%v", file, problems)
	}
	contract, problems := plan.Contract(doc, plan.Options{})
	if problems.HasErrors() {
		t.Fatalf("%s:\n%v", file, problems)
	}
	return document{expand.Source{Document: doc, Text: read(t, file)}, contract.Operations}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// published expands a document and checks what must hold for every document.
func published(t *testing.T, d document) []byte {
	t.Helper()
	result, err := expand.Published(d.source, d.operations)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Commented {
		t.Error("the comments are left out")
	}
	again := load(t, beside(t, d, result.Text), "")
	checkValid(t, d.source.Document, again.source.Document)
	checkSchema(t, d.source.Document, again.source.Document)
	checkOthers(t, d.source.Document, again.source.Document)
	checkStated(t, again)
	twice, err := expand.Published(again.source, again.operations)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(result.Text), string(twice.Text)); diff != "" {
		t.Errorf("expanded again (-once +twice):\n%s", diff)
	}
	return result.Text
}

// comment matches a YAML comment on a line of its own.
var comment = regexp.MustCompile(`(?m)^ *(#.*)$`)

// checkComments checks that each comment of the original is present as often as
// before, and before the same line, ignoring the line's quotation marks.
func checkComments(t *testing.T, original, result []byte) {
	t.Helper()
	after := commented(result)
	for text, n := range commented(original) {
		if after[text] < n {
			t.Errorf("a comment is gone, or stands elsewhere:\n%s", text)
		}
	}
}

// commented counts the comments of a text, each with the line that follows.
func commented(text []byte) map[string]int {
	counts := map[string]int{}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if m := comment.FindStringSubmatch(line); m != nil {
			next := ""
			if i+1 < len(lines) {
				next = strings.Trim(strings.NewReplacer(`"`, "", "'", "").Replace(lines[i+1]), " \r")
			}
			counts[m[1]+"\n"+next]++
		}
	}
	return counts
}

// beside writes a result to the folder of the original, so that its references are
// resolved, or to a new folder if the original is not in the test's folder.
func beside(t *testing.T, d document, text []byte) string {
	t.Helper()
	original := d.source.Document.Path
	name := filepath.Join(filepath.Dir(original), "expanded"+filepath.Ext(original))
	if filepath.IsAbs(original) {
		name = filepath.Join(t.TempDir(), filepath.Base(original))
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// checkValid validates a document with kin-openapi: it must not have problems that the
// original did not have.
func checkValid(t *testing.T, original, result *spec.Document) {
	t.Helper()
	known := invalidities(original)
	for _, message := range invalidities(result) {
		if !slices.Contains(known, message) {
			t.Errorf("not valid: %s", message)
		}
	}
}

func invalidities(doc *spec.Document) []string {
	err := doc.OpenAPI.Validate(context.Background(), openapi3.EnableMultiError())
	var all openapi3.MultiError
	if !errors.As(err, &all) {
		all = openapi3.MultiError{err}
	}
	var messages []string
	for _, err := range all {
		if err != nil {
			messages = append(messages, err.Error())
		}
	}
	return messages
}

// checkOthers checks that operations without an annotation, and components, have not
// changed.
func checkOthers(t *testing.T, before, after *spec.Document) {
	t.Helper()
	for i, op := range before.Operations {
		if op.Annotation != nil {
			continue
		}
		now := after.Operations[i]
		if diff := cmp.Diff(asJSON(t, op.OpenAPI), asJSON(t, now.OpenAPI)); diff != "" {
			t.Errorf("%s %s has changed (-before +after):\n%s", op.Method, op.Path, diff)
		}
	}
	components := before.Tree().Get("components")
	if components == nil {
		return
	}
	for _, collection := range components.Members {
		for _, was := range collection.Value.Members {
			now := after.Tree().Get("components").Get(collection.Name).Get(was.Name)
			if collection.Name != "pathItems" && (now == nil || !now.Equal(was.Value)) {
				t.Errorf("component %s %s has changed", collection.Name, was.Name)
			}
		}
	}
}

// checkStated checks that kin-openapi finds the key and the problems in a published
// document.
func checkStated(t *testing.T, d document) {
	t.Helper()
	for _, operation := range d.operations {
		item := d.source.Document.OpenAPI.Paths.Value(operation.Path)
		op := item.GetOperation(operation.Method)
		name := operation.Method + " " + operation.Path
		key := headerParameter(op.Parameters, operation.Key.Name)
		if key == nil {
			key = headerParameter(item.Parameters, operation.Key.Name)
		}
		if key == nil || key.Required != operation.Key.Required || key.Schema == nil {
			t.Errorf("%s does not state its key", name)
		}
		for _, status := range []int{400, operation.Mismatch, operation.InFlight, operation.Expired, 413, 503} {
			response := op.Responses.Status(status)
			if response == nil || !hasProblem(response.Value.Content) {
				t.Errorf("%s does not state its problem %d", name, status)
			}
		}
		for _, status := range []int{operation.InFlight, 503} {
			if response := op.Responses.Status(status); response != nil && response.Value.Headers["Retry-After"] == nil {
				t.Errorf("%s does not state Retry-After of %d", name, status)
			}
		}
	}
}

func hasProblem(content openapi3.Content) bool {
	for name := range content {
		if strings.HasPrefix(name, "application/problem+json") {
			return true
		}
	}
	return false
}

func headerParameter(parameters openapi3.Parameters, name string) *openapi3.Parameter {
	for _, p := range parameters {
		if p.Value.In == "header" && strings.EqualFold(p.Value.Name, name) {
			return p.Value
		}
	}
	return nil
}

// bound writes the bound document and compares it with the result of binding the
// original with oapi.
func bound(t *testing.T, d document) []byte {
	t.Helper()
	before, want := fresh(t, d), fresh(t, d)
	if err := oapi.Bind(want, d.operations); err != nil {
		t.Fatal(err)
	}
	result, err := expand.Bound(d.source, before, want)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Commented {
		t.Error("the comments are left out")
	}
	again, problems := spec.Load(beside(t, d, result.Text), "")
	if again == nil {
		t.Fatal(problems)
	}
	checkValid(t, d.source.Document, again)
	checkSchema(t, d.source.Document, again)
	if diff := cmp.Diff(withoutMark(t, want), withoutMark(t, again.OpenAPI)); diff != "" {
		t.Errorf("the bound document (-oapi +expand):\n%s", diff)
	}
	return result.Text
}

func fresh(t *testing.T, d document) *openapi3.T {
	t.Helper()
	doc, err := d.source.Document.Fresh()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func withoutMark(t *testing.T, doc *openapi3.T) any {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(asJSON(t, doc)), &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "x-generated")
	return tree
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExample expands the example's document, whose comments must all be kept.
func TestExample(t *testing.T) {
	file, err := filepath.Abs(filepath.Join("..", "..", "openapi", "orders.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d := load(t, file, "")
	checkComments(t, d.source.Text, published(t, d))
	checkComments(t, d.source.Text, bound(t, d))
}

// An optional key is never missing.
func TestOptionalKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "api.yaml")
	const text = `openapi: 3.0.3
info: {title: t, version: '1'}
x-idempotent: {scopes: {account: {columns: [{name: tenant_id, type: uuid}]}}}
paths:
  /a:
    post:
      operationId: a
      x-idempotent: {scope: account, fingerprint: []}
      responses: {'204': {description: Done.}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := load(t, file, "")
	d.operations[0].Key.Required = false
	result, err := expand.Published(d.source, d.operations)
	if err != nil {
		t.Fatal(err)
	}
	for _, unwanted := range []string{"required: true", "idempotency_key_missing"} {
		if strings.Contains(string(result.Text), unwanted) {
			t.Errorf("%s in\n%s", unwanted, result.Text)
		}
	}
	if !strings.Contains(string(result.Text), "- idempotency_key_invalid\n") {
		t.Errorf("the malformed key is missing in\n%s", result.Text)
	}
}

func TestOperationsOfAnotherDocument(t *testing.T) {
	file, err := filepath.Abs(filepath.Join("..", "..", "openapi", "orders.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = expand.Published(load(t, file, "").source, []*model.Operation{{Method: "POST", Path: "/nowhere"}})
	if err == nil || err.Error() != "expand: the document has no operation POST /nowhere" {
		t.Errorf("got %v", err)
	}
}
