package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// NewLock returns what the lock file remembers of a contract that [Versions] has
// completed: the operations by stored name, and the files that were written.
// before is the lock of the last run. Files are slash-separated and relative to
// the lock file.
func NewLock(contract *model.Contract, before model.Lock, files []string) model.Lock {
	lock := model.Lock{Tables: lockTables(contract), Files: slices.Sorted(slices.Values(files))}
	for _, operation := range contract.Operations {
		lock.Operations = append(lock.Operations, lockOperation(operation, lockedOperation(before, operation.Name)))
	}
	slices.SortFunc(lock.Operations, func(a, b model.LockOperation) int { return cmp.Compare(a.Name, b.Name) })
	return lock
}

// lockedOperation returns what lock remembers of an operation; nothing if it is
// new.
func lockedOperation(lock model.Lock, name string) model.LockOperation {
	for _, operation := range lock.Operations {
		if operation.Name == name {
			return operation
		}
	}
	return model.LockOperation{}
}

func lockOperation(operation *model.Operation, before model.LockOperation) model.LockOperation {
	locked := model.LockOperation{Name: operation.Name, Scope: operation.Scope.Name, Window: operation.Window}
	current := lockVersion(operation.Fingerprint)
	// Records that were written before the window became shorter keep theirs.
	current.Window = max(operation.Window, windowOf(before, current.Version))
	locked.Versions = append(locked.Versions, current)
	for _, older := range operation.Older {
		version := lockVersion(older.Fingerprint)
		version.Window = windowOf(before, version.Version)
		locked.Versions = append(locked.Versions, version)
	}
	for _, retired := range operation.Retired {
		locked.Versions = append(locked.Versions, model.LockVersion{Version: retired, Retired: true})
	}
	slices.SortFunc(locked.Versions, func(a, b model.LockVersion) int { return cmp.Compare(b.Version, a.Version) })
	return locked
}

// windowOf returns the longest window that records of a version may have, by what
// the lock says; 0 if it does not know the version.
func windowOf(before model.LockOperation, version int) time.Duration {
	for _, known := range before.Versions {
		if known.Version == version {
			return known.Window
		}
	}
	return 0
}

func lockVersion(fingerprint model.Fingerprint) model.LockVersion {
	fields := lockFields(fingerprint.Roots)
	return model.LockVersion{Version: fingerprint.Version, Digest: lockDigest(fields), Fields: fields}
}

// lockFields lists what is declared, so that the tree can be restored from it:
// every leaf, every map, and what else has something to say of itself. Lists and
// objects that have not show in the paths of what they hold.
func lockFields(roots []*model.Node) []model.LockField {
	var fields []model.LockField
	var visit func(n *model.Node, contentType string)
	visit = func(n *model.Node, contentType string) {
		if !isImplied(n) {
			field := lockField(n)
			field.ContentType = contentType
			fields = append(fields, field)
		}
		for _, member := range n.Members {
			visit(member, contentType)
		}
		if n.Elem != nil {
			visit(n.Elem, contentType)
		}
	}
	for _, root := range roots {
		visit(root, root.ContentType)
	}
	slices.SortFunc(fields, func(a, b model.LockField) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.ContentType, b.ContentType))
	})
	return fields
}

// isImplied reports whether a node follows from the paths of what is in it.
func isImplied(n *model.Node) bool {
	if n.Default != nil || n.Unordered || n.Nullable || len(n.Normalize) > 0 {
		return false
	}
	switch n.Kind {
	case model.Object:
		return len(n.Members) > 0
	case model.List:
		return true
	default:
		return false
	}
}

func lockField(n *model.Node) model.LockField {
	return model.LockField{
		Path:      n.Full,
		Type:      typeText(n.Kind, n.Format),
		Default:   lockDefault(n),
		Unordered: n.Unordered,
		Normalize: n.Normalize,
		Nullable:  n.Nullable,
	}
}

// encoding names the rules by which generated code turns fields into bytes. The
// name is part of every fingerprint; see docs/fingerprint.md.
const encoding = "idemgen/fingerprint/1"

// lockDigest is the first half of the SHA-256 of a field list and of the name of
// the encoding. It tells a list that somebody has edited from one that was
// generated.
func lockDigest(fields []model.LockField) string {
	hash := sha256.New()
	fmt.Fprintln(hash, encoding)
	for _, field := range fields {
		fmt.Fprintln(hash, fieldText(field))
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// fieldText says everything about a field in one line, which no other field has.
func fieldText(field model.LockField) string {
	text := fmt.Sprintf("%q %q %q unordered=%t normalize=%q nullable=%t",
		field.Path, field.Type, field.Default, field.Unordered, field.Normalize, field.Nullable)
	if field.ContentType != "" {
		text += fmt.Sprintf(" in %q", field.ContentType)
	}
	return text
}

// describeField is a field for people.
func describeField(field model.LockField) string {
	parts := []string{field.Type}
	if field.ContentType != "" {
		parts = append(parts, "in "+field.ContentType)
	}
	if field.Default != "" {
		parts = append(parts, "default "+field.Default)
	}
	if field.Unordered {
		parts = append(parts, "order ignored")
	}
	if len(field.Normalize) > 0 {
		parts = append(parts, "normalize "+strings.Join(field.Normalize, " "))
	}
	if field.Nullable {
		parts = append(parts, "nullable")
	}
	return field.Path + " (" + strings.Join(parts, ", ") + ")"
}

// fieldChanges describes what became of the fields, by path: "-" was there, "+"
// is there now, and a field that was changed shows both.
func fieldChanges(before, after []model.LockField) []string {
	was, is := byPath(before), byPath(after)
	paths := byPath(append(slices.Clone(before), after...))
	var changes []string
	for _, path := range sortedKeys(paths) {
		a, inOld := was[path]
		b, inNew := is[path]
		if inOld && inNew && fieldText(a) == fieldText(b) {
			continue
		}
		if inOld {
			changes = append(changes, "- "+describeField(a))
		}
		if inNew {
			changes = append(changes, "+ "+describeField(b))
		}
	}
	return changes
}

func byPath(fields []model.LockField) map[string]model.LockField {
	indexed := make(map[string]model.LockField)
	for _, field := range fields {
		indexed[field.Path+"\x00"+field.ContentType] = field
	}
	return indexed
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
