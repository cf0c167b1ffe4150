package render

import "github.com/idemgen/idemgen/internal/model"

// KeyTable prints a scope's key table as the schema file has it, without its schema.
func KeyTable(scope *model.Scope) ([]byte, error) { return executePart("key table", scope) }

// ResponseTable prints the table of a scope's responses as the schema file has it, with
// its rotation; nothing where they are in the key table.
func ResponseTable(scope *model.Scope) ([]byte, error) {
	if scope.Responses == nil {
		return nil, nil
	}
	return executePart("response table", scope)
}

// executePart prints a part that the schema's templates define.
func executePart(name string, scope *model.Scope) ([]byte, error) {
	parsed, err := parse("schema.sql.tmpl", "schema-partitioned.sql.tmpl")
	if err != nil {
		return nil, err
	}
	return executeTemplate(parsed.Lookup(name), scope)
}
