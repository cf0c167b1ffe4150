package cli

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/gen"
)

// databaseSteps returns the steps for the database, in lines of the list of steps.
func databaseSteps(m *gen.Migration) []string {
	switch {
	case m == nil:
		return nil
	case m.File != "":
		return step("apply "+m.File+": "+m.Command, slices.Concat(m.Changes, m.Unused))
	case m.SQL != "":
		return step("run the SQL below on your database", slices.Concat(m.Changes, m.Unused))
	default:
		return slices.Concat(
			step("apply "+m.Schema+" to your database", m.Changes),
			step("drop by hand, when no instance uses it and none of its keys can be sent again:", m.Unused),
		)
	}
}

// step is a step about changes, of which each has a line; nothing without changes.
func step(what string, changes []string) []string {
	if len(changes) == 0 {
		return nil
	}
	lines := []string{what}
	for _, change := range changes {
		lines = append(lines, "  "+change)
	}
	return lines
}

// printedSQL returns the SQL of a migration that is not in a file, and why the schema
// file is not enough; "" if there is none.
func printedSQL(m *gen.Migration) string {
	if m == nil || m.SQL == "" {
		return ""
	}
	return "\n" + m.Schema + " is a target, not a migration: applying it does not change tables that\n" +
		"exist. A database with the tables of the last run needs this instead:\n\n" + m.SQL
}

// tablesChange is the text of check about changed tables.
func tablesChange(m *gen.Migration) string {
	if m == nil {
		return ""
	}
	text := "The tables change:\n  " + strings.Join(slices.Concat(m.Changes, m.Unused), "\n  ") + "\n"
	if m.File != "" {
		text += "The migration is " + m.File + ".\n"
	}
	return text + printedSQL(m)
}
