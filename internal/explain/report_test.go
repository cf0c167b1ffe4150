package explain

import (
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/plan"
)

// TestReports runs the cases in testdata/report. A case holds a document in
// api.yaml, a request in a.json and perhaps one in b.json. What explain prints is
// in text and json, and what is wrong with the requests in errors. All requests
// are of the operation create.
func TestReports(t *testing.T) {
	goldentest.Run(t, "testdata/report", goldentest.Sections{"text", "json", "errors"}, func(t *testing.T, c *goldentest.Case) map[string]string {
		return report(t, c.Files())
	})
}

func report(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	contract := contractOf(t, "api.yaml", []byte(files["api.yaml"]), plan.Options{})
	op, err := Find(contract, "create")
	if err != nil {
		t.Fatal(err)
	}
	var explained []*Explanation
	for _, name := range []string{"a.json", "b.json"} {
		text, ok := files[name]
		if !ok {
			continue
		}
		request, err := Read(name, []byte(text))
		if err == nil {
			var e *Explanation
			e, err = Explain(op, request)
			explained = append(explained, e)
		}
		if err != nil {
			return map[string]string{"errors": withoutFolder(err.Error()) + "\n"}
		}
	}
	r := Report{Operation: op, First: explained[0]}
	if len(explained) > 1 {
		r.Second = explained[1]
	}
	var text, asJSON strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.JSON(&asJSON); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"text": text.String(), "json": asJSON.String()}
}

// withoutFolder takes the temporary folder of the document from diagnostics.
func withoutFolder(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if _, rest, ok := strings.Cut(line, "/api.yaml:"); ok {
			lines[i] = "api.yaml:" + rest
		}
	}
	return strings.Join(lines, "\n")
}

func TestFind(t *testing.T) {
	contract := contractOf(t, "api.yaml", []byte(`openapi: 3.0.3
info: {title: t, version: "1"}
x-idempotent: {scopes: {s: {columns: [{name: a, type: uuid}]}}}
paths:
  /one: {post: {operationId: createOrder, x-idempotent: {scope: s, name: stored, fingerprint: [body.a]}, requestBody: &b {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: &r {"204": {description: d}}}}
  /two: {post: {operationId: other, x-idempotent: {scope: s, name: createOrder, fingerprint: [body.a]}, requestBody: *b, responses: *r}}
`), plan.Options{})
	for name, want := range map[string]string{"createOrder": "/one", "stored": "/one", "other": "/two"} {
		op, err := Find(contract, name)
		if err != nil || op.Path != want {
			t.Errorf("%s: %v, %v", name, op, err)
		}
	}
	for name, want := range map[string]string{
		"creatOrder": `no annotated operation is called "creatOrder"; did you mean "createOrder"?`,
		"zzz":        `no annotated operation is called "zzz"; use one of: createOrder, other, stored`,
	} {
		if _, err := Find(contract, name); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
