package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/speakeasy-api/jsonpath/pkg/jsonpath"
	"github.com/speakeasy-api/jsonpath/pkg/jsonpath/config"
	"gopkg.in/yaml.v3"

	"github.com/idemgen/idemgen/internal/diag"
)

// applyOverlay applies an OpenAPI overlay (1.0 or 1.1) to the tree: each action
// finds its targets by JSONPath and removes them, or merges a value into them.
// What the overlay does not touch keeps its position, and what it brings has the
// overlay's.
func applyOverlay(root *Node, file string, list *diag.List) {
	tree, problems := readTree(file, diag.Position{File: file, Line: 1, Column: 1})
	list.Add(problems...)
	if tree == nil {
		return
	}
	o := overlay{root: root, list: list}
	o.apply(tree)
}

type overlay struct {
	root *Node
	list *diag.List
}

func (o *overlay) apply(tree *Node) {
	version, pos := "", tree.Pos
	if n := tree.Get("overlay"); n != nil {
		version, pos = n.Text, n.Pos
	}
	if !overlayVersion.MatchString(version) {
		o.list.Errorf(pos, "begin the file with overlay: 1.0.0", "this is not an OpenAPI overlay of version 1.0 or 1.1")
		return
	}
	o.known(tree, "the overlay", "overlay", "info", "extends", "actions")
	actions := tree.Get("actions")
	if actions == nil || actions.Kind != Sequence {
		o.list.Errorf(tree.Pos, "", "the overlay has no list of actions")
		return
	}
	for _, action := range actions.Items {
		if o.action(action); o.root.depth() > maxDepth {
			o.list.Errorf(action.Pos, "", "with this action values are nested deeper than %d", maxDepth)
			return
		}
	}
}

var overlayVersion = regexp.MustCompile(`^1\.[01](?:\.|$)`)

// known reports the members of n that are neither listed nor extensions.
func (o *overlay) known(n *Node, what string, keys ...string) {
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Name) && !strings.HasPrefix(m.Name, "x-") {
			o.list.Errorf(m.Pos, diag.DidYouMean(m.Name, keys), "unknown key %q in %s", m.Name, what)
		}
	}
}

func (o *overlay) action(action *Node) {
	if action.Kind != Mapping {
		o.list.Errorf(action.Pos, "", "an action is a mapping with target and update or remove, not %s", action.Kind)
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

// removes returns what the action's remove says.
func (o *overlay) removes(action *Node) (remove, ok bool) {
	n := action.Get("remove")
	if n == nil {
		return false, true
	}
	if n.Kind != Bool {
		o.list.Errorf(n.Pos, "write true or false", "remove is %s, not a boolean", n.Kind)
		return false, false
	}
	return n.Text == "true", true
}

// copy merges the one value that the action's copy selects into the places.
func (o *overlay) copy(action *Node, places []*place) {
	sources, ok := o.find(action, "copy")
	switch {
	case !ok:
	case len(sources) > 1:
		o.list.Errorf(action.Get("copy").Pos, "select exactly one value", "copy matches %d values", len(sources))
	default:
		from := sources[0].node.clone()
		from.Pos = action.Get("copy").Pos
		o.merge(places, from)
	}
}

// maxNodes limits what actions may make of a document.
const maxNodes = 2_000_000

func (o *overlay) merge(places []*place, update *Node) {
	if o.root.size()+len(places)*update.size() > maxNodes {
		o.list.Errorf(update.Pos, "", "with this action the document has more than %d values", maxNodes)
		return
	}
	for _, p := range places {
		if p.node.Kind == Sequence && update.Kind != Sequence {
			p.node.Items = append(p.node.Items, update.clone())
			continue
		}
		mergeInto(p.node, update)
	}
}

// mergeInto merges mappings member by member, appends lists to lists, and
// otherwise replaces the target.
func mergeInto(target, update *Node) {
	switch {
	case target.Kind == Mapping && update.Kind == Mapping:
		for _, m := range update.Members {
			if existing := target.Member(m.Name); existing != nil {
				if !mergeable(existing.Value, m.Value) {
					existing.Pos = m.Pos
				}
				mergeInto(existing.Value, m.Value)
				continue
			}
			target.Members = append(target.Members, &Member{Name: m.Name, Pos: m.Pos, Value: m.Value.clone()})
		}
	case target.Kind == Sequence && update.Kind == Sequence:
		target.Items = append(target.Items, update.clone().Items...)
	default:
		*target = *update.clone()
	}
}

// mergeable reports whether two values are merged, rather than one replaced.
func mergeable(target, update *Node) bool {
	return target.Kind == update.Kind && (target.Kind == Mapping || target.Kind == Sequence)
}

// place is a value in the tree and what it hangs on; parent is nil for the root.
type place struct {
	node, parent *Node
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

// find returns the places that the JSONPath under key selects. A path that is
// missing, malformed or matches nothing is reported.
func (o *overlay) find(action *Node, key string) ([]*place, bool) {
	target := action.Get(key)
	switch {
	case target == nil:
		o.list.Errorf(action.Pos, "add target: $.paths['/orders'].post", "this action has no %s", key)
		return nil, false
	case target.Kind != String:
		o.list.Errorf(target.Pos, "write a JSONPath such as $.paths['/orders'].post", "%s is %s, not a string", key, target.Kind)
		return nil, false
	}
	places, err := o.query(target.Text)
	if err != nil {
		pos, message := target.Pos, err.Error()
		if m := jsonPathError.FindStringSubmatch(message); m != nil {
			column, _ := strconv.Atoi(m[1])
			pos, message = target.runePos(column), m[2]
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

var jsonPathError = regexp.MustCompile(`^Error at line 1, column (\d+): (.*)$`)

// missing is the remedy for a path that matches nothing.
func (o *overlay) missing(path string) string {
	const remedy = "correct the path, or remove the action"
	wanted, ok := quotedName(path)
	if !ok {
		return remedy
	}
	paths := o.root.Get("paths")
	if item := paths.Get(wanted); item != nil && item.ref() != "" {
		return wanted + " is a $ref to another file, which an overlay does not reach; annotate it there"
	}
	if near, ok := diag.Nearest(wanted, names(paths)); ok && near != wanted {
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

// query runs a JSONPath over the tree as it is now.
func (o *overlay) query(path string) (places []*place, err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on some malformed paths
			places, err = nil, fmt.Errorf("%v", r)
		}
	}()
	compiled, err := jsonpath.NewPath(path, config.WithPropertyNameExtension())
	if err != nil {
		message, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		return nil, fmt.Errorf("%s", message)
	}
	b := bridge{back: map[*yaml.Node]*place{}}
	root := b.node(&place{node: o.root})
	seen := map[*Node]bool{}
	for _, n := range compiled.Query(root) {
		if p := b.back[n]; p != nil && !seen[p.node] {
			seen[p.node] = true
			places = append(places, p)
		}
	}
	return places, nil
}

// bridge copies the tree into the form that the JSONPath library walks, and
// leads back from its nodes to ours.
type bridge struct {
	back map[*yaml.Node]*place
}

func (b *bridge) node(p *place) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: scalarTag(p.node.Kind), Value: p.node.Text}
	b.back[y] = p
	switch p.node.Kind {
	case Mapping:
		y.Kind, y.Tag = yaml.MappingNode, "!!map"
		for _, m := range p.node.Members {
			key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.Name}
			y.Content = append(y.Content, key, b.node(&place{node: m.Value, parent: p.node}))
		}
	case Sequence:
		y.Kind, y.Tag = yaml.SequenceNode, "!!seq"
		for _, item := range p.node.Items {
			y.Content = append(y.Content, b.node(&place{node: item, parent: p.node}))
		}
	default:
	}
	return y
}

func scalarTag(k Kind) string {
	switch k {
	case Null:
		return "!!null"
	case Bool:
		return "!!bool"
	case Int:
		return "!!int"
	case Float:
		return "!!float"
	default:
		return "!!str"
	}
}
