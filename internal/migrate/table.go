package migrate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/internal/naming"
)

// table is a table's name. The names that PostgreSQL gives to what belongs to a table
// follow from it.
type table struct{ schema, name string }

// parseTable reads a name as SQL spells it. The lock has nothing but such names.
func parseTable(text string) table {
	switch parts, problem := naming.ParseTable(text); {
	case problem != "":
		return table{name: text}
	case len(parts) == 2:
		return table{parts[0], parts[1]}
	default:
		return table{name: parts[0]}
	}
}

func (t table) sql() string { return naming.QuoteTable(t.schema, t.name) }

// beside is the name, as SQL spells it, of something in the table's schema.
func (t table) beside(name string) string { return naming.QuoteTable(t.schema, name) }

// check is the name of the check on a column's length.
func (t table) check(column string) string { return t.object(column, "check") }

// sequence is the name of the sequence of an identity column.
func (t table) sequence(column string) string { return t.object(column, "seq") }

// object is the name of something that belongs to the table, or to a column of it.
func (t table) object(column, label string) string { return objectName(t.name, column, label) }

// index is the name of the index that the schema gives to the table.
func (t table) index() string { return naming.FitSQL(t.name, "_replay_until_idx") }

// lookupIndex is the name of the index that the schema gives to a previous table which has
// lost columns.
func (t table) lookupIndex() string { return naming.FitSQL(t.name, "_lookup_idx") }

// usualSchema is the schema in which a name without one is looked up by default.
func (t table) usualSchema() string {
	if t.schema == "" {
		return "public"
	}
	return t.schema
}

// objectName is the name that PostgreSQL gives to an object without one, which is
// makeObjectName in its src/backend/commands/indexcmds.c: the longer of the two parts is
// cut until the whole fits into 63 bytes. Where something of another table has the name,
// PostgreSQL appends a number; a statement with the plain name then fails.
func objectName(first, second, label string) string {
	overhead := len(label) + 1
	if second != "" {
		overhead++
	}
	a, b := len(first), len(second)
	for a+b > naming.MaxSQLName-overhead {
		if a > b {
			a--
		} else {
			b--
		}
	}
	name := clip(first, a)
	if second != "" {
		name += "_" + clip(second, b)
	}
	return name + "_" + label
}

// besides is the name that PostgreSQL gives to an object of a table while one of another
// table has the name taken.
func (t table) besides(taken, column, label string) string {
	for n := 1; ; n++ {
		if name := t.object(column, label); name != taken {
			return name
		}
		label = strings.TrimRight(label, "0123456789") + strconv.Itoa(n)
	}
}

// clip returns the whole characters among the first n bytes of text.
func clip(text string, n int) string {
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
