package lock

import (
	"bytes"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

const restoreFile = "restore the file from version control"

// Parse reads the content of idemgen.lock.yaml. An empty file is an empty lock. An
// unknown key is an error. A file of version 1 has no tables, and of operations only
// their name, scope, window and fingerprints.
func Parse(file string, data []byte) (model.Lock, diag.List) {
	if len(bytes.TrimSpace(data)) == 0 {
		return model.Lock{}, nil
	}
	root, list := tree.Parse(file, data)
	for i := range list {
		list[i].Remedy = restoreFile
	}
	if root == nil || !isKnownVersion(root, &list) {
		return model.Lock{}, list
	}
	lock := reader{tree.Decoder{Problems: &list, Remedy: restoreFile}}.lock(root)
	list.Sort()
	if list.HasErrors() {
		return model.Lock{}, list
	}
	return lock, list
}

// isKnownVersion reports a file of a version that this package does not read.
func isKnownVersion(root *tree.Node, list *diag.List) bool {
	pos := root.Pos
	if version := root.Get("version"); version != nil {
		if version.Kind == tree.Int && (version.Text == "1" || version.Text == "2") {
			return true
		}
		pos = version.Pos
	}
	list.Errorf(pos, "use the idemgen that wrote the file, or a newer one", "this is not a lock file of version: 1 or 2")
	return false
}

// reader reads the parts of a lock file. What a part lacks is left at its zero value.
type reader struct{ tree.Decoder }

func (r reader) lock(root *tree.Node) model.Lock {
	r.Mapping(root, "the lock file", "version", "tables", "operations", "accepted", "files")
	return model.Lock{
		Tables:     distinct(r, root, "tables", reader.table, func(t model.LockTable) string { return t.Table }),
		Operations: distinct(r, root, "operations", reader.operation, func(o model.LockOperation) string { return o.Name }),
		Accepted:   r.texts(root, "accepted"),
		Files:      r.texts(root, "files"),
	}
}

func (r reader) operation(n *tree.Node) model.LockOperation {
	r.Mapping(n, "an operation", "name", "request", "mode", "scope", "key", "final", "notFinal", "window", "wait",
		"retryAfter", "status", "replayHeaders", "maxBody", "fingerprints")
	before := len(*r.Problems)
	operation := model.LockOperation{
		Name:       r.text(n, "name"),
		Request:    r.text(n, "request"),
		Mode:       r.text(n, "mode"),
		Scope:      r.text(n, "scope"),
		Key:        r.key(n.Get("key")),
		Final:      r.texts(n, "final"),
		NotFinal:   r.texts(n, "notFinal"),
		Window:     r.duration(n, "window"),
		Wait:       r.duration(n, "wait"),
		RetryAfter: r.duration(n, "retryAfter"),
		Statuses:   r.statuses(n.Get("status")),
		Headers:    r.texts(n, "replayHeaders"),
		MaxBody:    r.integer(n, "maxBody"),
		Versions:   list(r, n, "fingerprints", reader.version),
	}
	if len(*r.Problems) == before {
		r.checkOrder(operation.Versions)
	}
	for i := range operation.Versions {
		if version := &operation.Versions[i]; version.Window == 0 && !version.Retired {
			version.Window = operation.Window
		}
	}
	return operation
}

// key reads where an operation's key is; n is nil in a file of version 1.
func (r reader) key(n *tree.Node) model.LockKey {
	if n == nil || !r.Mapping(n, "key", "in", "name", "required", "minLength", "maxLength", "pattern", "format") {
		return model.LockKey{}
	}
	return model.LockKey{
		In:        r.text(n, "in"),
		Name:      r.text(n, "name"),
		Required:  r.flag(n, "required"),
		MinLength: int(r.integer(n, "minLength")),
		MaxLength: int(r.integer(n, "maxLength")),
		Pattern:   r.text(n, "pattern"),
		Format:    r.text(n, "format"),
	}
}

// statuses reads the statuses of idemgen's answers; n is nil in a file of version 1.
func (r reader) statuses(n *tree.Node) model.LockStatuses {
	if n == nil || !r.Mapping(n, "status", "mismatch", "inFlight", "expired") {
		return model.LockStatuses{}
	}
	return model.LockStatuses{
		Mismatch: int(r.integer(n, "mismatch")),
		InFlight: int(r.integer(n, "inFlight")),
		Expired:  int(r.integer(n, "expired")),
	}
}
