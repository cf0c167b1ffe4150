package spec

import (
	"path/filepath"
	"strings"

	"github.com/idemgen/idemgen/internal/tree"
)

// Tree returns a copy of the document, overlay included, that the caller may change.
// References are kept as written.
func (doc *Document) Tree() *tree.Node { return doc.files.main.root.Clone() }

// File returns the name of the document among its files; see [Document.Ref].
func (doc *Document) File() string { return doc.files.main.key }

// Ref resolves a $ref found in a file to a file (possibly the same) and a place in it.
// It reports false if the $ref names an anchor, or points to a file that is not part
// of the document. Files are named by their paths relative to the document's folder,
// with slashes.
func (doc *Document) Ref(text, file string) (target string, pointer Pointer, ok bool) {
	ref, problem, _ := parseRef(text, &source{key: file})
	if problem != "" || ref.anchor || doc.TreeOf(ref.key) == nil {
		return "", nil, false
	}
	return ref.key, ref.pointer, true
}

// TreeOf returns the tree of one of the document's files, read-only, or nil.
func (doc *Document) TreeOf(file string) *tree.Node {
	if s := doc.files.byKey[file]; s != nil {
		return s.root
	}
	return nil
}

// EachRef calls visit for every string under n that is a reference: a $ref, a value of
// a discriminator's mapping unless it is the bare name of a schema, and a link's
// operationRef. Data such as examples is skipped. n must not itself be a mapping whose
// names the user chooses.
func EachRef(n *tree.Node, visit func(ref *tree.Node)) { eachRef(n, false, visit) }

func eachRef(n *tree.Node, names bool, visit func(ref *tree.Node)) {
	for _, item := range n.Items {
		eachRef(item, false, visit)
	}
	for _, m := range n.Members {
		switch {
		case names:
			eachRef(m.Value, false, visit)
		case m.Value.Kind == tree.String && (m.Name == "$ref" || m.Name == "operationRef"):
			visit(m.Value)
		case m.Name == "mapping" && m.Value.Kind == tree.Mapping && n.Get("propertyName") != nil:
			eachMapped(m.Value, visit)
		case !isData(m.Name, m.Value):
			eachRef(m.Value, m.Value.Kind == tree.Mapping && namesFollow(m.Name), visit)
		}
	}
}

func eachMapped(mapping *tree.Node, visit func(ref *tree.Node)) {
	for _, m := range mapping.Members {
		bare := !strings.Contains(m.Value.Text, "#") && filepath.Ext(m.Value.Text) == ""
		if m.Value.Kind == tree.String && !bare {
			visit(m.Value)
		}
	}
}
