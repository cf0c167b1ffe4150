package lock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Restore builds the tree of declared fields from the list that the lock keeps of
// it: what [Fields] makes of the result is that list again. It fails for a
// list that no tree has.
func Restore(fields []model.LockField) ([]*model.Node, error) {
	r := restorer{roots: make(map[root]*restored)}
	for _, field := range fields {
		path, err := spec.ParseFieldPath(field.Path)
		if err != nil {
			return nil, fmt.Errorf("%s is no field path: %w", field.Path, err)
		}
		node := r.at(path, field.ContentType)
		if node.stated {
			return nil, fmt.Errorf("%s is listed twice", field.Path)
		}
		node.state(field)
	}
	var roots []*model.Node
	for _, at := range slices.SortedFunc(maps.Keys(r.roots), root.compare) {
		roots = append(roots, r.roots[at].finish())
	}
	if changes := fieldChanges(fields, Fields(roots)); len(changes) > 0 {
		return nil, fmt.Errorf("its fields contradict each other: %s", strings.Join(changes, ", "))
	}
	return roots, nil
}

type restorer struct{ roots map[root]*restored }

// root is where the paths of a tree begin.
type root struct {
	in          spec.Location
	contentType string // of a body that is one of several
}

// compare is the order of roots, which is that of their names.
func (r root) compare(other root) int {
	return cmp.Or(cmp.Compare(r.in, other.in), cmp.Compare(r.contentType, other.contentType))
}

// restored is a node while its members are still being found.
type restored struct {
	*model.Node
	full, framing spec.FieldPath
	members       map[string]*restored
	elem          *restored
	stated        bool // by a field of the list, and not only by what is in it
}

// at returns the node of a path, with all nodes above it.
func (r *restorer) at(path spec.FieldPath, contentType string) *restored {
	at := root{path.In, contentType}
	node := r.roots[at]
	if node == nil {
		start := spec.FieldPath{In: path.In}
		node = newRestored("", start, start)
		node.ContentType = contentType
		if path.In != spec.InBody {
			node.Name = string(path.In)
		}
		r.roots[at] = node
	}
	for _, step := range path.Steps {
		node = node.step(step)
	}
	return node
}

func newRestored(name string, full, framing spec.FieldPath) *restored {
	node := &model.Node{
		Name: name,
		Path: strings.TrimPrefix(framing.String(), "."),
		Full: full.String(),
		Kind: model.Object,
	}
	return &restored{Node: node, full: full, framing: framing}
}

func (n *restored) step(step spec.Step) *restored {
	if step.Each {
		if n.elem == nil {
			n.elem = newRestored("", n.full.Child(step), spec.FieldPath{})
		}
		return n.elem
	}
	if n.members == nil {
		n.members = make(map[string]*restored)
	}
	if n.members[step.Name] == nil {
		n.members[step.Name] = newRestored(step.Name, n.full.Child(step), n.framing.Child(step))
	}
	return n.members[step.Name]
}

// state notes what the list says of the node itself.
func (n *restored) state(field model.LockField) {
	n.stated = true
	n.Kind, n.Format = model.ParseTypeText(field.Type)
	n.Unordered, n.Normalize, n.Nullable = field.Unordered, field.Normalize, field.Nullable
	if field.Default != "" {
		n.Default = &field.Default
	}
}

// finish joins the node with what is in it, as far as its kind can have that.
func (n *restored) finish() *model.Node {
	if n.elem != nil && !n.stated {
		n.Kind = model.List
	}
	switch n.Kind {
	case model.Object:
		for _, name := range slices.Sorted(maps.Keys(n.members)) {
			n.Members = append(n.Members, n.members[name].finish())
		}
	case model.List, model.Map:
		n.Elem = n.step(spec.Step{Each: true}).finish()
	default: // a leaf
	}
	return n.Node
}
