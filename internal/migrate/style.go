package migrate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/naming"
)

// Style is the migration tool that a folder is for.
type Style string

// The styles.
const (
	Goose         Style = "goose"
	GolangMigrate Style = "golang-migrate"
	Atlas         Style = "atlas"
	Plain         Style = "plain"
)

// File is a file of a migration.
type File struct {
	Name    string // without a folder: "00003_account_idempotency_keys.sql"
	Content string
}

// Files lays out changes, of which there is at least one, as a migration whose name
// begins with number, which [NextIn] has returned. owner is the import path of the server
// whose tables they are. The first file is the one that sqlc reads.
func (s Style) Files(number, owner string, changes []Change) []File {
	name := number + fileName(changes)
	head := header(owner)
	up, down := Statements(changes), revert(changes)
	switch s {
	case Goose:
		return []File{{name + ".sql", "-- +goose Up\n" + head + "\n" + gooseStatements(up) + "\n-- +goose Down\n" + gooseStatements(down)}}
	case GolangMigrate:
		return []File{
			{name + ".up.sql", head + "\n" + Transaction(up)},
			{name + ".down.sql", head + "\n" + reverting(down)},
		}
	case Plain:
		return []File{{name + ".sql", head + "-- Run it in one transaction.\n\n" + up}}
	default:
		return []File{{name + ".sql", head + "\n" + up}}
	}
}

// Command returns what applies the migration with that first file, for a POSIX shell: both
// paths are relative to where it is run. The database is in DATABASE_URL.
func (s Style) Command(dir, file string) string {
	switch s {
	case Goose:
		return `goose -dir ` + dir + ` postgres "$DATABASE_URL" up`
	case GolangMigrate:
		return `migrate -path ` + dir + ` -database "$DATABASE_URL" up`
	case Atlas:
		return `atlas migrate hash --dir file://` + dir + ` && atlas migrate apply --dir file://` + dir + ` --url "$DATABASE_URL"`
	default:
		return `psql "$DATABASE_URL" --single-transaction -v ON_ERROR_STOP=1 -f ` + file
	}
}

func header(owner string) string {
	return "-- Written by idemgen, which will not change this file again.\n-- The key tables of " + naming.Comment(owner) + ".\n"
}

// Statements returns the SQL of all changes, to be run in one transaction.
func Statements(changes []Change) string {
	var parts []string
	for _, change := range changes {
		text := change.SQL
		if change.Kind != Unused { // else the SQL is a comment that says it
			text = "-- " + change.Summary + ".\n\n" + text
		}
		parts = append(parts, text)
	}
	return paragraphs(parts...) + "\n"
}

// Transaction puts statements into a transaction.
func Transaction(statements string) string {
	if strings.TrimSpace(statements) == "" {
		return ""
	}
	return "BEGIN;\n\n" + statements + "\nCOMMIT;\n"
}

// reverting is what golang-migrate runs to go back. A transaction that fails would stay open
// in its connection, so the refusal is not in one.
func reverting(down string) string {
	if down == refusal {
		return down
	}
	return Transaction(down)
}

// refusal is the way back from what has none. The tools run it when somebody asks for it.
const refusal = `-- What was changed cannot be changed back without losing keys.
DO $$
BEGIN
    RAISE EXCEPTION 'idemgen does not revert a change of key tables'
    USING HINT = 'Change the document back and run idemgen generate, which adds a migration or says why there is none.';
END
$$;
`

// revert returns what undoes all changes: the last one first, or nothing at all.
func revert(changes []Change) string {
	var parts []string
	for _, change := range slices.Backward(changes) {
		switch change.Kind {
		case Altered:
			return refusal
		case Created:
			parts = append(parts, change.Revert)
		case Unused: // nothing was done
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return paragraphs(parts...) + "\n"
}

// quotedBody finds statements that have semicolons in them: those with a body in dollar
// quotes, which begins at the end of a line or after AS, and ends on a line of its own.
var quotedBody = regexp.MustCompile(`(?ms)^(?:CREATE OR REPLACE FUNCTION .*?^AS|DO) (\$\w*\$)$`)

// gooseStatements marks statements that goose would otherwise split at semicolons.
func gooseStatements(sql string) string {
	var out strings.Builder
	for {
		m := quotedBody.FindStringSubmatchIndex(sql)
		if m == nil {
			break
		}
		end := "\n" + sql[m[2]:m[3]] + ";\n"
		length := strings.Index(sql[m[1]:], end)
		if length < 0 {
			break
		}
		stop := m[1] + length + len(end)
		out.WriteString(sql[:m[0]] + "-- +goose StatementBegin\n" + sql[m[0]:stop] + "-- +goose StatementEnd\n")
		sql = sql[stop:]
	}
	return out.String() + sql
}

// fileName says in a few words what changes: what is done to the one table, or to the
// tables in general.
func fileName(changes []Change) string {
	name := changes[0].slug
	for _, change := range changes[1:] {
		switch {
		case change.slug == name:
		case slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == Altered }):
			return "alter_idempotency_keys"
		case slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == Created }):
			return "idempotency_keys"
		default:
			return "unused_idempotency_keys"
		}
	}
	return name
}

// unfit are characters that a file's name is not to have.
var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// slug is a name for a file that is about a table.
func slug(verb string, t table) string {
	name := strings.Trim(unfit.ReplaceAllString(strings.ToLower(t.name), "_"), "_")
	if name == "" {
		name = "idempotency_keys"
	}
	return verb + name
}
