package lock

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// added are the previous tables that the lock does not have yet.
func (c *comparison) added(scope *model.Scope, before model.LockTable) []*model.Previous {
	var added []*model.Previous
	for _, previous := range scope.Previous {
		if previousOf(before, tableName(previous.Scope)) == nil {
			added = append(added, previous)
		}
	}
	return added
}

// previous reports previous tables of a scope that are not what the lock has, or what
// a change of the columns makes of the table. A file of version 1 has no tables: then
// the document is believed.
func (c *comparison) previous(scope *model.Scope) {
	if len(c.Lock.Tables) == 0 && len(c.Lock.Operations) > 0 {
		return
	}
	before := model.LockTable{}
	if known := c.table(tableName(scope)); known != nil {
		before = *known
	}
	for _, previous := range scope.Previous {
		if known := previousOf(before, tableName(previous.Scope)); known != nil {
			c.previousColumns(previous, known.Columns)
		}
	}
	added := c.added(scope, before)
	if len(added) > 0 {
		c.addedPrevious(scope, before, added)
	}
}

// addedPrevious checks the previous tables that are new: one, and it comes of a change.
func (c *comparison) addedPrevious(scope *model.Scope, before model.LockTable, added []*model.Previous) {
	newest := added[0]
	name := tableName(newest.Scope)
	switch {
	case sameColumns(lockColumns(scope.Columns), before.Columns), len(before.Columns) == 0:
		c.list.Errorf(newest.Pos, "remove it", "%s cannot be a previous table of scope %q: by %s the columns of the scope's table have not changed", name, scope.Name, c.File)
	case len(added) > 1:
		c.list.Errorf(added[1].Pos, "remove it, or restore "+c.File, "the previous table %s is not in %s: a change of the columns adds one", tableName(added[1].Scope), c.File)
	case scope.Previous[0] != newest:
		c.list.Errorf(newest.Pos, "put it at the beginning of previous:", "the previous table %s is the newest, and the newest comes first", name)
	case c.knows(name):
		c.list.Errorf(newest.Scope.Pos, "choose another name, such as "+c.freeName(before.Table)+"; the migration renames the table to it",
			"the previous table cannot be %s, which is in use", name)
	default:
		c.previousColumns(newest, before.Columns)
	}
}

// previousColumns reports columns of a previous table that are not those that it has.
func (c *comparison) previousColumns(previous *model.Previous, want []model.LockColumn) {
	if !exactColumns(lockColumns(previous.Columns), want) {
		c.list.Errorf(previous.ColumnsPos, "write columns: ["+strings.Join(columnTexts(want), ", ")+"]; now: may be added",
			"the columns of the previous table %s are not those that %s has", tableName(previous.Scope), c.File)
	}
}

// exactColumns reports whether a table has these columns, length included.
func exactColumns(a, b []model.LockColumn) bool {
	return slices.EqualFunc(a, b, func(a, b model.LockColumn) bool {
		return a.Name == b.Name && a.Type == b.Type && a.MaxLength == b.MaxLength
	})
}
