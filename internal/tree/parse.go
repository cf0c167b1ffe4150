package tree

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Limits on what is read, so that a hostile file fails instead of taking all
// memory or stack.
const (
	// MaxDepth is how deep the values of a file may be nested.
	MaxDepth    = 500
	maxExpanded = 500_000 // nodes that aliases may add
)

const byteOrderMark = "\ufeff"

// Parse reads a file, YAML or JSON, whose name is shown in positions. Without a tree
// there is at least one error; with one there can be errors too, such as a duplicate
// key, and the tree is what is left without the faulty part.
func Parse(file string, text []byte) (*Node, diag.List) {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if IsJSON(file, text) {
		return parseJSON(file, text)
	}
	return parseYAML(file, text)
}

// IsJSON reports whether [Parse] reads a file as JSON, by its name or its text.
func IsJSON(file string, text []byte) bool {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return true
	}
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")
	return bytes.HasPrefix(text, []byte("{")) && json.Valid(text)
}
