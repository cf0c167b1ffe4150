package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// lookups makes the indexes by which keys are found in previous tables that have lost
// columns, as far as the tables before had none or others.
func lookups(was, is model.LockTable) []string {
	var parts []string
	for _, previous := range is.Previous {
		t := parseTable(previous.Table)
		had, want := "", lookup(is, previous)
		for _, known := range was.Previous {
			if known.Table == previous.Table {
				had = lookup(was, known)
			}
		}
		if had == want {
			continue
		}
		if had != "" {
			parts = append(parts, "DROP INDEX "+t.beside(t.lookupIndex())+";")
		}
		if want != "" {
			parts = append(parts, "-- For looking up keys by the columns that are left. It can be made beforehand, CONCURRENTLY.\n"+want)
		}
	}
	return parts
}

// lookup is the statement that makes the index of a previous table, "" where its primary
// key serves: all of its columns are still there.
func lookup(is model.LockTable, previous model.LockPrevious) string {
	var columns []string
	for _, column := range previous.Columns {
		if remains(is, column) {
			columns = append(columns, naming.Quote(column.Name))
		}
	}
	if len(columns) == len(previous.Columns) {
		return ""
	}
	t := parseTable(previous.Table)
	return fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (%s);", naming.Quote(t.lookupIndex()), t.sql(),
		strings.Join(append(columns, "operation", "idempotency_key"), ", "))
}

// remains reports whether a table still has the values of a previous column: under its
// name, or under the one that it has now.
func remains(is model.LockTable, column model.LockColumn) bool {
	name := column.Now
	if name == "" {
		name = column.Name
	}
	return slices.ContainsFunc(is.Columns, func(c model.LockColumn) bool { return c.Name == name && c.Type == column.Type })
}
