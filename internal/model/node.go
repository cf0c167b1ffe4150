package model

import (
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Kind says how a declared value is encoded.
type Kind string

// The kinds of nodes. Object, List and Map have children, the others are leaves.
const (
	Object  Kind = "object"
	List    Kind = "list"
	Map     Kind = "map"
	Boolean Kind = "boolean"
	Integer Kind = "integer"
	Number  Kind = "number"
	String  Kind = "string"
	Bytes   Kind = "bytes"
	Date    Kind = "date"
	Instant Kind = "date-time"
	UUID    Kind = "uuid"
	JSON    Kind = "json" // any JSON value, kept as raw text and canonicalised
)

// TypeText describes a type as a schema does: "integer int32".
func TypeText(kind Kind, format string) string {
	switch kind {
	case Bytes:
		return "string byte"
	case Date, Instant, UUID:
		return "string " + string(kind)
	default:
		return strings.TrimSpace(string(kind) + " " + format)
	}
}

// ParseTypeText is the inverse of [TypeText].
func ParseTypeText(text string) (Kind, string) {
	kind, format, _ := strings.Cut(text, " ")
	if kind == string(String) {
		switch format {
		case "byte":
			return Bytes, format
		case string(Date), string(Instant), string(UUID):
			return Kind(format), format
		}
	}
	return Kind(kind), format
}

// Normalizations that a string may undergo before it is hashed, in this order.
const (
	Trim    = "trim"    // ASCII white space at both ends
	Lower   = "lower"   // ASCII letters
	NFC     = "nfc"     // Unicode normalisation form C
	Decimal = "decimal" // a decimal number by value: 1.50 = 1.5
)

// Node is one declared value of a request, as the document describes it. The
// leaves of all declared fields are merged into one tree; where a field names an
// object, its declared properties are the members.
type Node struct {
	Name    string  // member name in the enclosing object: "quantity"; parameter name; "" for elements and the body
	Path    string  // framing path, from the enclosing element or the root: "quantity", "body.ship_to.city"
	Full    string  // canonical path from the root: "body.items[].quantity"
	Kind    Kind    //
	Format  string  // the schema's format, as written
	Default *string // the schema's default as JSON text; nil for none

	Nullable  bool     // null is told from absent; of raw JSON: a null is kept as it is
	Unordered bool     // of a list: a multiset, in which the order of elements does not count
	Normalize []string // of a string: normalizations, in the order in which they apply

	// What decoding does to it, as far as the business function can tell.
	Zero      bool     // where it is missing or null it is the zero value of its type, and not absent
	Required  bool     // of a parameter or the body: a request without it is refused
	Delimiter string   // of a parameter that is a list: between elements; "" if each is a value of its own
	Exact     bool     // of an object: names are matched exactly, and not whatever their letter case
	Names     []string // of an object: all properties, declared or not, sorted
	GoType    string   // the Go type that the document asks for by x-go-type; "" for the usual one

	ContentType string // of a body that is one of several: "application/json"; else ""

	Members []*Node // of an object, sorted by Name
	Elem    *Node   // of a list or a map
	Pos     diag.Position
}

// Leaves returns the nodes below n that are written as fields when n itself is
// absent: every leaf, list and map that is not inside another list or map.
func (n *Node) Leaves() []*Node {
	if n.Kind != Object {
		return []*Node{n}
	}
	var leaves []*Node
	for _, member := range n.Members {
		leaves = append(leaves, member.Leaves()...)
	}
	return leaves
}
