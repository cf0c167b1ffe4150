package cli

import (
	"strings"

	"github.com/idemgen/idemgen/internal/gen"
)

// databaseStep returns the step for the database, in lines of the list of steps.
func databaseStep(m *gen.Migration) []string {
	var step string
	switch {
	case m == nil:
		return nil
	case m.File != "":
		step = "apply " + m.File + ": " + m.Command
	case m.SQL == "":
		step = "apply " + m.Schema + " to your database"
	default:
		step = "run the SQL below on your database"
	}
	lines := []string{step}
	for _, change := range m.Changes {
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
	text := "The tables change:\n  " + strings.Join(m.Changes, "\n  ") + "\n"
	if m.File != "" {
		text += "The migration is " + m.File + ".\n"
	}
	return text + printedSQL(m)
}
