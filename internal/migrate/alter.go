package migrate

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// alter changes a table that keeps its columns, but for their lengths.
func alter(was, is model.LockTable, schema Schema) []Change {
	keys := parseTable(is.Table)
	var changes []Change
	add := func(summary string, sql ...string) {
		changes = append(changes, Change{Summary: is.Table + ": " + summary, SQL: paragraphs(sql...), slug: slug("alter_", keys), Kind: Altered})
	}
	for i, column := range is.Columns {
		if column.MaxLength != was.Columns[i].MaxLength {
			add(fmt.Sprintf("%s holds up to %d characters, not %d", column.Name, column.MaxLength, was.Columns[i].MaxLength), changeLength(keys, column))
		}
	}
	if indexes := lookups(was, is); len(indexes) > 0 {
		add("keys in previous tables are looked up by other columns", indexes...)
	}
	switch {
	case was.Responses == is.Responses:
		if was.Scope != is.Scope {
			add(fmt.Sprintf("it belongs to scope %s, not %s", is.Scope, was.Scope), tableComments(is, schema))
		}
	case was.Responses == "":
		add("its responses go to "+is.Responses, splitResponses(is, schema))
	case is.Responses == "":
		add("it takes back the responses from "+was.Responses, joinResponses(is, parseTable(was.Responses), schema))
	default:
		add("its responses go to "+is.Responses+", not to "+was.Responses, moveResponses(is, parseTable(was.Responses), schema))
	}
	return changes
}

// changeLength replaces the check on a column's length.
func changeLength(keys table, column model.LockColumn) string {
	check, name := naming.Quote(keys.check(column.Name)), naming.Quote(column.Name)
	return fmt.Sprintf(`-- This reads the whole table and locks out everybody meanwhile. It fails if a value is longer.
ALTER TABLE %s
    DROP CONSTRAINT %s,
    ADD CONSTRAINT %s CHECK (char_length(%s) <= %d);`, keys.sql(), check, check, name, column.MaxLength)
}

// tableComments are the comments that name the scope, on the previous tables as well.
func tableComments(is model.LockTable, schema Schema) string {
	const comment = "COMMENT ON TABLE "
	var found []string
	for line := range strings.Lines(comments(schema.Keys) + "\n" + comments(schema.Responses)) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, comment) {
			continue
		}
		found = append(found, line)
		if text, ofKeys := strings.CutPrefix(line, comment+is.Table+" "); ofKeys {
			for _, previous := range is.Previous {
				found = append(found, comment+previous.Table+" "+text)
			}
		}
	}
	return strings.Join(found, "\n")
}

// lock keeps everybody out until the end of the transaction.
func lock(t table) string {
	return "-- Waits for the calls that are under way; others wait for it.\nLOCK TABLE " + t.sql() + " IN ACCESS EXCLUSIVE MODE;"
}

// splitResponses gives the responses of a table one of their own.
func splitResponses(is model.LockTable, schema Schema) string {
	keys, responses := parseTable(is.Table), parseTable(is.Responses)
	return paragraphs(lock(keys),
		"-- What may still be replayed. The rest becomes tombstones, as if it had been swept.\n"+
			"CREATE TEMPORARY TABLE live_records AS\n"+
			"SELECT * FROM "+keys.sql()+"\n"+
			"WHERE status IS NOT NULL AND replay_until > now();",
		"-- In one statement, so that the table is written once, without the responses.\n"+
			"ALTER TABLE "+keys.sql()+`
    DROP COLUMN status,
    DROP COLUMN headers,
    DROP COLUMN body,
    ADD COLUMN response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    RESET (fillfactor);`,
		comments(schema.Keys),
		createSchemas(is.Responses),
		once(schema.Responses),
		"INSERT INTO "+responses.sql()+` (response_id, created_at, replay_until, status, headers, body)
SELECT response_id, created_at, replay_until, status, headers, body
FROM live_records NATURAL JOIN `+keys.sql()+`;

DROP TABLE live_records;`)
}

// joinResponses takes responses back into the key table.
func joinResponses(is model.LockTable, responses table, schema Schema) string {
	keys := parseTable(is.Table)
	return paragraphs(lock(keys),
		"ALTER TABLE "+keys.sql()+`
    ADD COLUMN status smallint,
    ADD COLUMN headers bytea,
    ADD COLUMN body bytea,
    SET (fillfactor = 75);`,
		"-- What may still be replayed. The rest becomes tombstones, as if it had been swept.\n"+
			"UPDATE "+keys.sql()+` AS k
SET status = r.status, headers = r.headers, body = r.body
FROM `+responses.sql()+` AS r
WHERE r.replay_until > now()
AND r.replay_until = k.replay_until
AND r.created_at = k.created_at
AND r.response_id = k.response_id;`,
		"ALTER TABLE "+keys.sql()+" DROP COLUMN response_id;",
		comments(schema.Keys))
}

// moveResponses copies responses to another table of their own.
func moveResponses(is model.LockTable, from table, schema Schema) string {
	const columns = "response_id, created_at, replay_until, status, headers, body"
	return paragraphs(lock(parseTable(is.Table)),
		createSchemas(is.Responses),
		once(schema.Responses),
		"-- What may still be replayed.\n"+
			"INSERT INTO "+parseTable(is.Responses).sql()+" ("+columns+")\n"+
			"SELECT "+columns+"\n"+
			"FROM "+from.sql()+"\n"+
			"WHERE replay_until > now();",
		comments(schema.Keys))
}
