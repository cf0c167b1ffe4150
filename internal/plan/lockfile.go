package plan

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// ParseLock reads the content of idemgen.lock.yaml. An empty file is an empty
// lock. What the file says is taken strictly: an unknown key is an error.
func ParseLock(file string, data []byte) (model.Lock, diag.List) {
	p := &lockParser{file: file}
	var document yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&document); {
	case errors.Is(err, io.EOF):
		return model.Lock{}, nil
	case err != nil:
		p.list.Errorf(p.yamlErrorPos(err), lockRemedy, "this is not YAML: %s", yamlMessage(err))
		return model.Lock{}, p.list
	}
	root := document.Content[0]
	if !p.version1(root) {
		return model.Lock{}, p.list
	}
	lock := p.lock(root)
	p.list.Sort()
	if p.list.HasErrors() {
		return model.Lock{}, p.list
	}
	return lock, p.list
}

const lockRemedy = "restore the file from version control"

type lockParser struct {
	file string
	list diag.List
}

// version1 checks that the file is of the one version that this package reads.
func (p *lockParser) version1(root *yaml.Node) bool {
	pos := p.pos(root)
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		if key, value := root.Content[i], root.Content[i+1]; key.Value == "version" {
			if value.Kind == yaml.ScalarNode && value.Value == "1" {
				return true
			}
			pos = p.pos(value)
		}
	}
	p.list.Errorf(pos, "use the idemgen that wrote the file, or a newer one", "this is not a lock file of version: 1")
	return false
}

func (p *lockParser) lock(root *yaml.Node) model.Lock {
	var lock model.Lock
	p.mapping(root, "the lock file", func(key string, value *yaml.Node) bool {
		switch key {
		case "version":
		case "tables":
			p.sequence(value, func(item *yaml.Node) { lock.Tables = append(lock.Tables, p.table(item)) })
		case "operations":
			lock.Operations = p.operations(value)
		case "files":
			p.sequence(value, func(item *yaml.Node) { lock.Files = append(lock.Files, p.text(item)) })
		default:
			return false
		}
		return true
	})
	return lock
}

func (p *lockParser) operations(list *yaml.Node) []model.LockOperation {
	var operations []model.LockOperation
	seen := make(map[string]bool)
	p.sequence(list, func(item *yaml.Node) {
		operation := p.operation(item)
		if seen[operation.Name] {
			p.list.Errorf(p.pos(item), lockRemedy, "operation %q is listed twice", operation.Name)
		}
		seen[operation.Name] = true
		operations = append(operations, operation)
	})
	return operations
}

func (p *lockParser) operation(node *yaml.Node) model.LockOperation {
	var operation model.LockOperation
	before := len(p.list)
	p.mapping(node, "an operation", func(key string, value *yaml.Node) bool {
		switch key {
		case "name":
			operation.Name = p.text(value)
		case "scope":
			operation.Scope = p.text(value)
		case "window":
			operation.Window = p.duration(value)
		case "fingerprints":
			p.sequence(value, func(item *yaml.Node) { operation.Versions = append(operation.Versions, p.version(item)) })
		default:
			return false
		}
		return true
	})
	if len(p.list) == before {
		p.checkOrder(operation.Versions)
	}
	for i := range operation.Versions {
		if version := &operation.Versions[i]; version.Window == 0 && !version.Retired {
			version.Window = operation.Window
		}
	}
	return operation
}

// checkOrder demands the newest version first, in use, and each once.
func (p *lockParser) checkOrder(versions []model.LockVersion) {
	for i, version := range versions {
		switch {
		case i == 0 && version.Retired:
			p.list.Errorf(version.Pos, lockRemedy, "version %d is the newest and cannot be retired", version.Version)
		case i > 0 && version.Version >= versions[i-1].Version:
			p.list.Errorf(version.Pos, lockRemedy, "version %d stands below version %d; the newest comes first", version.Version, versions[i-1].Version)
		}
	}
}

func (p *lockParser) version(node *yaml.Node) model.LockVersion {
	version := model.LockVersion{Pos: p.pos(node)}
	given := make(map[string]*yaml.Node)
	before := len(p.list)
	p.mapping(node, "a fingerprint", func(key string, value *yaml.Node) bool {
		given[key] = value
		switch key {
		case "version":
			version.Version = p.integer(value)
		case "retired":
			version.Retired = p.mark(value)
		case "window":
			version.Window = p.duration(value)
		case "digest":
			version.Digest = p.text(value)
		case "fields":
			p.sequence(value, func(item *yaml.Node) { version.Fields = append(version.Fields, p.field(item)) })
		default:
			return false
		}
		return true
	})
	switch {
	case len(p.list) > before:
	case version.Version == 0:
		p.list.Errorf(version.Pos, lockRemedy, "this fingerprint has no version")
	case version.Retired:
		p.checkRetired(version, given)
	default:
		p.checkDigest(version, given["digest"])
	}
	return version
}

func (p *lockParser) checkRetired(version model.LockVersion, given map[string]*yaml.Node) {
	for _, key := range []string{"window", "digest", "fields"} {
		if value := given[key]; value != nil {
			p.list.Errorf(p.pos(value), lockRemedy, "version %d is retired and has no %s", version.Version, key)
		}
	}
}

// checkDigest demands that a version's fields are those that were generated.
func (p *lockParser) checkDigest(version model.LockVersion, digest *yaml.Node) {
	switch {
	case digest == nil:
		p.list.Errorf(version.Pos, lockRemedy, "version %d has no digest", version.Version)
	case version.Digest != lockDigest(version.Fields):
		p.list.Errorf(p.pos(digest), lockRemedy+"; only idemgen generate writes it",
			"the digest is not that of the fields of version %d: somebody has edited them, or merged two versions of the file", version.Version)
	}
}

func (p *lockParser) field(node *yaml.Node) model.LockField {
	var field model.LockField
	p.mapping(node, "a field", func(key string, value *yaml.Node) bool {
		switch key {
		case "path":
			field.Path = p.text(value)
		case "type":
			field.Type = p.text(value)
		case "in":
			field.ContentType = p.text(value)
		case "default":
			field.Default = p.text(value)
		case "order":
			field.Unordered = p.word(value, "ignored")
		case "normalize":
			p.sequence(value, func(item *yaml.Node) { field.Normalize = append(field.Normalize, p.text(item)) })
		case "nullable":
			field.Nullable = p.mark(value)
		default:
			return false
		}
		return true
	})
	return field
}

// mapping calls entry for each key of node. entry returns false for a key that
// it does not know.
func (p *lockParser) mapping(node *yaml.Node, what string, entry func(key string, value *yaml.Node) bool) {
	if node.Kind != yaml.MappingNode {
		p.list.Errorf(p.pos(node), lockRemedy, "%s must be a mapping", what)
		return
	}
	seen := make(map[string]bool)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case seen[key.Value]:
			p.list.Errorf(p.pos(key), lockRemedy, "key %q is given twice", key.Value)
		case !entry(key.Value, value):
			p.list.Errorf(p.pos(key), lockRemedy, "unknown key %q in %s", key.Value, what)
		}
		seen[key.Value] = true
	}
}

func (p *lockParser) sequence(node *yaml.Node, item func(*yaml.Node)) {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return
	}
	if node.Kind != yaml.SequenceNode {
		p.list.Errorf(p.pos(node), lockRemedy, "this must be a list")
		return
	}
	for _, content := range node.Content {
		item(content)
	}
}

func (p *lockParser) text(node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!str" {
		p.list.Errorf(p.pos(node), lockRemedy, "this must be a string")
		return ""
	}
	return node.Value
}

// mark reads a key that is only written where it holds.
func (p *lockParser) mark(node *yaml.Node) bool { return p.word(node, "true") }

func (p *lockParser) word(node *yaml.Node, word string) bool {
	if node.Kind != yaml.ScalarNode || node.Value != word {
		p.list.Errorf(p.pos(node), lockRemedy, "this must be %s", word)
		return false
	}
	return true
}

func (p *lockParser) integer(node *yaml.Node) int {
	n, err := strconv.Atoi(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode || n < 1 || n > maxVersion {
		p.list.Errorf(p.pos(node), lockRemedy, "this must be an integer from 1 to %d", maxVersion)
	}
	return n
}

func (p *lockParser) duration(node *yaml.Node) time.Duration {
	d, err := time.ParseDuration(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode || d <= 0 {
		p.list.Errorf(p.pos(node), lockRemedy, "this must be a duration such as 72h0m0s")
	}
	return d
}

func (p *lockParser) pos(node *yaml.Node) diag.Position {
	return diag.Position{File: p.file, Line: max(node.Line, 1), Column: max(node.Column, 1)}
}

func (p *lockParser) yamlErrorPos(err error) diag.Position {
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
