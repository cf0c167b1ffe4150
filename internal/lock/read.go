package lock

import (
	"bytes"
	"errors"
	"io"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// Parse reads the content of idemgen.lock.yaml. An empty file is an empty
// lock. What the file says is taken strictly: an unknown key is an error. A file of
// version 1 says less: it has no tables, and of operations only what decides the
// meaning of their requests.
func Parse(file string, data []byte) (model.Lock, diag.List) {
	p := &parser{file: file}
	var document yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&document); {
	case errors.Is(err, io.EOF):
		return model.Lock{}, nil
	case err != nil:
		p.list.Errorf(p.yamlErrorPos(err), restoreFile, "this is not YAML: %s", yamlMessage(err))
		return model.Lock{}, p.list
	}
	root := document.Content[0]
	if !p.known(root) {
		return model.Lock{}, p.list
	}
	lock := p.lock(root)
	p.list.Sort()
	if p.list.HasErrors() {
		return model.Lock{}, p.list
	}
	return lock, p.list
}

const restoreFile = "restore the file from version control"

type parser struct {
	file string
	list diag.List
}

// known checks that the file is of a version that this package reads.
func (p *parser) known(root *yaml.Node) bool {
	pos := p.pos(root)
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		if key, value := root.Content[i], root.Content[i+1]; key.Value == "version" {
			if value.Kind == yaml.ScalarNode && (value.Value == "1" || value.Value == "2") {
				return true
			}
			pos = p.pos(value)
		}
	}
	p.list.Errorf(pos, "use the idemgen that wrote the file, or a newer one", "this is not a lock file of version: 1 or 2")
	return false
}

func (p *parser) lock(root *yaml.Node) model.Lock {
	var lock model.Lock
	p.mapping(root, "the lock file", func(key string, value *yaml.Node) bool {
		switch key {
		case "version":
		case "tables":
			lock.Tables = p.tables(value)
		case "operations":
			lock.Operations = p.operations(value)
		case "accepted":
			lock.Accepted = p.texts(value)
		case "files":
			lock.Files = p.texts(value)
		default:
			return false
		}
		return true
	})
	return lock
}

func (p *parser) operations(list *yaml.Node) []model.LockOperation {
	var operations []model.LockOperation
	seen := make(map[string]bool)
	p.sequence(list, func(item *yaml.Node) {
		operation := p.operation(item)
		if seen[operation.Name] {
			p.list.Errorf(p.pos(item), restoreFile, "operation %q is listed twice", operation.Name)
		}
		seen[operation.Name] = true
		operations = append(operations, operation)
	})
	return operations
}

func (p *parser) operation(node *yaml.Node) model.LockOperation {
	var operation model.LockOperation
	durations := map[string]*time.Duration{"window": &operation.Window, "wait": &operation.Wait, "retryAfter": &operation.RetryAfter}
	before := len(p.list)
	p.mapping(node, "an operation", func(key string, value *yaml.Node) bool {
		if duration, ok := durations[key]; ok {
			*duration = p.duration(value)
			return true
		}
		switch key {
		case "name":
			operation.Name = p.text(value)
		case "scope":
			operation.Scope = p.text(value)
		case "request":
			operation.Request = p.text(value)
		case "mode":
			operation.Mode = p.text(value)
		case "key":
			operation.Key = p.key(value)
		case "final":
			operation.Final = p.texts(value)
		case "notFinal":
			operation.NotFinal = p.texts(value)
		case "status":
			operation.Statuses = p.statuses(value)
		case "replayHeaders":
			operation.Headers = p.texts(value)
		case "maxBody":
			operation.MaxBody = p.size(value)
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
	defaultWindows(operation.Versions, operation.Window)
	return operation
}

// defaultWindows gives the operation's window to versions in use that have none.
func defaultWindows(versions []model.LockVersion, window time.Duration) {
	for i := range versions {
		if version := &versions[i]; version.Window == 0 && !version.Retired {
			version.Window = window
		}
	}
}

// checkOrder demands the newest version first, in use, and each once.
func (p *parser) checkOrder(versions []model.LockVersion) {
	for i, version := range versions {
		switch {
		case i == 0 && version.Retired:
			p.list.Errorf(version.Pos, restoreFile, "version %d is the newest and cannot be retired", version.Version)
		case i > 0 && version.Version >= versions[i-1].Version:
			p.list.Errorf(version.Pos, restoreFile, "version %d stands below version %d; the newest comes first", version.Version, versions[i-1].Version)
		}
	}
}

func (p *parser) version(node *yaml.Node) model.LockVersion {
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
		p.list.Errorf(version.Pos, restoreFile, "this fingerprint has no version")
	case version.Retired:
		p.checkRetired(version, given)
	default:
		p.checkDigest(version, given["digest"])
	}
	return version
}

func (p *parser) checkRetired(version model.LockVersion, given map[string]*yaml.Node) {
	for _, key := range []string{"window", "digest", "fields"} {
		if value := given[key]; value != nil {
			p.list.Errorf(p.pos(value), restoreFile, "version %d is retired and has no %s", version.Version, key)
		}
	}
}

// checkDigest demands that a version's fields are those that were generated.
func (p *parser) checkDigest(version model.LockVersion, digest *yaml.Node) {
	switch {
	case digest == nil:
		p.list.Errorf(version.Pos, restoreFile, "version %d has no digest", version.Version)
	case version.Digest != digestOf(version.Fields):
		p.list.Errorf(p.pos(digest), restoreFile+"; only idemgen generate writes it",
			"the digest is not that of the fields of version %d: somebody has edited them, or merged two versions of the file", version.Version)
	}
}

func (p *parser) field(node *yaml.Node) model.LockField {
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
			field.Normalize = p.texts(value)
		case "nullable":
			field.Nullable = p.mark(value)
		default:
			return false
		}
		return true
	})
	return field
}
