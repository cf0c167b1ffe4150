package migrate

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// Schema is the SQL that creates one key table and what belongs to it, as the schema
// file has it.
type Schema struct {
	Keys      string // the key table, its index and its comments
	Responses string // the table of its responses and its rotation; "" where they are inline
}

// Change is what has become of one table.
type Change struct {
	Kind    Kind
	Summary string // for people: "account_idempotency_keys is created"
	SQL     string // statements, to be run in one transaction; comments alone where there is nothing to do
	Revert  string // statements that undo it; "" where that would lose keys or is not possible

	slug string // for a file's name: "create_account_idempotency_keys"
}

// Kind is what a change does to its table.
type Kind int

// The kinds. The schema file makes what is created, and nothing else.
const (
	Created Kind = iota
	Altered
	Unused // it stays as it was, and nothing uses it
)

// Changes returns what has to be done to a database with the tables before, so that it
// has the tables after: tables whose columns change first, as they free names; then what
// is created, what is altered in place, and what is not used any more. Tables are
// compared by their names. schemas has an entry for each table of after, by name.
//
// A table of after with other columns than before must have a previous table, which it did
// not have before, with the columns before, and its responses where they were: lock.Compare
// has refused everything else.
func Changes(before, after []model.LockTable, schemas map[string]Schema) []Change {
	var moved, added, changed, left []Change
	for _, is := range after {
		schema := schemas[is.Table]
		was, known := find(before, is.Table)
		switch {
		case !known:
			added = append(added, create(is, schema))
		case !sameColumns(was.Columns, is.Columns):
			moved = append(moved, move(was, is, schema))
		default:
			changed = append(changed, alter(was, is, schema)...)
		}
		left = append(left, leftovers(was, is)...)
	}
	for _, was := range before {
		if _, stays := find(after, was.Table); !stays {
			left = append(left, leave(was)...)
		}
	}
	return slices.Concat(moved, added, changed, left)
}

func find(tables []model.LockTable, name string) (model.LockTable, bool) {
	i := slices.IndexFunc(tables, func(t model.LockTable) bool { return t.Table == name })
	if i < 0 {
		return model.LockTable{}, false
	}
	return tables[i], true
}

// sameColumns reports whether two lists make tables that differ in lengths at most.
func sameColumns(a, b []model.LockColumn) bool {
	return slices.EqualFunc(a, b, func(a, b model.LockColumn) bool { return a.Name == b.Name && a.Type == b.Type })
}

// leftovers are tables that belonged to a table which stays, and that nothing uses any
// more.
func leftovers(was, is model.LockTable) []Change {
	var changes []Change
	if was.Responses != "" && was.Responses != is.Responses {
		changes = append(changes, leaveResponses(was.Responses))
	}
	for _, previous := range was.Previous {
		if !hasPrevious(is, previous.Table) {
			changes = append(changes, leaveKeys(previous.Table))
		}
	}
	return changes
}

// leave is what there is to say of a scope's tables that nothing uses any more.
func leave(was model.LockTable) []Change {
	return append([]Change{leaveKeys(was.Table)}, leftovers(was, model.LockTable{})...)
}

func hasPrevious(t model.LockTable, name string) bool {
	return slices.ContainsFunc(t.Previous, func(p model.LockPrevious) bool { return p.Table == name })
}

// comments returns the statements of a schema that comment on something, each of which
// is a line.
func comments(schema string) string {
	var found []string
	for line := range strings.Lines(schema) {
		if strings.HasPrefix(line, "COMMENT ON ") {
			found = append(found, strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(found, "\n")
}

// paragraphs joins parts of SQL by empty lines.
func paragraphs(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	for i := range parts {
		parts[i] = strings.Trim(parts[i], "\n")
	}
	return strings.Join(parts, "\n\n")
}
