package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// move gives the existing keys another table, which is still looked into, and makes a new
// table under the name of the old one. Responses stay where they are.
func move(was, is model.LockTable, schema Schema) Change {
	i := slices.IndexFunc(is.Previous, func(p model.LockPrevious) bool {
		return !hasPrevious(was, p.Table) && sameColumns(p.Columns, was.Columns)
	})
	keys, previous := parseTable(is.Table), parseTable(is.Previous[i].Table)
	parts := []string{createSchemas(is.Previous[i].Table), rename(was, keys, previous), once(schema.Keys)}
	if is.Responses != "" {
		parts = append(parts, continueSequence(keys, previous))
	}
	parts = append(parts, lookups(was, is)...)
	return Change{
		Summary: fmt.Sprintf("%s is created anew with other columns; existing keys stay in %s", is.Table, is.Previous[i].Table),
		SQL:     paragraphs(parts...),
		slug:    slug("alter_", keys),
		Kind:    Altered,
	}
}

// rename gives a table, and what PostgreSQL and the schema have named after it, another
// name.
func rename(was model.LockTable, from, to table) string {
	r := renaming{from: from, to: to, here: table{from.schema, to.name}}
	r.printf("-- Existing keys stay in %s. This waits for the calls that are under way; others wait for it.", to.sql())
	if from.name != to.name {
		r.printf("ALTER TABLE %s RENAME TO %s;", from.sql(), naming.Quote(to.name))
	}
	if to.usualSchema() != from.usualSchema() {
		r.printf("ALTER TABLE %s SET SCHEMA %s;", r.here.sql(), naming.Quote(to.usualSchema()))
		r.here, r.alone = to, true
	}
	constraint := func(column, label string) {
		r.object("ALTER TABLE "+r.here.sql()+" RENAME CONSTRAINT "+naming.Quote(from.object(column, label)), column, label)
	}
	constraint("", "pkey")
	for _, column := range was.Columns {
		if column.MaxLength > 0 {
			constraint(column.Name, "check")
		}
	}
	if from.index() != to.index() {
		r.printf("ALTER INDEX %s RENAME TO %s;", r.here.beside(from.index()), naming.Quote(to.index()))
	}
	if was.Responses != "" {
		r.object("ALTER SEQUENCE "+r.here.beside(from.sequence(responseID))+" RENAME", responseID, "seq")
	}
	return r.sql.String()
}

// renaming is a table on its way to another name.
type renaming struct {
	from, to table
	here     table // the table's name meanwhile
	alone    bool  // it is in another schema than the table that gets its name
	sql      strings.Builder
}

func (r *renaming) printf(format string, args ...any) { fmt.Fprintf(&r.sql, format+"\n", args...) }

// object has statement, which lacks the name, give an object of the table the name that it
// would have, had the table been created under its new name.
func (r *renaming) object(statement, column, label string) {
	old, taken := r.from.object(column, label), ""
	if !r.alone {
		taken = old // soon, by the table that is made anew
	}
	if name := r.to.besides(taken, column, label); name != old {
		r.printf("%s TO %s;", statement, naming.Quote(name))
	}
}

// responseID is the column of a key table that leads to a response in another one.
const responseID = "response_id"

// continueSequence has a new key table go on with the numbers of an old one, because the
// responses of both are in one table.
func continueSequence(keys, previous table) string {
	sequence := func(t table) string {
		return "pg_get_serial_sequence(" + strings.TrimSpace(naming.Literal(t.sql())) + ", '" + responseID + "')"
	}
	return fmt.Sprintf("-- The responses of both are in one table, so their numbers must differ.\nSELECT setval(%s, nextval(%s));", sequence(keys), sequence(previous))
}
