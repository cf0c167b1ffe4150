package sqlc

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/idemgen/idemgen/internal/diag"
)

// document is the user's configuration as a tree without aliases and merges.
// Every node keeps the line and column that the user wrote it at.
type document struct {
	display string
	root    *yaml.Node
}

// parseDocument parses YAML, and with it JSON.
func parseDocument(display string, data []byte) (*document, error) {
	start := diag.Position{File: display, Line: 1, Column: 1}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, diag.List{diag.Errorf(start, `start with version: "2"`, "sqlc's configuration is empty")}
	}
	if err != nil {
		pos, text := syntaxError(start, err)
		return nil, diag.List{diag.Errorf(pos, "mend the YAML", "this is not YAML: %s", text)}
	}
	f := flattener{budget: 100_000}
	root, err := f.flatten(doc.Content[0], 0)
	if err != nil {
		return nil, diag.List{diag.Errorf(start, "write it without aliases", "%v", err)}
	}
	return &document{display: display, root: root}, nil
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): (.*)`)

func syntaxError(pos diag.Position, err error) (diag.Position, string) {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		return pos, m[2]
	}
	return pos, strings.TrimPrefix(err.Error(), "yaml: ")
}

// flattener copies a tree, putting what an alias or a merge key stands for in its
// place. Comments, anchors and styles of collections are left out.
type flattener struct {
	budget int // nodes that may still be made: aliases of aliases grow fast
}

var errTooLarge = errors.New("sqlc's configuration grows too large when its aliases are resolved")

func (f *flattener) flatten(node *yaml.Node, depth int) (*yaml.Node, error) {
	f.budget--
	if f.budget < 0 || depth > 100 {
		return nil, errTooLarge
	}
	if node.Kind == yaml.AliasNode {
		return f.flatten(node.Alias, depth+1)
	}
	out := &yaml.Node{Kind: node.Kind, Tag: node.Tag, Value: node.Value, Line: node.Line, Column: node.Column}
	if node.Kind == yaml.ScalarNode {
		out.Style = node.Style
	}
	if node.Kind == yaml.MappingNode {
		return out, f.flattenMapping(out, node, depth)
	}
	for _, child := range node.Content {
		c, err := f.flatten(child, depth+1)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, c)
	}
	return out, nil
}

// flattenMapping copies the pairs of a mapping: its own first, then those that
// are merged in and that it does not have.
func (f *flattener) flattenMapping(out, node *yaml.Node, depth int) error {
	var merges []*yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, err := f.flatten(node.Content[i], depth+1)
		if err != nil {
			return err
		}
		value, err := f.flatten(node.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		switch {
		case key.Tag != "!!merge":
			out.Content = append(out.Content, key, value)
		case value.Kind == yaml.SequenceNode:
			merges = append(merges, value.Content...)
		default:
			merges = append(merges, value)
		}
	}
	for _, merge := range merges {
		for i := 0; i+1 < len(merge.Content); i += 2 {
			if get(out, merge.Content[i].Value) == nil {
				out.Content = append(out.Content, merge.Content[i], merge.Content[i+1])
			}
		}
	}
	return nil
}

// get returns the value of a key, or nil. It may be called with nil.
func get(node *yaml.Node, key string) *yaml.Node {
	_, value := getPair(node, key)
	return value
}

func getPair(node *yaml.Node, key string) (k, v *yaml.Node) {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i], node.Content[i+1]
		}
	}
	return nil, nil
}

// set gives a key a value, in the place of the old one if there is one.
func set(node *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			node.Content[i+1] = value
			return
		}
	}
	node.Content = append(node.Content, text(key), value)
}

// without returns a copy of a mapping that lacks some keys.
func without(node *yaml.Node, keys ...string) *yaml.Node {
	out := *node
	out.Content = nil
	for i := 0; i+1 < len(node.Content); i += 2 {
		if !slices.Contains(keys, node.Content[i].Value) {
			out.Content = append(out.Content, node.Content[i], node.Content[i+1])
		}
	}
	return &out
}

func text(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
}

func textList(list []string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, s := range list {
		node.Content = append(node.Content, text(s))
	}
	return node
}

// isTrue reports whether the value is the boolean true.
func isTrue(node *yaml.Node) bool {
	var b bool
	return node != nil && node.Tag == "!!bool" && node.Decode(&b) == nil && b
}

func (d *document) pos(node *yaml.Node) diag.Position {
	return diag.Position{File: d.display, Line: max(node.Line, 1), Column: max(node.Column, 1)}
}
