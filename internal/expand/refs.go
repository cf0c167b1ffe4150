package expand

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/tree"
)

// expander changes a copy of the document.
type expander struct {
	doc  *spec.Document
	root *tree.Node
}

// maxRefs ends a cycle of references.
const maxRefs = 100

// resolve follows the references of n, a value in a file. It returns the target with
// its file; nil if there is none.
func (e *expander) resolve(n *tree.Node, file string) (found *tree.Node, in string) {
	for range maxRefs {
		ref := textOf(n, "$ref")
		if n == nil || ref == "" {
			return n, file
		}
		n, file = e.target(ref, file)
	}
	return nil, file
}

// target resolves a reference, through further references if its pointer continues
// beyond them.
func (e *expander) target(ref, file string) (n *tree.Node, in string) {
	file, pointer, ok := e.doc.Ref(ref, file)
	if !ok {
		return nil, ""
	}
	n = e.rootOf(file)
	for _, token := range pointer {
		if n.Child(token) == nil && textOf(n, "$ref") != "" {
			n, file = e.target(textOf(n, "$ref"), file)
		}
		n = n.Child(token)
	}
	return n, file
}

func (e *expander) rootOf(file string) *tree.Node {
	if file == e.doc.File() {
		return e.root
	}
	return e.doc.TreeOf(file)
}

// copied returns a copy of the target of n, a value in the document, if it is a
// reference, and otherwise n itself.
func (e *expander) copied(n *tree.Node) *tree.Node {
	found, file := e.resolve(n, e.doc.File())
	if found == nil || found == n {
		return n
	}
	return e.moved(found, file)
}

// moved returns a copy of a value in a file, for use in the document.
func (e *expander) moved(n *tree.Node, file string) *tree.Node {
	c := n.Clone()
	if file != e.doc.File() {
		e.relocate(c, file, ".")
	}
	return c
}

// relocate rewrites the references under n, which was in a file, for a place in the
// document, whose folder is reached by way.
func (e *expander) relocate(n *tree.Node, file, way string) {
	spec.EachRef(n, func(ref *tree.Node) {
		target, pointer, ok := e.doc.Ref(ref.Text, file)
		switch {
		case !ok || strings.HasPrefix(ref.Text, "#") && target == e.doc.File():
			return
		case target == e.doc.File():
			target = ""
		default:
			target = path.Join(way, target)
		}
		ref.Text = (&url.URL{Path: target, Fragment: pointer.String()}).String()
	})
}

// find returns the path item and the operation, as mappings of the document. A path
// item in another file is copied to the document.
func (e *expander) find(operation *model.Operation) (item, op *tree.Node, err error) {
	method := strings.ToLower(operation.Method)
	item = e.root.Get("paths").Get(operation.Path)
	for range maxRefs {
		if item == nil {
			break
		}
		if op = item.Get(method); op != nil && op.Kind == tree.Mapping {
			return item, op, nil
		}
		next, file := e.target(textOf(item, "$ref"), e.doc.File())
		if next != nil && file != e.doc.File() {
			e.bring(item, next, file)
			continue
		}
		item = next
	}
	return nil, nil, fmt.Errorf("expand: the document has no operation %s %s", operation.Method, operation.Path)
}

// ofPathItem matches the keys of a path item.
var ofPathItem = regexp.MustCompile(`^(?:summary|description|servers|parameters|get|put|post|delete|options|head|patch|trace|x-.*)$`)

// bring replaces a reference with the path item that it refers to. Keys beside the
// reference take precedence, and other values of the file are left out.
func (e *expander) bring(item, found *tree.Node, file string) {
	drop(item, "$ref")
	for _, m := range e.moved(found, file).Members {
		if item.Member(m.Name) == nil && (m.Name == "$ref" || ofPathItem.MatchString(m.Name)) {
			item.Members = append(item.Members, m)
		}
	}
}
