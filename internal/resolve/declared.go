package resolve

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// inBody reports whether a node is part of the body, and not of a parameter.
func inBody(node *model.Node) bool { return strings.HasPrefix(node.Full, "body") }

// isElement reports whether a node is what a list or a map holds.
func isElement(node *model.Node) bool { return node.Path == "" }

// isComposite reports whether a node has others below it.
func isComposite(node *model.Node) bool {
	return node.Kind == model.Object || node.Kind == model.List || node.Kind == model.Map
}

// isNilableKind reports whether the Go value of a kind can be missing without a
// pointer.
func isNilableKind(kind model.Kind) bool {
	return slices.Contains([]model.Kind{model.List, model.Map, model.Bytes, model.JSON}, kind)
}

// leaveOut is the remedy that always helps.
func leaveOut(node *model.Node) string { return "list " + node.Full + " under ignore" }

// describe names what the document says of a value.
func describe(node *model.Node) string {
	switch node.Kind {
	case model.Object, model.Integer:
		return "an " + string(node.Kind)
	case model.JSON:
		return "raw JSON"
	case model.Bytes:
		return "a string with format: byte"
	case model.Date, model.Instant, model.UUID:
		return "a string with format: " + string(node.Kind)
	}
	if node.Format != "" {
		return "a " + string(node.Kind) + " with format: " + node.Format
	}
	return "a " + string(node.Kind)
}
