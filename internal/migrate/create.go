package migrate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// ifNotExists finds what makes the schema file applicable again and again. A migration
// is applied once, and must fail where there is another table of the name.
var ifNotExists = regexp.MustCompile(`(?m)^(CREATE (?:TABLE|INDEX)) IF NOT EXISTS `)

func once(schema string) string { return ifNotExists.ReplaceAllString(schema, "$1 ") }

// create makes the tables of a scope.
func create(is model.LockTable, schema Schema) Change {
	keys := parseTable(is.Table)
	drops := []string{"DROP TABLE " + keys.sql() + ";"}
	if is.Responses != "" {
		drops = slices.Concat(dropResponses(is.Responses), drops)
	}
	return Change{
		Summary: is.Table + " is created",
		SQL:     paragraphs(createSchemas(is.Table, is.Responses), once(schema.Keys), once(schema.Responses)),
		Revert: paragraphs("-- The keys go with their table: a request that is sent again with one of them executes again.\n" +
			strings.Join(drops, "\n")),
		slug: slug("", keys),
		Kind: Created,
	}
}

// createSchemas makes the schemas that tables are to be in and that a database does not
// come with.
func createSchemas(tables ...string) string {
	var names []string
	for _, name := range tables {
		if schema := parseTable(name).schema; name != "" && schema != "" && schema != "public" {
			names = append(names, "CREATE SCHEMA IF NOT EXISTS "+naming.Quote(schema)+";")
		}
	}
	return strings.Join(slices.Compact(names), "\n")
}

// dropResponses are the statements that remove a response table and its rotation.
func dropResponses(responses string) []string {
	t := parseTable(responses)
	return []string{
		fmt.Sprintf("DROP FUNCTION %s(bigint);", t.beside(model.RotatePrefix+t.name)),
		fmt.Sprintf("DROP TABLE %s;", t.sql()),
	}
}

// leaveKeys says of a key table that nothing uses it any more.
func leaveKeys(name string) Change {
	return unusedTable(name, "what it stands for could execute again without its keys", "DROP TABLE "+parseTable(name).sql()+";")
}

// leaveResponses says so of a response table.
func leaveResponses(name string) Change {
	return unusedTable(name, "instances of an older release may still be using it", dropResponses(name)...)
}

func unusedTable(name, why string, drops ...string) Change {
	t := parseTable(name)
	return Change{
		Summary: name + " is not used any more, and is not dropped",
		SQL: "-- " + t.sql() + " is not used any more. It is not dropped here: " + why + ".\n" +
			"-- When no instance uses it and none of its keys can be sent again, drop it:\n" +
			"--     " + strings.Join(drops, "\n--     "),
		slug: slug("unused_", t),
		Kind: Unused,
	}
}
