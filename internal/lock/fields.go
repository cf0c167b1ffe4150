package lock

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// Fields lists what is declared, so that [Restore] can build the tree from it:
// every leaf, every map, and what else has something to say of itself. Lists and
// objects that have not show in the paths of what they hold.
func Fields(roots []*model.Node) []model.LockField {
	var fields []model.LockField
	var visit func(n *model.Node, contentType string)
	visit = func(n *model.Node, contentType string) {
		if !isImplied(n) {
			field := fieldOf(n)
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

func fieldOf(n *model.Node) model.LockField {
	return model.LockField{
		Path:      n.Full,
		Type:      model.TypeText(n.Kind, n.Format),
		Default:   defaultOf(n),
		Unordered: n.Unordered,
		Normalize: n.Normalize,
		Nullable:  n.Nullable,
	}
}

// encoding names the rules by which generated code turns fields into bytes. The
// name is part of every fingerprint; see docs/fingerprint.md.
const encoding = "idemgen/fingerprint/1"

// digestOf is the first half of the SHA-256 of a field list and of the name of
// the encoding. It tells a list that somebody has edited from one that was
// generated.
func digestOf(fields []model.LockField) string {
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
	for _, path := range slices.Sorted(maps.Keys(paths)) {
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
