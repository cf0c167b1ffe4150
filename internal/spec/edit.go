package spec

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Parse reads the text of a file as [Load] does, without overlay, references or
// annotations. Without a tree there is at least one error.
func Parse(file string, text []byte) (*Node, diag.List) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if IsJSON(file, text) {
		return parseJSON(file, text)
	}
	return parseYAML(file, text)
}

// IsJSON reports whether a file is read as JSON, by its name or its text, which
// has no byte order mark.
func IsJSON(file string, text []byte) bool { return isJSON(file, text) }

// Tree returns a copy of the document, overlay included, for those who change it.
// References are in it as they were written.
func (doc *Document) Tree() *Node { return doc.files.main.root.clone() }

// File returns the name that the document has among its files; see [Document.Ref].
func (doc *Document) File() string { return doc.files.main.key }

// Ref says where a $ref leads that stands in a file: to another file, or the same,
// and a place in it. It reports false if it names an anchor, or leads out of the
// files that the document consists of. Files are named by their paths relative to
// the document's folder, with slashes.
func (doc *Document) Ref(text, file string) (target string, pointer Pointer, ok bool) {
	ref, problem, _ := parseRef(text, &source{key: file})
	if problem != "" || ref.anchor || doc.TreeOf(ref.key) == nil {
		return "", nil, false
	}
	return ref.key, ref.pointer, true
}

// TreeOf returns the tree of a file that the document consists of, read-only, or
// nil.
func (doc *Document) TreeOf(file string) *Node {
	if s := doc.files.byKey[file]; s != nil {
		return s.root
	}
	return nil
}

// Child returns what a reference token of a JSON pointer names under n, or nil.
func (n *Node) Child(token string) *Node {
	if n == nil {
		return nil
	}
	child, _, _ := n.step(token)
	return child
}

// Clone returns a deep copy.
func (n *Node) Clone() *Node { return n.clone() }

// Equal reports whether two values are the same; the order of a mapping's
// entries makes no difference.
func (n *Node) Equal(other *Node) bool {
	if n.Kind != other.Kind || n.Text != other.Text || len(n.Items) != len(other.Items) || len(n.Members) != len(other.Members) {
		return false
	}
	for i, item := range n.Items {
		if !item.Equal(other.Items[i]) {
			return false
		}
	}
	for _, m := range n.Members {
		if value := other.Get(m.Name); value == nil || !m.Value.Equal(value) {
			return false
		}
	}
	return true
}

// EachRef calls visit for every string under n that is a reference: a $ref, the
// value of a discriminator's mapping unless it is the bare name of a schema, and
// a link's operationRef. What is data of the API is left out. In a value of its
// own, n is no mapping from names of the user's choice.
func EachRef(n *Node, visit func(ref *Node)) { eachRef(n, false, visit) }

func eachRef(n *Node, names bool, visit func(ref *Node)) {
	for _, item := range n.Items {
		eachRef(item, false, visit)
	}
	for _, m := range n.Members {
		switch {
		case names:
			eachRef(m.Value, false, visit)
		case m.Value.Kind == String && (m.Name == "$ref" || m.Name == "operationRef"):
			visit(m.Value)
		case m.Name == "mapping" && m.Value.Kind == Mapping && n.Get("propertyName") != nil:
			eachMapped(m.Value, visit)
		case !isData(m.Name, m.Value):
			eachRef(m.Value, m.Value.Kind == Mapping && namesFollow(m.Name), visit)
		}
	}
}

func eachMapped(mapping *Node, visit func(ref *Node)) {
	for _, m := range mapping.Members {
		bare := !strings.Contains(m.Value.Text, "#") && filepath.Ext(m.Value.Text) == ""
		if m.Value.Kind == String && !bare {
			visit(m.Value)
		}
	}
}
