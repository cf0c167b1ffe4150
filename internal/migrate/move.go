package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// move gives the keys so far another table, which is still looked into, and makes a new
// table under the name of the old one.
func move(was, is model.LockTable, schema Schema) (Change, error) {
	i := slices.IndexFunc(is.Previous, func(p model.LockPrevious) bool {
		return !hasPrevious(was, p.Table) && sameColumns(p.Columns, was.Columns)
	})
	if i < 0 {
		return Change{}, &UnconfirmedError{Table: is.Table, Scope: is.Scope}
	}
	keys, previous := parseTable(is.Table), parseTable(is.Previous[i].Table)
	parts := []string{createSchemas(is.Previous[i].Table), rename(was, keys, previous), createSchemas(is.Responses), once(schema.Keys)}
	switch {
	case is.Responses == "":
	case is.Responses != was.Responses:
		parts = append(parts, once(schema.Responses))
	default:
		parts = append(parts, continueSequence(keys, previous))
	}
	return Change{
		Summary: fmt.Sprintf("%s is created anew with other columns; the keys so far stay in %s", is.Table, is.Previous[i].Table),
		SQL:     paragraphs(parts...),
		slug:    slug("alter_", keys),
		kind:    altered,
	}, nil
}

// rename gives a table, and what PostgreSQL and the schema have named after it, another
// name.
func rename(was model.LockTable, from, to table) string {
	var sql strings.Builder
	fmt.Fprintf(&sql, "-- The keys so far stay in %s. This waits for the calls that are under way; others wait for it.\n", to.sql())
	fmt.Fprintf(&sql, "ALTER TABLE %s RENAME TO %s;\n", from.sql(), naming.Quote(to.name))
	here := table{from.schema, to.name}
	if to.usualSchema() != from.usualSchema() {
		fmt.Fprintf(&sql, "ALTER TABLE %s SET SCHEMA %s;\n", here.sql(), naming.Quote(to.usualSchema()))
		here = to
	}
	constraint := func(old, name string) {
		if old != name {
			fmt.Fprintf(&sql, "ALTER TABLE %s RENAME CONSTRAINT %s TO %s;\n", here.sql(), naming.Quote(old), naming.Quote(name))
		}
	}
	constraint(from.primaryKey(), to.primaryKey())
	for _, column := range was.Columns {
		if column.MaxLength > 0 {
			constraint(from.check(column.Name), to.check(column.Name))
		}
	}
	if from.index() != to.index() {
		fmt.Fprintf(&sql, "ALTER INDEX %s RENAME TO %s;\n", here.beside(from.index()), naming.Quote(to.index()))
	}
	if was.Responses != "" && from.sequence(responseID) != to.sequence(responseID) {
		fmt.Fprintf(&sql, "ALTER SEQUENCE %s RENAME TO %s;\n", here.beside(from.sequence(responseID)), naming.Quote(to.sequence(responseID)))
	}
	return sql.String()
}

// responseID is the column of a key table that leads to a response in another one.
const responseID = "response_id"

// continueSequence has a new key table go on with the numbers of an old one, because the
// responses of both are in one table.
func continueSequence(keys, previous table) string {
	sequence := func(t table) string { return naming.Literal(t.beside(t.sequence(responseID))) }
	return fmt.Sprintf("-- The responses of both are in one table, so their numbers must differ.\nSELECT setval(%s, nextval(%s));",
		strings.TrimSpace(sequence(keys)), strings.TrimSpace(sequence(previous)))
}
