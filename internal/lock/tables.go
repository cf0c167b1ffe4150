package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// table returns what the lock has of a table; nil if it does not know it as a scope's.
func (c *comparison) table(name string) *model.LockTable {
	for i := range c.Lock.Tables {
		if c.Lock.Tables[i].Table == name {
			return &c.Lock.Tables[i]
		}
	}
	return nil
}

// tableText is a table in the words of accept.
func tableText(name string) string { return "table " + name }

// tablesGone reports tables, and previous tables, that the document does not have any
// more.
func (c *comparison) tablesGone() {
	for _, before := range c.Lock.Tables {
		if !c.stillUsed(before.Table) {
			c.tableGone(before)
			continue
		}
		for _, previous := range before.Previous {
			if !c.hasPrevious(previous.Table) {
				c.meet(change{
					text:    removed(tableText(previous.Table)),
					pos:     c.contract.Root,
					message: fmt.Sprintf("%s has the previous table %s, and the document does not: requests whose keys are there would execute again", c.File, previous.Table),
					remedy:  "restore it under previous: in the scope with table " + before.Table,
					ends:    []string{again(tableText(previous.Table))},
				})
			}
		}
	}
}

func (c *comparison) tableGone(before model.LockTable) {
	if c.hasPrevious(before.Table) {
		return // which is reported there
	}
	kept := []string{"table: " + yamlText(before.Table)}
	if before.Responses != "" {
		kept = append(kept, responsesText(before))
	}
	c.meet(change{
		text:    removed(tableText(before.Table)),
		pos:     c.contract.Root,
		message: fmt.Sprintf("%s has table %s, of scope %q, and the document does not: requests whose keys are there would execute again", c.File, before.Table, before.Scope),
		remedy:  "if the scope was renamed, write " + strings.Join(kept, " and ") + " in it",
		ends:    []string{tableText(before.Table) + ": responses ", again(tableText(before.Table))},
	})
}

// hasPrevious reports whether the document has the table as a previous one.
func (c *comparison) hasPrevious(table string) bool {
	return slices.ContainsFunc(c.contract.Scopes, func(s *model.Scope) bool {
		return slices.ContainsFunc(s.Previous, func(p *model.Previous) bool { return tableName(p.Scope) == table })
	})
}

// tablesAgain reports tables that were accepted as removed.
func (c *comparison) tablesAgain() {
	for _, scope := range c.contract.Scopes {
		c.tableAgain(tableName(scope), scope.Pos)
		for _, previous := range scope.Previous {
			c.tableAgain(tableName(previous.Scope), previous.Scope.Pos)
		}
	}
}

func (c *comparison) tableAgain(table string, pos diag.Position) {
	gone := removed(tableText(table))
	if !slices.Contains(c.accepted, gone) || c.knows(table) {
		return
	}
	c.meet(change{
		text:    again(tableText(table)),
		pos:     pos,
		message: fmt.Sprintf("table %s was accepted as removed, and may still be in the database with the columns and keys that it had", table),
		remedy:  "give it another name with table:",
		ends:    []string{gone},
	})
}

// knows reports whether the lock has the table, as a scope's or as a previous one.
func (c *comparison) knows(table string) bool {
	return slices.ContainsFunc(c.Lock.Tables, func(t model.LockTable) bool { return t.Table == table || previousOf(t, table) != nil })
}

func previousOf(t model.LockTable, table string) *model.LockPrevious {
	for i := range t.Previous {
		if t.Previous[i].Table == table {
			return &t.Previous[i]
		}
	}
	return nil
}

// responses reports recorded responses that are to be in another place.
func (c *comparison) responses(scope *model.Scope, before model.LockTable) {
	now := lockTable(scope)
	if now.Responses == before.Responses {
		return
	}
	restore := "leave responses out"
	if before.Responses != "" {
		restore = "write " + responsesText(before)
	}
	message := fmt.Sprintf("the responses of table %s are %s, and are to be %s", now.Table, place(before), place(now))
	if len(now.Previous)+len(before.Previous) > 0 {
		c.list.Errorf(scope.ResponsesPos, restore+": it cannot change while the scope has previous tables, whose responses are in the same place", "%s", message)
		return
	}
	c.meet(change{
		text:    fmt.Sprintf("%s: responses %s", tableText(now.Table), place(now)),
		pos:     scope.ResponsesPos,
		message: message + ": the table in the database has to be changed too, by the migration that generate makes of it",
		remedy:  restore,
		ends:    []string{tableText(now.Table) + ": responses "},
	})
}

// responsesText spells where partitioned responses are as an annotation does.
func responsesText(table model.LockTable) string {
	return fmt.Sprintf("responses: {partition: %s, table: %s}", table.Partition, yamlText(table.Responses))
}

// place says where a table's responses are.
func place(table model.LockTable) string {
	if table.Responses == "" {
		return "inline"
	}
	return "in daily partitions of " + table.Responses
}

// columns reports columns that are not those that the table has.
func (c *comparison) columns(scope *model.Scope, before model.LockTable) {
	now := lockColumns(scope.Columns)
	if sameColumns(now, before.Columns) || len(c.added(scope, before)) > 0 {
		return // or it is to be confirmed, which previous checks
	}
	pos := columnPos(scope, before.Columns)
	changes := columnChanges(before.Columns, now)
	if len(changes) == 0 {
		c.list.Errorf(pos, "restore it: "+strings.Join(names(before.Columns), ", "),
			"the columns of scope %q are not in the order that table %s has in %s: it is that of the primary key, and cannot change", scope.Name, before.Table, c.File)
		return
	}
	c.list.Errorf(pos, c.columnsRemedy(scope, before),
		"the columns of scope %q are not those that table %s has in %s: %s. Recorded keys would not be found, and retries would execute again",
		scope.Name, before.Table, c.File, strings.Join(changes, ", "))
}

// columnsRemedy lists the ways out. A change of types alone has no confirmation:
// instances from before it would go on with the new table.
func (c *comparison) columnsRemedy(scope *model.Scope, before model.LockTable) string {
	remedy := "restore them; or leave this scope as it is, and declare another one for new operations"
	if slices.Equal(sortedNames(before.Columns), sortedNames(lockColumns(scope.Columns))) {
		return remedy + "; or give the column whose type changes another name too, and confirm the change with previous:"
	}
	renamed := ""
	if slices.ContainsFunc(before.Columns, func(old model.LockColumn) bool { return !hasColumn(scope.Columns, old) }) {
		renamed = " (with now: and the new name in a column that was only renamed)"
	}
	return fmt.Sprintf("%s; or confirm the change: add previous: [{table: %s, columns: [%s]}] to the scope%s, and apply the migration",
		remedy, yamlText(c.freeName(before.Table)), strings.Join(columnTexts(before.Columns), ", "), renamed)
}

// freeName is a name for the old table that nothing has.
func (c *comparison) freeName(table string) string {
	parts, _ := naming.ParseTable(table)
	schema, base := "", parts[len(parts)-1]
	if len(parts) == 2 {
		schema = parts[0]
	}
	for i := 1; ; i++ {
		name := naming.QuoteTable(schema, naming.FitSQL(base, fmt.Sprintf("_%d", i)))
		if !c.knows(name) && !c.stillUsed(name) && !slices.Contains(c.accepted, removed(tableText(name))) {
			return name
		}
	}
}

// columnPos is where the first column stands that is not as the lock has it; for one
// that is missing, the list.
func columnPos(scope *model.Scope, before []model.LockColumn) diag.Position {
	for _, column := range scope.Columns {
		if !slices.ContainsFunc(before, func(old model.LockColumn) bool { return old.Name == column.Name && old.Type == column.Type }) {
			return column.Pos
		}
	}
	for i, column := range scope.Columns {
		if len(before) == len(scope.Columns) && column.Name != before[i].Name {
			return column.Pos
		}
	}
	return scope.ColumnsPos
}

// sameColumns reports whether the keys of a table are made of these columns. How long
// a text may be and where a value comes from are no part of that.
func sameColumns(a, b []model.LockColumn) bool {
	return slices.EqualFunc(a, b, func(a, b model.LockColumn) bool { return a.Name == b.Name && a.Type == b.Type })
}

func hasColumn(columns []model.Column, old model.LockColumn) bool {
	return slices.ContainsFunc(columns, func(c model.Column) bool { return c.Name == old.Name && c.Type == old.Type })
}

func names(columns []model.LockColumn) []string {
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	return names
}

func sortedNames(columns []model.LockColumn) []string {
	return slices.Sorted(slices.Values(names(columns)))
}

// columnChanges describes what became of the columns: "-" was there, "+" is there now.
// A change of the order alone is nothing.
func columnChanges(before, now []model.LockColumn) []string {
	var changes []string
	missing := func(from, in []model.LockColumn, mark string) {
		for _, column := range from {
			if !slices.ContainsFunc(in, func(c model.LockColumn) bool { return c.Name == column.Name && c.Type == column.Type }) {
				changes = append(changes, fmt.Sprintf("%s %s (%s)", mark, column.Name, column.Type))
			}
		}
	}
	missing(before, now, "-")
	missing(now, before, "+")
	return changes
}

// columnTexts spells columns as an annotation does.
func columnTexts(columns []model.LockColumn) []string {
	var texts []string
	for _, column := range columns {
		text := fmt.Sprintf("{name: %s, type: %s", column.Name, column.Type)
		if column.MaxLength > 0 {
			text += fmt.Sprintf(", maxLength: %d", column.MaxLength)
		}
		texts = append(texts, text+"}")
	}
	return texts
}
