package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// NewLock returns what the lock file remembers of a contract: the operations by
// stored name, and the files that were written. Files are slash-separated and
// relative to the lock file.
func NewLock(contract *model.Contract, files []string) model.Lock {
	lock := model.Lock{Files: slices.Sorted(slices.Values(files))}
	for _, operation := range contract.Operations {
		lock.Operations = append(lock.Operations, lockOperation(operation))
	}
	slices.SortFunc(lock.Operations, func(a, b model.LockOperation) int { return cmp.Compare(a.Name, b.Name) })
	return lock
}

func lockOperation(operation *model.Operation) model.LockOperation {
	return model.LockOperation{
		Name:   operation.Name,
		Scope:  operation.Scope.Name,
		Window: operation.Window,
		Versions: []model.LockVersion{{
			Version: operation.Fingerprint.Version,
			Fields:  lockFields(operation.Fingerprint.Roots),
		}},
	}
}

// lockFields lists what is declared: every leaf, every map, and every list that
// has a default. Other lists show in the paths of what they hold.
func lockFields(roots []*model.Node) []model.LockField {
	var fields []model.LockField
	var visit func(n *model.Node)
	visit = func(n *model.Node) {
		leaf := n.Kind != model.Object && n.Kind != model.List
		if leaf || n.Default != nil {
			fields = append(fields, lockField(n))
		}
		for _, member := range n.Members {
			visit(member)
		}
		if n.Elem != nil {
			visit(n.Elem)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	slices.SortFunc(fields, func(a, b model.LockField) int { return cmp.Compare(a.Path, b.Path) })
	return fields
}

func lockField(n *model.Node) model.LockField {
	field := model.LockField{Path: n.Full, Type: typeText(n.Kind, n.Format)}
	if n.Default != nil {
		field.Default = *n.Default
	}
	return field
}

// CompareLock reports the operations whose declared fields are no longer those
// that lock has under the same fingerprint version. Records that are stored
// under that version were compared by the old fields, and an honest retry would
// look like another request. lockFile is the lock's name, for the messages.
func CompareLock(lockFile string, lock model.Lock, contract *model.Contract) diag.List {
	old := make(map[string]model.LockOperation)
	for _, operation := range lock.Operations {
		old[operation.Name] = operation
	}
	var list diag.List
	for _, operation := range contract.Operations {
		before, known := old[operation.Name]
		if !known {
			continue
		}
		for _, version := range before.Versions {
			if version.Version != operation.Fingerprint.Version {
				continue
			}
			changes := fieldChanges(version.Fields, lockFields(operation.Fingerprint.Roots))
			if len(changes) > 0 {
				list.Errorf(operation.Fingerprint.Pos, changeRemedy(lockFile, before),
					"the fields that decide the meaning of %q are not those of %s: %s",
					operation.Name, lockFile, strings.Join(changes, ", "))
			}
		}
	}
	return list
}

func changeRemedy(lockFile string, before model.LockOperation) string {
	return fmt.Sprintf("restore the fields, or, if no key of this operation can still be inside its window of %s, "+
		"remove the operation from %s and run again (versions above 1 are not supported yet)", before.Window, lockFile)
}

// fieldChanges describes what became of the fields, by path: "-" was there, "+"
// is there now, and a field that was changed shows both.
func fieldChanges(before, after []model.LockField) []string {
	index := func(fields []model.LockField) map[string]model.LockField {
		byPath := make(map[string]model.LockField)
		for _, field := range fields {
			byPath[field.Path] = field
		}
		return byPath
	}
	was, is := index(before), index(after)
	paths := make(map[string]bool)
	for path := range was {
		paths[path] = true
	}
	for path := range is {
		paths[path] = true
	}
	var changes []string
	for _, path := range sortedKeys(paths) {
		a, inOld := was[path]
		b, inNew := is[path]
		if a == b {
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

func describeField(field model.LockField) string {
	text := field.Path + " (" + field.Type
	if field.Default != "" {
		text += ", default " + field.Default
	}
	return text + ")"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
