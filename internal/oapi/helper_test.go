package oapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

var document = diag.Position{File: "api.yaml", Line: 1, Column: 1}

// load reads a document as the pipeline does, with origins.
func load(t testing.TB, text string) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true
	doc, err := loader.LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// origin reads kin-openapi's positions as they are.
func origin(o *openapi3.Origin) (diag.Position, bool) {
	if o == nil || o.Key == nil {
		return diag.Position{}, false
	}
	return diag.Position{File: "api.yaml", Line: o.Key.Line, Column: o.Key.Column}, true
}

// generate binds the document and returns what oapi-codegen makes of it.
func generated(t testing.TB, text string, operations ...*model.Operation) *Package {
	t.Helper()
	doc := load(t, text)
	if err := Bind(doc, operations); err != nil {
		t.Fatal(err)
	}
	source, err := Run(t.Context(), doc, Options{Package: "api", File: "api.yaml", Origin: origin})
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := Load(Source{Path: "example.com/api", Files: map[string][]byte{"api.gen.go": source}})
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// typeCheck checks a package to which nothing is added.
func typeCheck(source Source, imports ...Source) error {
	pkg, err := Load(source)
	if err != nil {
		return err
	}
	return pkg.TypeCheck(nil, imports...)
}

var jsonBody = []string{"application/json"}

// annotated is an operation with the declared fields.
func annotated(method, path, id string, roots ...*model.Node) *model.Operation {
	var body []string
	if slices.ContainsFunc(roots, func(root *model.Node) bool { return root.Path == "body" }) {
		body = jsonBody
	}
	return &model.Operation{
		Method: method, Path: path, ID: id, Name: id,
		Scope:       &model.Scope{Name: "account"},
		Key:         model.Key{Name: "Idempotency-Key", Pos: at(4)},
		Fingerprint: model.Fingerprint{Version: 1, Roots: roots},
		Pos:         at(3),

		ContentTypes: body,
	}
}

func at(line int) diag.Position { return diag.Position{File: "api.yaml", Line: line, Column: 7} }

// node builds a tree of declared fields; paths are set by root.
func node(name string, kind model.Kind, children ...*model.Node) *model.Node {
	n := &model.Node{Name: name, Kind: kind, Pos: at(9)}
	switch kind {
	case model.List, model.Map:
		n.Elem = children[0]
	default:
		n.Members = children
	}
	return n
}

func nullableNode(n *model.Node) *model.Node {
	n.Nullable = true
	return n
}

func unordered(n *model.Node) *model.Node {
	n.Unordered = true
	return n
}

func normalized(n *model.Node, steps ...string) *model.Node {
	n.Normalize = steps
	return n
}

func withFormat(format string, n *model.Node) *model.Node {
	n.Format = format
	return n
}

func withDefault(text string, n *model.Node) *model.Node {
	n.Default = &text
	return n
}

// root gives the tree below it its paths.
func root(name string, kind model.Kind, children ...*model.Node) *model.Node {
	n := node("", kind, children...)
	name, _ = strings.CutSuffix(name, ".")
	setPaths(n, name, name)
	return n
}

func setPaths(n *model.Node, framing, full string) {
	n.Path, n.Full = framing, full
	for _, member := range n.Members {
		path := member.Name
		if framing != "" {
			path = framing + "." + member.Name
		}
		setPaths(member, path, full+"."+member.Name)
	}
	if n.Elem != nil {
		setPaths(n.Elem, "", full+"[]")
	}
}
