package spec_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/spec"
)

// The annotation begins in column 21 of line 8, and a root's in 15 of line 3.
const (
	operationTemplate = `openapi: 3.0.3
info: {title: t, version: '1'}

paths:
  /a:
    post:
      operationId: a
      x-idempotent: VALUE
      responses: {'200': {description: ok}}
`
	rootTemplate = `openapi: 3.0.3
info: {title: t, version: '1'}
x-idempotent: VALUE
paths: {}
`
)

// annotationCase is an annotation and the problems that are expected in it. A problem
// is "column: message"; line and file are always the same.
type annotationCase struct{ value, want string }

func operationCases() []annotationCase {
	return []annotationCase{
		{"{}", ""},
		{"{scope: account, fingerprint: [body.a]}", ""},
		{"{scpoe: a}", `22: unknown key "scpoe" in x-idempotent; did you mean "scope"?`},
		{"{scopes: {}}", `22: unknown key "scopes" in x-idempotent; did you mean "scope"?`},
		{"{ttl: 3h}", `22: unknown key "ttl" in x-idempotent; use one of: final, fingerprint, inFlight, key, maxBody, mode, name, replay, scope, status, strict`},
		{"{scope: 3}", "29: scope is an integer, not a string; quote it: '3'"},
		{"{scope: true}", "29: scope is a boolean, not a string; quote it: 'true'"},
		{"{scope: [a]}", "29: scope is a list, not a string; write a value, in quotes if necessary"},
		{"{scope: }", "29: scope is empty; it must be a string; write a value, in quotes if necessary"},
		{"{scope: ''}", "29: scope is empty; write a value"},
		{"{name: 1.5}", "28: name is a number, not a string; quote it: '1.5'"},

		{"{fingerprint: []}", ""},
		{"{fingerprint: body.a}", "35: fingerprint is a string, not a list of fields; write [body.a], or a mapping with fields and ignore"},
		{"{fingerprint: [a.b]}", `36: field "a.b": "a" is not a part of a request; begin it with path., query., header., cookie. or body`},
		{"{fingerprint: ['body.a b']}", `43: field "body.a b": ' ' is not allowed here; write ["name"] for a name with such characters`},
		{`{fingerprint: ["body[\"a\"].b c"]}`, `50: field "body[\"a\"].b c": ' ' is not allowed here; write ["name"] for a name with such characters`},
		{`{fingerprint: ['body[''a'']']}`, `42: field "body['a']": '\'' is not allowed here; write ["name"] for a name, or [] for every element`},
		{"{fingerprint: [7]}", "36: field is an integer, not a field path; write a path such as body.currency"},
		{"{fingerprint: [{order: ignored}]}", "36: this entry has no field; write {field: body.items, order: ignored}"},
		{"{fingerprint: [{feld: body.a}]}", `37: unknown key "feld" in a field; did you mean "field"?` + "\n36: this entry has no field; write {field: body.items, order: ignored}"},
		{"{fingerprint: [{field: body.a, order: ignored, normalize: [trim]}]}", ""},
		{"{fingerprint: [{field: body.a, normalize: decimal}]}", ""},
		{"{fingerprint: [{field: body.a, normalize: {a: b}}]}", "63: a normalisation is a mapping, not a string; write a value, in quotes if necessary"},
		{"{fingerprint: [{field: body.a, order: [ignored]}]}", "59: order is a list, not a string; write a value, in quotes if necessary"},
		{"{fingerprint: {version: 2, fields: [body], ignore: [body.a]}}", ""},
		{"{fingerprint: {version: '2'}}", "45: version is a string, not an integer; write 2 without quotation marks and without a fraction"},
		{"{fingerprint: {version: -1}}", "45: version is out of range: -1; write an integer from 0 to 9223372036854775807"},
		{"{fingerprint: {version: 3, since: 2026-12-01, retired: [1, 2], fields: []}}", ""},
		{"{fingerprint: {since: '2026-12-01', retired: []}}", ""},
		{"{fingerprint: {since: 2026-12}}", `43: since: "2026-12" is not a date; write a date such as 2026-12-01`},
		{"{fingerprint: {since: 2026-02-30}}", `43: since: "2026-02-30" is not a date; write a date such as 2026-12-01`},
		{"{fingerprint: {since: 2026-12-01T00:00:00Z}}", `43: since: "2026-12-01T00:00:00Z" is not a date; write a date such as 2026-12-01`},
		{"{fingerprint: {since: 20261201}}", "43: since is an integer, not a date; write a date such as 2026-12-01"},
		{"{fingerprint: {since: [2026-12-01]}}", "43: since is a list, not a date; write a date such as 2026-12-01"},
		{"{fingerprint: {retired: 1}}", "45: retired is an integer, not a list; write [1]"},
		{"{fingerprint: {retired: ['1']}}", "46: a retired version is a string, not an integer; write 1 without quotation marks and without a fraction"},
		{"{fingerprint: {retired: [-1]}}", "46: a retired version is out of range: -1; write an integer from 0 to 9223372036854775807"},
		{"{fingerprint: {field: [body]}}", `36: unknown key "field" in fingerprint; did you mean "fields"?`},
		{"{fingerprint: {fields: body}}", "44: fields is a string, not a list; write [body]"},
		{"{fingerprint: {ignore: [{field: body}]}}", "45: ignored field is a mapping, not a field path; write a path such as body.currency"},

		{"{key: {in: header, name: K, required: true, minLength: 1, maxLength: 9, pattern: a, format: uuid}}", ""},
		{"{key: Idempotency-Key}", "27: key is a string, not a mapping; write key: value lines, such as in: ..."},
		{"{key: {nam: K}}", `28: unknown key "nam" in key; did you mean "name"?`},
		{"{key: {required: 'true'}}", "38: required is a string, not a boolean; write true or false"},
		{"{key: {required: yes}}", "38: required is a string, not a boolean; write true or false"},
		{"{key: {maxLength: 9.5}}", "39: maxLength is a number, not an integer; write 9.5 without quotation marks and without a fraction"},
		{"{key: {maxLength: 1e400}}", "39: maxLength is out of range: 1e400; write an integer from 0 to 9223372036854775807"},
		{"{key: {maxLength: 99999999999999999999}}", "39: maxLength is out of range: 99999999999999999999; write an integer from 0 to 9223372036854775807"},

		{"{final: [2XX, 402, '4XX']}", ""},
		{"{final: 2XX}", "29: final is a string, not a list; write [2XX]"},
		{"{final: [2xx]}", `30: final: "2xx" is not a status; write 2XX`},
		{"{final: [200-299]}", `30: final: "200-299" is not a status; write 2XX`},
		{"{final: [5*]}", `30: final: "5*" is not a status; write 5XX`},
		{"{final: [200-499]}", `30: final: "200-499" is not a status; write a status such as 402 or a class such as 2XX`},
		{"{final: [602]}", `30: final: "602" is not a status; write a status such as 402 or a class such as 2XX`},
		{"{final: [default]}", `30: final: "default" is not a status; write a status such as 402 or a class such as 2XX`},
		{"{final: [[200]]}", "30: final is a list, not a status; write a status such as 402 or a class such as 2XX"},

		{"{replay: {window: 72h, headers: []}}", ""},
		{"{replay: {window: 1h30m}}", ""},
		{"{replay: 72h}", "30: replay is a string, not a mapping; write key: value lines, such as window: ..."},
		{"{replay: {windw: 72h}}", `31: unknown key "windw" in replay; did you mean "window"?`},
		{"{replay: {window: 72}}", `39: window: "72" has no unit; write 72s for seconds, or use m or h`},
		{"{replay: {window: 3d}}", `39: window: "3d" is not a duration: days and longer differ in length; write hours, such as 72h`},
		{"{replay: {window: 3 days}}", `39: window: "3 days" is not a duration: days and longer differ in length; write hours, such as 72h`},
		{"{replay: {window: -1h}}", `39: window: "-1h" is negative; write a duration such as 72h or 30s`},
		{"{replay: {window: soon}}", `39: window: "soon" is not a duration; write a number with h, m, s or ms, such as 72h, 30s or 1h30m`},
		{"{replay: {window: 1us}}", `39: window: "1us" is not a duration; write a number with h, m, s or ms, such as 72h, 30s or 1h30m`},
		{"{replay: {window: [72h]}}", "39: window is a list, not a duration; write a number with h, m, s or ms, such as 72h"},
		{"{replay: {window: 9999999999h}}", `39: window: "9999999999h" is too long; write at most 2562047h`},
		{"{replay: {headers: Location}}", "40: headers is a string, not a list; write [Location]"},
		{"{replay: {headers: [1]}}", "41: a header name is an integer, not a string; quote it: '1'"},

		{"{inFlight: {wait: 3s, retryAfter: 0s}}", ""},
		{"{inFlight: {wait: 3}}", `39: wait: "3" has no unit; write 3s for seconds, or use m or h`},
		{"{inFlight: {retry: 3s}}", `33: unknown key "retry" in inFlight; use one of: retryAfter, wait`},

		{"{status: {mismatch: 422, inFlight: 409, expired: 410}}", ""},
		{"{status: {mismatch: '422'}}", "41: mismatch is a string, not an integer; write 422 without quotation marks and without a fraction"},
		{"{status: {conflict: 409}}", `31: unknown key "conflict" in status; use one of: expired, inFlight, mismatch`},

		{"{maxBody: 1MiB}", ""},
		{"{maxBody: 64KiB}", ""},
		{"{maxBody: 1000}", ""},
		{"{maxBody: 0}", ""},
		{"{maxBody: 1MB}", `31: maxBody: "1MB" has an unknown unit "MB"; write 1MiB, or the number of bytes`},
		{"{maxBody: 1k}", `31: maxBody: "1k" has an unknown unit "k"; write 1KiB, or the number of bytes`},
		{"{maxBody: 1000 bytes}", `31: maxBody: "1000 bytes" has an unknown unit "bytes"; write 1000`},
		{"{maxBody: 1 furlong}", `31: maxBody: "1 furlong" has an unknown unit "furlong"; write a number of bytes such as 1MiB, 64KiB or 1000`},
		{"{maxBody: -1}", `31: maxBody: "-1" is not a size; write a number of bytes such as 1MiB, 64KiB or 1000`},
		{"{maxBody: 1.5MiB}", `31: maxBody: "1.5MiB" is not a size; write a number of bytes such as 1MiB, 64KiB or 1000`},
		{"{maxBody: 9999999999GiB}", `31: maxBody: "9999999999GiB" is too large; write a number of bytes such as 1MiB, 64KiB or 1000`},
		{"{maxBody: true}", "31: maxBody is a boolean, not a size; write a number of bytes such as 1MiB"},

		{"{mode: lease}", ""},
		{"{mode: 1}", "28: mode is an integer, not a string; quote it: '1'"},
		{"{strict: true}", ""},
		{"{strict: 1}", "30: strict is an integer, not a boolean; write true or false"},

		{"true", "21: x-idempotent is a boolean, not a mapping with scope and fingerprint; write x-idempotent: {scope: ..., fingerprint: [...]}, in an overlay if you cannot change the document"},
		{"{scope: a, scope: b}", `32: key "scope" is already set at line 8; remove one of the two`},
		{"{$ref: '#/x'}", `22: unknown key "$ref" in x-idempotent; use one of: final, fingerprint, inFlight, key, maxBody, mode, name, replay, scope, status, strict`},
	}
}

func rootCases() []annotationCase {
	return []annotationCase{
		{"{}", ""},
		{"{scopes: {}, defaults: {}}", ""},
		{"{scope: a}", `16: unknown key "scope" in the root's x-idempotent; did you mean "scopes"?`},
		{"{scopes: [a]}", "24: scopes is a list, not a mapping from names to scopes; write {caller: {columns: [{name: tenant_id, type: uuid}]}}"},
		{"{scopes: {a: uuid}}", `28: scope "a" is a string, not a mapping; write key: value lines, such as columns: ...`},
		{"{scopes: {a: {columns: [{name: a, type: uuid, maxLength: 3, from: path.a}], table: t}}}", ""},
		{"{scopes: {a: {responses: {partition: day, table: t}}}}", ""},
		{"{scopes: {a: {responses: day}}}", "40: responses is a string, not a mapping; write {partition: day}"},
		{"{scopes: {a: {responses: {by: day}}}}", `41: unknown key "by" in responses; use one of: partition, table`},
		{"{scopes: {a: {responses: {partition: 1}}}}", "52: partition is an integer, not a string; quote it: '1'"},
		{"{scopes: {a: {responses: {table: []}}}}", "48: table is a list, not a string; write a value, in quotes if necessary"},
		{"{scopes: {a: {column: []}}}", `29: unknown key "column" in scope "a"; did you mean "columns"?`},
		{"{scopes: {a: {columns: {a: uuid}}}}", "38: columns is a mapping, not a list; write [...]"},
		{"{scopes: {a: {columns: [tenant_id]}}}", "39: a column is a string, not a mapping; write key: value lines, such as name: ..."},
		{"{scopes: {a: {columns: [{nme: a}]}}}", `40: unknown key "nme" in a column; did you mean "name"?`},
		{"{scopes: {a: {columns: [{type: 16}]}}}", "46: type is an integer, not a string; quote it: '16'"},
		{"{scopes: {a: {columns: [{maxLength: long}]}}}", "51: maxLength is a string, not an integer; write an integer, such as 1"},
		{"{scopes: {a: {columns: [{from: provider}]}}}", `46: from "provider": "provider" is not a part of a request; begin it with path., query., header., cookie. or body`},
		{"{scopes: {a: {table: []}}}", "36: table is a list, not a string; write a value, in quotes if necessary"},
		{"{defaults: []}", "26: defaults is a list, not a mapping; write key: value lines, such as key: ..."},
		{"{defaults: {scope: a}}", `27: unknown key "scope" in defaults; use one of: final, inFlight, key, maxBody, mode, replay, status, strict`},
		{"{defaults: {fingerprint: [body]}}", `27: unknown key "fingerprint" in defaults; use one of: final, inFlight, key, maxBody, mode, replay, status, strict`},
		{"{defaults: {maxBody: x}}", `36: maxBody: "x" is not a size; write a number of bytes such as 1MiB, 64KiB or 1000`},
	}
}

func TestAnnotationErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range operationCases() {
		checkAnnotation(t, operationTemplate, "a.yaml:8:", tt)
	}
	for _, tt := range rootCases() {
		checkAnnotation(t, rootTemplate, "a.yaml:3:", tt)
	}
}

func checkAnnotation(t *testing.T, template, prefix string, tt annotationCase) {
	t.Helper()
	if err := os.WriteFile("a.yaml", []byte(strings.Replace(template, "VALUE", tt.value, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, list := spec.Load("a.yaml", "")
	checkPositions(t, list)
	var got []string
	for _, d := range list {
		got = append(got, strings.TrimPrefix(d.String(), prefix))
	}
	want := strings.Split(tt.want, "\n")
	if tt.want == "" {
		want = nil
	}
	sortStrings(want)
	sortStrings(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", tt.value, diff)
	}
	if doc == nil {
		t.Errorf("%s: no document, so that plan cannot check the rest", tt.value)
		return
	}
	isDuplicate := strings.Contains(tt.want, "already set")
	if got, want := isMalformed(doc), tt.want != "" && !isDuplicate; got != want {
		t.Errorf("%s: malformed is %v, want %v", tt.value, got, want)
	}
}

func isMalformed(doc *spec.Document) bool {
	if doc.Root != nil {
		return doc.Root.Malformed
	}
	return doc.Operations[0].Annotation.Malformed
}
