package lock

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// defaultOf is a node's default as the lock keeps it, "" for none. An object that
// a default leaves out is still there if Go has no pointer to it. That depends on
// the document of the day, so the lock says it.
func defaultOf(n *model.Node) string {
	if n.Default == nil {
		return ""
	}
	decoder := json.NewDecoder(strings.NewReader(*n.Default))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || !addObjects(n, value) {
		return *n.Default
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // what was decoded encodes
	return strings.TrimSuffix(text.String(), "\n")
}

// addObjects adds such objects to a value of the node, and reports whether there
// are any.
func addObjects(n *model.Node, value any) (added bool) {
	switch value := value.(type) {
	case map[string]any:
		if n.Kind == model.Map {
			for _, entry := range value {
				added = addObjects(n.Elem, entry) || added
			}
		}
		for _, member := range n.Members {
			if value[member.Name] == nil && member.Kind == model.Object && member.Zero && member.Default == nil {
				value[member.Name], added = map[string]any{}, true
			}
			added = addObjects(member, value[member.Name]) || added
		}
	case []any:
		if n.Kind == model.List {
			for _, item := range value {
				added = addObjects(n.Elem, item) || added
			}
		}
	}
	return added
}
