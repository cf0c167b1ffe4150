package spec

import (
	"strconv"

	"go.yaml.in/yaml/v4"
)

// yamlTree is n as the YAML parser would have read it: the form that kin-openapi
// decodes, without a text in between.
func yamlTree(n *Node) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: scalarTag(n.Kind), Value: n.Text}
	switch n.Kind {
	case Mapping:
		y.Kind, y.Tag, y.Value = yaml.MappingNode, "!!map", ""
		y.Content = make([]*yaml.Node, 0, 2*len(n.Members))
		for _, m := range n.Members {
			key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.Name}
			y.Content = append(y.Content, key, yamlTree(m.Value))
		}
	case Sequence:
		y.Kind, y.Tag, y.Value = yaml.SequenceNode, "!!seq", ""
		y.Content = make([]*yaml.Node, 0, len(n.Items))
		for _, item := range n.Items {
			y.Content = append(y.Content, yamlTree(item))
		}
	case Int:
		y.Tag = intTag(n.Text)
	default:
	}
	return y
}

// intTag is !!int for what fits into 64 bits; of larger ones YAML makes floats.
func intTag(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "!!int"
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return "!!int"
	}
	return "!!float"
}
