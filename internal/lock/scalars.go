package lock

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// mapping calls entry for each key of node. entry returns false for a key that
// it does not know.
func (p *parser) mapping(node *yaml.Node, what string, entry func(key string, value *yaml.Node) bool) {
	if node.Kind != yaml.MappingNode {
		p.list.Errorf(p.pos(node), restoreFile, "%s must be a mapping", what)
		return
	}
	seen := make(map[string]bool)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case seen[key.Value]:
			p.list.Errorf(p.pos(key), restoreFile, "key %q is given twice", key.Value)
		case !entry(key.Value, value):
			p.list.Errorf(p.pos(key), restoreFile, "unknown key %q in %s", key.Value, what)
		}
		seen[key.Value] = true
	}
}

func (p *parser) sequence(node *yaml.Node, item func(*yaml.Node)) {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return
	}
	if node.Kind != yaml.SequenceNode {
		p.list.Errorf(p.pos(node), restoreFile, "this must be a list")
		return
	}
	for _, content := range node.Content {
		item(content)
	}
}

func (p *parser) texts(node *yaml.Node) []string {
	var texts []string
	p.sequence(node, func(item *yaml.Node) { texts = append(texts, p.text(item)) })
	return texts
}

func (p *parser) text(node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!str" {
		p.list.Errorf(p.pos(node), restoreFile, "this must be a string")
		return ""
	}
	return node.Value
}

// mark reads a key that is only written where it holds.
func (p *parser) mark(node *yaml.Node) bool { return p.word(node, "true") }

func (p *parser) boolean(node *yaml.Node) bool {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!bool" {
		p.list.Errorf(p.pos(node), restoreFile, "this must be true or false")
	}
	return node.Value == "true"
}

func (p *parser) word(node *yaml.Node, word string) bool {
	if node.Kind != yaml.ScalarNode || node.Value != word {
		p.list.Errorf(p.pos(node), restoreFile, "this must be %s", word)
		return false
	}
	return true
}

// integer reads a fingerprint version.
func (p *parser) integer(node *yaml.Node) int {
	n, err := strconv.Atoi(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode || n < 1 || n > model.MaxVersion {
		p.list.Errorf(p.pos(node), restoreFile, "this must be an integer from 1 to %d", model.MaxVersion)
	}
	return n
}

// number reads a number that is written only where it is not 0.
func (p *parser) number(node *yaml.Node) int { return int(p.size(node)) }

func (p *parser) size(node *yaml.Node) int64 {
	n, err := strconv.ParseInt(node.Value, 10, 64)
	if err != nil || node.Kind != yaml.ScalarNode || n < 1 {
		p.list.Errorf(p.pos(node), restoreFile, "this must be a number greater than 0")
	}
	return n
}

func (p *parser) duration(node *yaml.Node) time.Duration {
	d, err := time.ParseDuration(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode || d <= 0 {
		p.list.Errorf(p.pos(node), restoreFile, "this must be a duration such as 72h")
	}
	return d
}

func (p *parser) pos(node *yaml.Node) diag.Position {
	return diag.Position{File: p.file, Line: max(node.Line, 1), Column: max(node.Column, 1)}
}

func (p *parser) yamlErrorPos(err error) diag.Position {
	pos := diag.Position{File: p.file, Line: 1, Column: 1}
	if load := (*yaml.LoadError)(nil); errors.As(err, &load) {
		pos.Line, pos.Column = max(load.Mark.Line, 1), max(load.Mark.Column, 1)
	}
	return pos
}

func yamlMessage(err error) string {
	if load := (*yaml.LoadError)(nil); errors.As(err, &load) {
		return load.Message
	}
	return strings.TrimPrefix(err.Error(), "yaml: ")
}
