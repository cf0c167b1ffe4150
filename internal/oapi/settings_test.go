package oapi

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/model"
)

// settings parses the options, which are refused with the problems.
func settings(t *testing.T, text, folder string) (s *Settings, problems string) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	s, list := ParseSettings(document.Content[0], SettingsFile{Display: "idemgen.yaml", Folder: folder})
	return s, list.Error()
}

func TestParseSettings(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "templates", "one.tmpl"), "{{/* one */}}")
	_, problems := settings(t, `
common: &common [a]
`, dir)
	if want := `idemgen.yaml:2:1: oapi-codegen has no option "common"; use one of: `; !strings.HasPrefix(problems, want) {
		t.Errorf("got %s", problems)
	}
	s, problems := settings(t, `
output-options:
  include-tags: &tags [a, b]
  exclude-tags: *tags
  nullable-type: true
  user-templates: {a.tmpl: templates/one.tmpl, b.tmpl: "{{/* b */}}\n"}
  overlay: {path: x.yaml, strict: false}
generate: {embedded-spec: true, models: true}
additional-imports: [{package: time, alias: clock}]
`, dir)
	if want := "idemgen.yaml:7:12: server.options.output-options.overlay cannot be used: oapi-codegen would be given another document than idemgen reads; name the file as overlay: beside server:"; problems != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, problems))
	}
	output := s.configuration.OutputOptions
	if diff := cmp.Diff([][]string{{"a", "b"}, {"a", "b"}}, [][]string{output.IncludeTags, output.ExcludeTags}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"a.tmpl": "{{/* one */}}\n", "b.tmpl": "{{/* b */}}\n"}, output.UserTemplates); diff != "" {
		t.Error(diff)
	}
	if !output.NullableType || output.Overlay.Strict == nil || *output.Overlay.Strict || !s.configuration.Generate.EmbeddedSpec ||
		s.configuration.AdditionalImports[0].Alias != "clock" {
		t.Errorf("got %+v", s.configuration)
	}
}

func TestSettingsThatOAPICodegenRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"output-options: {additional-initialisms: [SKU]}":       "idemgen.yaml:1:42: oapi-codegen v2.8.2 refuses the options: ",
		"output-options: {streaming-content-types: ['(']}":      "idemgen.yaml:1:43: oapi-codegen v2.8.2 refuses the options: ",
		"import-mapping: {'#/components': example.com/a}":       "idemgen.yaml:1:17: oapi-codegen v2.8.2 refuses the options: ",
		"output-options: {name-normalizer: ToCamelCaseWithDig}": `idemgen.yaml:1:35: unknown name-normalizer "ToCamelCaseWithDig"; did you mean "ToCamelCaseWithDigits"?`,
		"? [a]\n: b": "idemgen.yaml:1:3: a key of the options must be text; write a name",
	} {
		if _, problems := settings(t, text, ""); !strings.HasPrefix(problems, want) {
			t.Errorf("%s: got %s", text, problems)
		}
	}
}

// A suffix that one document asks for does not stay for the next one, although
// oapi-codegen keeps it in a variable of its package.
func TestSettingsDoNotStay(t *testing.T) {
	run := func(s *Settings) string {
		doc := load(t, smallDocument)
		if err := BindFor(doc, nil, s); err != nil {
			t.Fatal(err)
		}
		source, err := Run(t.Context(), doc, Options{Package: "api", Settings: s})
		if err != nil {
			t.Fatal(err)
		}
		return string(source)
	}
	plain := &Settings{}
	plain.configuration.Generate.Client = true
	before := run(plain)
	suffix, problems := settings(t, "{generate: {client: true}, output-options: {response-type-suffix: Reply, name-normalizer: ToCamelCaseWithInitialisms}}", "")
	if problems != "" {
		t.Fatal(problems)
	}
	if changed := run(suffix); changed == before || !strings.Contains(changed, "Reply struct") {
		t.Error("the suffix has no effect")
	}
	if after := run(plain); after != before {
		t.Errorf("the same document gives something else now:\n%s", cmp.Diff(before, after))
	}
}

// What is mapped to another package is left to it; everything else becomes part
// of the document.
func TestBindForImports(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    A: {type: object, properties: {b: {$ref: 'b.yaml#/components/schemas/B'}}}\n")
	write(t, filepath.Join(dir, "b.yaml"), "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {B: {type: object, properties: {c: {$ref: '#/components/schemas/C'}}}, C: {type: string}}}\n")
	write(t, filepath.Join(dir, "api.yaml"), `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {content: {application/json: {schema: {$ref: 'a.yaml#/components/schemas/A'}}}}
      responses: {'204': {description: done}}
`)
	s, problems := settings(t, "import-mapping: {b.yaml: example.com/b, c.yaml: '-'}", "")
	if problems != "" {
		t.Fatal(problems)
	}
	doc := loadFile(t, filepath.Join(dir, "api.yaml"))
	if err := BindFor(doc, []*model.Operation{annotated("POST", "/things", "createThing")}, s); err != nil {
		t.Fatal(err)
	}
	source, err := Run(t.Context(), doc, Options{Package: "api", Settings: s})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"type A struct", "B *externalRef0.B `json:", `externalRef0 "example.com/b"`} {
		if !strings.Contains(string(source), want) {
			t.Errorf("no %s in\n%s", want, source)
		}
	}
	if strings.Contains(string(source), "type C ") {
		t.Error("a type of the other package is declared")
	}
	in := loadFile(t, filepath.Join(dir, "api.yaml"))
	if err := BindInPlace(in, []*model.Operation{annotated("POST", "/things", "createThing")}); err != nil {
		t.Fatal(err)
	}
	if got := in.Paths.Value("/things").Post.RequestBody.Value.Content["application/json"].Schema.Ref; got != "a.yaml#/components/schemas/A" {
		t.Errorf("the reference became %s", got)
	}
}

func TestTemplatesThatFail(t *testing.T) {
	for text, want := range map[string]string{
		"{output-options: {user-templates: {typedef.tmpl: \"{{range}}\\n\"}}}": "idemgen.yaml:1:50: oapi-codegen v2.8.2 cannot use the template: error parsing user-provided template",
		"{output-options: {user-templates: {typedef.tmpl: \"{{.No}}\\n\"}}}":   "idemgen.yaml:1:50: oapi-codegen v2.8.2 cannot use the template: ",
	} {
		s, problems := settings(t, text, "")
		if problems != "" {
			t.Fatal(problems)
		}
		_, err := Run(t.Context(), load(t, smallDocument), Options{Package: "api", File: "api.yaml", Settings: s})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
