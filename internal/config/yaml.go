package config

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

// mapping is a YAML mapping with known keys.
type mapping struct {
	node    *yaml.Node
	name    string // "server", or "the configuration"
	entries map[string]entry
}

type entry struct {
	name  string // dotted: "server.out"
	key   *yaml.Node
	value *yaml.Node // never an alias
}

// parse returns the document's root node, or nil after a report.
func (r *reader) parse(data []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		r.reportAt(r.file.Pos, "the configuration is empty", "start with version: 1")
		return nil
	}
	if err == nil {
		if err = decoder.Decode(&second); errors.Is(err, io.EOF) {
			return document.Content[0]
		}
	}
	if err == nil {
		r.report(&second, "the configuration holds a second YAML document", "keep one")
		return nil
	}
	pos, message := syntaxError(r.file.Pos, err)
	r.reportAt(pos, message, "mend the YAML")
	return nil
}

var yamlError = regexp.MustCompile(`^yaml: line (\d+): (.*)`)

// syntaxError finds the line in an error of the YAML library, which knows no column.
func syntaxError(pos diag.Position, err error) (diag.Position, string) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlError.FindStringSubmatch(err.Error()); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	return pos, "this is not YAML: " + text
}

// mapping reads node, whose keys must be known and must not repeat. It returns nil
// when node is no mapping.
func (r *reader) mapping(node *yaml.Node, name string, known []string) *mapping {
	node = resolve(node)
	if node.Kind != yaml.MappingNode {
		r.report(node, name+" must be a mapping, not "+describe(node), "write key: value lines, such as "+known[0]+": …")
		return nil
	}
	m := &mapping{node: node, name: name, entries: map[string]entry{}}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolve(node.Content[i+1])
		dotted := key.Value
		if name == "server" {
			dotted = "server." + key.Value
		}
		first, repeated := m.entries[key.Value]
		switch {
		case repeated:
			r.report(key, dotted+" is given twice, first in line "+strconv.Itoa(first.key.Line), "keep one")
			continue
		case key.Kind != yaml.ScalarNode || !slices.Contains(known, key.Value):
			r.unknownKey(key, known)
			continue
		}
		m.entries[key.Value] = entry{dotted, key, value}
	}
	return m
}

func (r *reader) unknownKey(key *yaml.Node, known []string) {
	if key.Kind != yaml.ScalarNode {
		r.report(key, describe(key)+" cannot be a key", "use one of "+strings.Join(known, ", "))
		return
	}
	r.report(key, "unknown key "+quote(key.Value), diag.DidYouMean(key.Value, known))
}

// require returns an entry, or reports that it is missing.
func (r *reader) require(m *mapping, key, example string) (entry, bool) {
	e, ok := m.entries[key]
	if ok {
		return e, true
	}
	name := key
	if m.name == "server" {
		name = "server." + key
	}
	r.report(m.node, name+" is missing", "add "+example)
	return entry{}, false
}

// text reads a string that is not empty.
func (r *reader) text(e entry) (string, bool) {
	if e.value.Kind != yaml.ScalarNode || e.value.Tag != "!!str" {
		r.report(e.value, e.name+" must be text, not "+describe(e.value), "write a value, in quotes if need be")
		return "", false
	}
	if strings.TrimSpace(e.value.Value) == "" {
		r.report(e.value, e.name+" is empty", "write a value")
		return "", false
	}
	return e.value.Value, true
}

func (r *reader) report(node *yaml.Node, message, remedy string) {
	r.reportAt(r.position(node), message, remedy)
}

func (r *reader) reportAt(pos diag.Position, message, remedy string) {
	r.problems.Add(diag.Diagnostic{Pos: pos, Message: message, Remedy: remedy})
}

func (r *reader) position(node *yaml.Node) diag.Position {
	return diag.Position{File: r.file.Display, Line: max(node.Line, 1), Column: max(node.Column, 1)}
}

func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// describe names the value of a node for a message.
func describe(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "a mapping"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.Tag == "!!null":
		return "nothing"
	default:
		return quote(node.Value)
	}
}

func quote(s string) string { return strconv.Quote(s) }
