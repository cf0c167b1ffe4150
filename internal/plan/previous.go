package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/spec"
)

// previous plans the tables that held the scope's keys before its columns changed. It
// reports whether all of them are valid. The oldest is number 1, so that another change
// of the columns renames nothing.
func (p *planner) previous(scope *model.Scope, declared []spec.Previous) bool {
	before := len(p.list)
	for i, table := range declared {
		if planned := p.previousTable(scope, table, strconv.Itoa(len(declared)-i)); planned != nil {
			scope.Previous = append(scope.Previous, planned)
		}
	}
	return len(p.list) == before
}

// previousTable plans one of them. Its number distinguishes its queries from those of
// other tables.
func (p *planner) previousTable(scope *model.Scope, declared spec.Previous, number string) *model.Previous {
	if !declared.Table.Present() {
		p.list.Errorf(declared.Pos, "add table: with the name that the migration gives to the old table", "a previous table of scope %q has no name", scope.Name)
	}
	if len(declared.Columns.V) == 0 && (declared.Columns.OK || !declared.Columns.Present()) {
		p.list.Errorf(declared.Pos, "add columns: with the columns that the scope had", "a previous table of scope %q has no columns", scope.Name)
	}
	if !declared.Table.OK || len(declared.Columns.V) == 0 {
		return nil
	}
	schema, table, ok := p.table("key table", declared.Table)
	columns := p.scopeColumns(declared.Columns.V, "table "+declared.Table.V)
	if !ok || len(columns) < len(declared.Columns.V) {
		return nil
	}
	planned := &model.Previous{
		Scope: &model.Scope{
			Name: scope.Name, GoName: scope.GoName, Schema: schema, Table: table,
			Index: naming.FitSQL(table, "_replay_until_idx"), Columns: columns, Responses: scope.Responses,
			Queries: previousQueries(scope, number), Pos: declared.Table.Pos, ColumnsPos: declared.Columns.Key,
		},
		Alias: "p" + number, Pos: declared.Pos,
	}
	before := len(p.list)
	for i, column := range columns {
		planned.Now = append(planned.Now, p.now(scope, column, declared.Columns.V[i]))
	}
	if len(p.list) == before {
		p.checkKept(scope, planned)
	}
	if !planned.Attributable() {
		planned.LookupIndex = naming.FitSQL(table, "_lookup_idx")
	}
	return planned
}

// previousQueries names the queries of a previous table other than the lookup. No
// other query of a scope ends with a number.
func previousQueries(scope *model.Scope, number string) model.Queries {
	queries := model.Queries{Purge: scope.Queries.Purge + number, Rotate: scope.Queries.Rotate}
	if scope.Queries.Sweep != "" {
		queries.Sweep = scope.Queries.Sweep + number
	}
	return queries
}

// now returns the scope's column that holds the values of a previous column, or "".
func (p *planner) now(scope *model.Scope, column model.Column, declared spec.Column) string {
	name := declared.Now.Or(column.Name)
	i := slices.IndexFunc(scope.Columns, func(c model.Column) bool { return c.Name == name })
	if i >= 0 && scope.Columns[i].Type == column.Type {
		return name
	}
	switch {
	case !declared.Now.OK:
	case i < 0:
		var names []string
		for _, c := range scope.Columns {
			names = append(names, c.Name)
		}
		p.list.Errorf(declared.Now.Pos, "name one of the scope's columns: "+strings.Join(names, ", "), "scope %q has no column %q", scope.Name, name)
	default:
		p.list.Errorf(declared.Now.Pos, "remove now:, which means that the column was removed",
			"column %q was of type %s, and %q is of type %s: a renamed column keeps its type", column.Name, column.Type, name, scope.Columns[i].Type)
	}
	return ""
}

// checkKept reports a previous table in which keys could not be found, or that code
// from before the change could not distinguish from the new one.
func (p *planner) checkKept(scope *model.Scope, previous *model.Previous) {
	kept := previous.Kept()
	if len(kept) == 0 {
		p.list.Errorf(previous.Pos, "keep one of the columns, add now: to one that was only renamed, or declare a scope with another name",
			"scope %q has none of the columns of %s any more, so its keys cannot be found", scope.Name, naming.QuoteTable(previous.Schema, previous.Table))
	}
	for i, column := range kept {
		if slices.ContainsFunc(kept[:i], func(k model.KeptColumn) bool { return k.Now == column.Now }) {
			p.list.Errorf(previous.Pos, "map each to a column of its own with now:", "two columns of %s are both mapped to column %q", naming.QuoteTable(previous.Schema, previous.Table), column.Now)
		}
	}
	if slices.Equal(columnNames(scope.Columns), columnNames(previous.Columns)) {
		p.list.Errorf(previous.Pos, "give a column whose type has changed another name; a change of the order alone is not possible",
			"scope %q has columns of the same names as %s had: instances from before the change would use the new table and execute again what is in the old one",
			scope.Name, naming.QuoteTable(previous.Schema, previous.Table))
	}
}

// columnNames returns the names of columns, sorted.
func columnNames(columns []model.Column) []string {
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	slices.Sort(names)
	return names
}
