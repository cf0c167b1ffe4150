package spec

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/theory/jsonpath"
	jsonpathspec "github.com/theory/jsonpath/spec"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// applyOverlay applies an OpenAPI overlay (1.0 or 1.1) to the tree: each action finds
// its targets by JSONPath and removes them, or merges a value into them. Values that
// the overlay does not change keep their positions; values that it adds have positions
// in the overlay.
func applyOverlay(root *tree.Node, file string, list *diag.List) {
	actions, problems := readTree(file, diag.Position{File: file, Line: 1, Column: 1})
	list.Add(problems...)
	if actions == nil {
		return
	}
	o := overlay{root: root, list: list}
	o.apply(actions)
}

type overlay struct {
	root *tree.Node
	list *diag.List
}

func (o *overlay) apply(file *tree.Node) {
	version, pos := "", file.Pos
	if n := file.Get("overlay"); n != nil {
		version, pos = n.Text, n.Pos
	}
	if !overlayVersion.MatchString(version) {
		o.list.Errorf(pos, "begin the file with overlay: 1.0.0", "this is not an OpenAPI overlay of version 1.0 or 1.1")
		return
	}
	o.known(file, "the overlay", "overlay", "info", "extends", "actions")
	actions := file.Get("actions")
	if actions == nil || actions.Kind != tree.Sequence {
		o.list.Errorf(file.Pos, "write actions: [], or a list of actions", "the overlay has no list of actions")
		return
	}
	for _, action := range actions.Items {
		if o.action(action); o.root.Depth() > tree.MaxDepth {
			o.list.Errorf(action.Pos, "remove the action, or let it add a value that is nested less deeply",
				"with this action, values are nested more than %d levels deep", tree.MaxDepth)
			return
		}
	}
}

var overlayVersion = regexp.MustCompile(`^1\.[01](?:\.|$)`)

// known reports the members of n that are neither in keys nor extensions.
func (o *overlay) known(n *tree.Node, what string, keys ...string) {
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Name) && !strings.HasPrefix(m.Name, "x-") {
			o.list.Errorf(m.Pos, diag.DidYouMean(m.Name, keys), "unknown key %q in %s", m.Name, what)
		}
	}
}

func (o *overlay) action(action *tree.Node) {
	if action.Kind != tree.Mapping {
		o.list.Errorf(action.Pos, `write {target: "$.paths['/orders'].post", remove: true}`,
			"an action is a mapping with target and update or remove, not %s", action.Kind)
		return
	}
	o.known(action, "an overlay action", "target", "description", "update", "remove", "copy")
	remove, ok := o.removes(action)
	if !ok {
		return
	}
	places, ok := o.find(action, "target")
	update, from := action.Get("update"), action.Get("copy")
	switch {
	case !ok:
	case remove:
		for _, p := range places {
			p.remove()
		}
	case update != nil:
		o.merge(places, update)
	case from != nil:
		o.copy(action, places)
	default:
		o.list.Errorf(action.Pos, "add update, or remove: true", "this action does nothing")
	}
}

// removes returns the value of the action's remove.
func (o *overlay) removes(action *tree.Node) (remove, ok bool) {
	n := action.Get("remove")
	if n == nil {
		return false, true
	}
	if n.Kind != tree.Bool {
		o.list.Errorf(n.Pos, "write true or false", "remove is %s, not a boolean", n.Kind)
		return false, false
	}
	return n.Text == "true", true
}

// copy merges the single value that the action's copy selects into the places.
func (o *overlay) copy(action *tree.Node, places []*place) {
	sources, ok := o.find(action, "copy")
	switch {
	case !ok:
	case len(sources) > 1:
		o.list.Errorf(action.Get("copy").Pos, "select exactly one value", "copy matches %d values", len(sources))
	default:
		from := sources[0].node.Clone()
		from.Pos = action.Get("copy").Pos
		o.merge(places, from)
	}
}

// maxNodes limits the size to which actions may expand a document.
const maxNodes = 2_000_000

func (o *overlay) merge(places []*place, update *tree.Node) {
	if o.root.Size()+len(places)*update.Size() > maxNodes {
		o.list.Errorf(update.Pos, "let the action select fewer targets, or add a smaller value",
			"with this action, the document has more than %d values", maxNodes)
		return
	}
	for _, p := range places {
		if p.node.Kind == tree.Sequence && update.Kind != tree.Sequence {
			p.node.Items = append(p.node.Items, update.Clone())
			continue
		}
		mergeInto(p.node, update)
	}
}

// mergeInto merges mappings member by member, appends lists to lists, and
// otherwise replaces the target.
func mergeInto(target, update *tree.Node) {
	switch {
	case target.Kind == tree.Mapping && update.Kind == tree.Mapping:
		for _, m := range update.Members {
			if existing := target.Member(m.Name); existing != nil {
				if !mergeable(existing.Value, m.Value) {
					existing.Pos = m.Pos
				}
				mergeInto(existing.Value, m.Value)
				continue
			}
			target.Members = append(target.Members, &tree.Member{Name: m.Name, Pos: m.Pos, Value: m.Value.Clone()})
		}
	case target.Kind == tree.Sequence && update.Kind == tree.Sequence:
		target.Items = append(target.Items, update.Clone().Items...)
	default:
		*target = *update.Clone()
	}
}

// mergeable reports whether two values are merged, rather than one replaced by the
// other.
func mergeable(target, update *tree.Node) bool {
	return target.Kind == update.Kind && (target.Kind == tree.Mapping || target.Kind == tree.Sequence)
}

// place is a value in the tree and its parent, which is nil for the root.
type place struct {
	node, parent *tree.Node
}

func (p *place) remove() {
	if p.parent == nil {
		return
	}
	for i, m := range p.parent.Members {
		if m.Value == p.node {
			p.parent.Members = append(p.parent.Members[:i:i], p.parent.Members[i+1:]...)
			return
		}
	}
	for i, item := range p.parent.Items {
		if item == p.node {
			p.parent.Items = append(p.parent.Items[:i:i], p.parent.Items[i+1:]...)
			return
		}
	}
}

// find returns the places that the JSONPath under key selects. A path that is missing,
// malformed or without a match is reported.
func (o *overlay) find(action *tree.Node, key string) ([]*place, bool) {
	target := action.Get(key)
	switch {
	case target == nil:
		o.list.Errorf(action.Pos, "add target: $.paths['/orders'].post", "this action has no %s", key)
		return nil, false
	case target.Kind != tree.String:
		o.list.Errorf(target.Pos, "write a JSONPath such as $.paths['/orders'].post", "%s is %s, not a string", key, target.Kind)
		return nil, false
	}
	places, err := o.query(target.Text)
	if err != nil {
		pos, message := target.Pos, err.Error()
		if m := jsonPathError.FindStringSubmatch(message); m != nil {
			at, _ := strconv.Atoi(m[2])
			pos, message = target.RunePos(at-1), m[1]
		}
		o.list.Errorf(pos, "write a JSONPath such as $.paths['/orders'].post", "%s is not a JSONPath: %s", key, message)
		return nil, false
	}
	if len(places) == 0 {
		o.list.Errorf(target.Pos, o.missing(target.Text), "%s %s matches nothing", key, target.Text)
		return nil, false
	}
	return places, true
}

var jsonPathError = regexp.MustCompile(`^jsonpath: (.*) at position (\d+)$`)

// missing is the remedy for a path that has no match.
func (o *overlay) missing(path string) string {
	const remedy = "correct the path, or remove the action"
	wanted, ok := quotedName(path)
	if !ok {
		return remedy
	}
	paths := o.root.Get("paths")
	if item := paths.Get(wanted); item != nil && refOf(item) != "" {
		return wanted + " is a $ref to another file, which an overlay cannot change; annotate the operation in that file"
	}
	if near, ok := diag.Nearest(wanted, paths.Names()); ok && near != wanted {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return remedy
}

// quotedName returns the first name in quotes of a JSONPath.
func quotedName(path string) (string, bool) {
	i := strings.IndexAny(path, `'"`)
	if i < 0 {
		return "", false
	}
	name, _, ok := strings.Cut(path[i+1:], path[i:i+1])
	return name, ok
}

// query evaluates a JSONPath (RFC 9535) on the current tree. The places are in the
// document's order.
func (o *overlay) query(path string) ([]*place, error) {
	compiled, err := jsonpath.Parse(path)
	if err != nil {
		return nil, err
	}
	selected := map[*tree.Node]bool{}
	for _, found := range compiled.SelectLocated(plain(o.root)) {
		n := o.root
		for _, selector := range found.Path {
			n = n.Child(tokenOf(selector))
		}
		selected[n] = true
	}
	var places []*place
	var visit func(p *place)
	visit = func(p *place) {
		if selected[p.node] {
			places = append(places, p)
		}
		for _, child := range p.node.Children() {
			visit(&place{node: child, parent: p.node})
		}
	}
	visit(&place{node: o.root})
	return places, nil
}

// tokenOf converts a step of a normalized path to a reference token of a JSON pointer.
func tokenOf(selector jsonpathspec.NormalSelector) string {
	if index, ok := selector.(jsonpathspec.Index); ok {
		return strconv.Itoa(int(index))
	}
	name, _ := selector.(jsonpathspec.Name)
	return string(name)
}

// plain converts a value to the form on which JSONPath is evaluated.
func plain(n *tree.Node) any {
	switch n.Kind {
	case tree.Mapping:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Name] = plain(m.Value)
		}
		return object
	case tree.Sequence:
		array := make([]any, len(n.Items))
		for i, item := range n.Items {
			array[i] = plain(item)
		}
		return array
	case tree.Null:
		return nil
	case tree.Bool:
		return n.Text == "true"
	case tree.Int, tree.Float:
		return json.Number(n.Text)
	default:
		return n.Text
	}
}
