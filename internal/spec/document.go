package spec

import (
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// Extension is the name of the annotation.
const Extension = "x-idempotent"

// Document is a loaded OpenAPI document with its annotations. Except for
// [Document.Release], it is read-only and safe for concurrent use.
type Document struct {
	// Path is the document's file, as given to [Load].
	Path string
	// OpenAPI is the document as kin-openapi reads it, with all references resolved.
	// It must not be changed; use [Document.Fresh] for a copy that may be changed. It
	// is nil after [Document.Release].
	OpenAPI *openapi3.T
	// Root is the annotation at the root, or nil.
	Root *Root
	// Operations are those of paths, in the document's order, without webhooks and
	// callbacks.
	Operations []*Operation

	files *files
	texts func() map[string]*tree.JSON // by source.key; created on first use
}

// Operation is an operation of the document.
type Operation struct {
	Method string // in capitals
	Path   string // the path template
	// ID is the operationId; it is absent if the document has none.
	ID Value[string]
	// Pos is the position of the method's key.
	Pos diag.Position
	// Pointer leads to the operation; see [Document.PositionOf].
	Pointer Pointer
	// Annotation is nil for an operation without x-idempotent.
	Annotation *Annotation
	// OpenAPI is the operation in Document.OpenAPI, and PathItem is its path item.
	OpenAPI  *openapi3.Operation
	PathItem *openapi3.PathItem

	node *tree.Node
}

// Load reads the OpenAPI document at path, applies the overlay at overlay unless that
// is empty, and decodes the annotations. The list is sorted and holds every problem of
// the files themselves; each diagnostic has a valid position. Positions show path, and
// other files relative to it.
//
// The document is nil if it could not be read as an OpenAPI document. It can be
// non-nil although the list has errors, so that later checks report the remaining
// problems in the same run; malformed parts are then left out and marked.
func Load(path, overlay string) (*Document, diag.List) {
	var list diag.List
	doc := load(path, overlay, &list)
	list.Sort()
	return doc, list
}

func load(path, overlay string, list *diag.List) *Document {
	// 1. The file, as a tree.
	root, problems := readTree(path, diag.Position{File: path, Line: 1, Column: 1})
	list.Add(problems...)
	if root == nil {
		return nil
	}
	// 2. The overlay, on the tree.
	if overlay != "" {
		applyOverlay(root, overlay, list)
	}
	if !checkVersion(root, list) {
		return nil
	}
	// 3. References, and the files that they point to.
	doc := &Document{Path: path, files: newFiles(path, root, list)}
	doc.files.check()
	// 4. Operations and annotations.
	doc.collect(list)
	doc.checkPlacement(list)
	if doc.files.broken {
		return nil
	}
	// 5. The document in kin-openapi's form.
	doc.texts = sync.OnceValue(func() map[string]*tree.JSON { return doc.encode(false) })
	if !doc.attach(list) {
		return nil
	}
	doc.validate(list)
	return doc
}

// checkVersion reports whether root is an OpenAPI document of 3.0 or 3.1.
func checkVersion(root *tree.Node, list *diag.List) bool {
	const remedy = "idemgen reads OpenAPI 3.0 and 3.1"
	if root.Kind != tree.Mapping {
		list.Errorf(root.Pos, remedy, "this is %s, not an OpenAPI document", root.Kind)
		return false
	}
	if swagger := root.Member("swagger"); swagger != nil {
		list.Errorf(swagger.Pos, "convert it to OpenAPI 3", "Swagger documents are not read")
		return false
	}
	version := root.Get("openapi")
	switch {
	case version == nil:
		list.Errorf(root.Pos, remedy, "this is not an OpenAPI document: it has no key openapi")
	case version.Kind != tree.String:
		list.Errorf(version.Pos, "write it in full and in quotes, such as '3.0.3'", "the OpenAPI version is %s, not a string", version.Kind)
	case strings.HasPrefix(version.Text, "3.0."), strings.HasPrefix(version.Text, "3.1."):
		return true
	default:
		list.Errorf(version.Pos, remedy, "OpenAPI %q is not supported", version.Text)
	}
	return false
}

// collect finds the operations and decodes the annotations.
func (doc *Document) collect(list *diag.List) {
	root := doc.files.main.root
	if m := root.Member(Extension); m != nil {
		doc.Root = newDecoder(list).root(m)
	}
	paths := root.Get("paths")
	if paths == nil {
		return
	}
	for _, m := range paths.Members {
		if !strings.HasPrefix(m.Name, "/") {
			continue
		}
		doc.collectPath(list, m.Name, cursor{m.Value, doc.files.main})
	}
}

// collectPath collects the operations of a path item, and of what it refers to.
func (doc *Document) collectPath(list *diag.List, path string, item cursor) {
	seen := map[string]bool{}
	for range tree.MaxDepth {
		for _, m := range item.node.Members {
			if isMethod(m.Name) && m.Value.Kind == tree.Mapping && !seen[m.Name] {
				seen[m.Name] = true
				doc.Operations = append(doc.Operations, newOperation(list, path, m))
			}
		}
		text := refOf(item.node)
		if text == "" {
			return
		}
		next, ok := doc.files.resolve(text, item)
		if !ok {
			return
		}
		item = next
	}
}

func newOperation(list *diag.List, path string, m *tree.Member) *Operation {
	op := &Operation{
		Method:  strings.ToUpper(m.Name),
		Path:    path,
		Pos:     m.Pos,
		Pointer: Pointer{"paths", path, m.Name},
		node:    m.Value,
	}
	op.ID = read(m.Value, "operationId", newDecoder(list).text("operationId"))
	if a := m.Value.Member(Extension); a != nil {
		op.Annotation = newDecoder(list).annotation(a)
	}
	return op
}

func isMethod(name string) bool {
	return slices.Contains([]string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}, name)
}

// PositionOf returns the position of the value that a pointer into the document points
// to: the position of its key, or of the list item. Where the pointer continues below
// a reference, the reference is followed, also into other files. If only part of the
// path exists, the position is that of the last value found.
// of the way exists, the position is that of the last value on it.
func (doc *Document) PositionOf(pointer Pointer) diag.Position {
	_, pos, _ := doc.files.walk(cursor{doc.files.main.root, doc.files.main}, pointer)
	return pos
}

// Lookup returns the value that a pointer into the document points to, following
// references as [Document.PositionOf] does. A $ref in the value itself is not
// followed: in a default it is data. Scalars are exact, whereas kin-openapi's numbers
// are float64.
func (doc *Document) Lookup(pointer Pointer) (*tree.Node, bool) {
	found, _, ok := doc.files.walk(cursor{doc.files.main.root, doc.files.main}, pointer)
	return found.node, ok
}
