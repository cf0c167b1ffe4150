package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// MaxSQLName is the length in bytes of PostgreSQL's longest identifier; it cuts
// longer ones off without a word.
const MaxSQLName = 63

// reserved are PostgreSQL's words that cannot name a column or a table unquoted:
// the reserved ones and those reserved except as a function or type.
var reserved = words(`
	all analyse analyze and any array as asc asymmetric authorization binary both
	case cast check collate collation column concurrently constraint create cross
	current_catalog current_date current_role current_schema current_time
	current_timestamp current_user default deferrable desc distinct do else end
	except false fetch for foreign freeze from full grant group having ilike in
	initially inner intersect into is isnull join lateral leading left like limit
	localtime localtimestamp natural not notnull null offset on only or order outer
	overlaps placing primary references returning right select session_user similar
	some symmetric system_user table tablesample then to trailing true union unique
	user using variadic verbose when where window with`)

// SimpleSQLName reports whether name is a lower-case SQL identifier: a letter or
// underscore, then letters, digits and underscores.
func SimpleSQLName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !isLower(c) && c != '_' && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return name != ""
}

// Quote returns name as an SQL identifier, in double quotes where it needs them.
func Quote(name string) string {
	if SimpleSQLName(name) && !reserved[name] {
		return name
	}
	name = strings.ReplaceAll(name, "\x00", "")
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteTable returns a table's name as SQL, with its schema unless that is "".
func QuoteTable(schema, table string) string {
	if schema == "" {
		return Quote(table)
	}
	return Quote(schema) + "." + Quote(table)
}

// Literal returns text as an SQL string literal. It means the same whatever
// standard_conforming_strings is set to.
func Literal(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

// Arg returns sqlc's notation for the parameter name. A reserved word is given
// as a string, because sqlc does not understand a quoted identifier there.
func Arg(name string) string {
	if SimpleSQLName(name) && !reserved[name] {
		return "sqlc.arg(" + name + ")"
	}
	return "sqlc.arg(" + strings.TrimSpace(Literal(name)) + ")"
}

// FitSQL returns base + suffix, shortened where PostgreSQL would cut it off: the
// end of base gives way to a digest of it, so that equal bases give equal names
// and different ones stay different.
func FitSQL(base, suffix string) string {
	if len(base)+len(suffix) <= MaxSQLName {
		return base + suffix
	}
	sum := sha256.Sum256([]byte(base))
	digest := "_" + hex.EncodeToString(sum[:4])
	return base[:MaxSQLName-len(suffix)-len(digest)] + digest + suffix
}

// Snake returns name in lower-case words joined by underscores, as SQL spells
// names: "merchantAccount" → "merchant_account".
func Snake(name string) string {
	parts := split(name)
	for i, part := range parts {
		parts[i] = strings.ToLower(part)
	}
	return strings.Join(parts, "_")
}
