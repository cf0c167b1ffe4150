package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSQLName is the maximum length of a PostgreSQL identifier in bytes; PostgreSQL
// truncates longer ones silently.
const MaxSQLName = 63

// reserved are PostgreSQL's key words that cannot name a column or table without
// quotes: the reserved ones and those reserved except as a function or type.
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

// Quote returns name as an SQL identifier, in double quotes if it needs them.
func Quote(name string) string {
	if SimpleSQLName(name) && !reserved[name] {
		return name
	}
	name = strings.ReplaceAll(name, "\x00", "")
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteTable returns a table's name as SQL, with its schema unless that is empty.
func QuoteTable(schema, table string) string {
	if schema == "" {
		return Quote(table)
	}
	return Quote(schema) + "." + Quote(table)
}

// Literal returns text as an SQL string literal that does not depend on
// standard_conforming_strings.
func Literal(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

// Arg returns sqlc's notation for the parameter name. A reserved word is given as a
// string, because sqlc does not support a quoted identifier there.
func Arg(name string) string {
	if SimpleSQLName(name) && !reserved[name] {
		return "sqlc.arg(" + name + ")"
	}
	return "sqlc.arg(" + strings.TrimSpace(Literal(name)) + ")"
}

// FitSQL returns base + suffix, shortened if PostgreSQL would truncate it: the end of
// base is replaced with a digest of base, so that equal bases give equal names and
// different bases give different names.
func FitSQL(base, suffix string) string {
	if len(base)+len(suffix) <= MaxSQLName {
		return base + suffix
	}
	sum := sha256.Sum256([]byte(base))
	digest := "_" + hex.EncodeToString(sum[:4])
	end := MaxSQLName - len(suffix) - len(digest)
	for !utf8.RuneStart(base[end]) {
		end--
	}
	return base[:end] + digest + suffix
}

// ParseTable parses a table's name in SQL notation, with or without a schema: parts in
// lower case, or in double quotes. The problem says why it is not valid.
func ParseTable(text string) (parts []string, problem string) {
	for rest, more := text, true; more; {
		var part string
		if part, rest, problem = parsePart(rest); problem != "" {
			return nil, problem
		}
		parts = append(parts, part)
		if rest, more = strings.CutPrefix(rest, "."); !more && rest != "" {
			return nil, "something follows the closing quote"
		}
	}
	if len(parts) > 2 {
		return nil, "it has more than two parts"
	}
	return parts, ""
}

// parsePart parses one part of a name and returns the rest.
func parsePart(text string) (part, rest, problem string) {
	if !strings.HasPrefix(text, `"`) {
		part, rest = text, ""
		if i := strings.IndexByte(text, '.'); i >= 0 {
			part, rest = text[:i], text[i:]
		}
		if !SimpleSQLName(part) {
			return "", "", "without quotes it can have lower-case letters, digits and _ only"
		}
		return part, rest, tooLong(part)
	}
	for rest = text[1:]; ; rest = rest[1:] {
		i := strings.IndexByte(rest, '"')
		if i < 0 {
			return "", "", "a quote is not closed"
		}
		part, rest = part+rest[:i], rest[i+1:]
		if !strings.HasPrefix(rest, `"`) {
			break
		}
		part += `"`
	}
	switch {
	case part == "":
		problem = "a part of it is empty"
	case !utf8.ValidString(part) || strings.ContainsFunc(part, unicode.IsControl):
		problem = "it has characters that cannot be printed"
	default:
		problem = tooLong(part)
	}
	return part, rest, problem
}

func tooLong(part string) string {
	if len(part) > MaxSQLName {
		return "a part of it is longer than 63 bytes, and PostgreSQL would cut it off"
	}
	return ""
}

// Snake returns name as lower-case words joined by underscores: "merchantAccount" →
// "merchant_account".
func Snake(name string) string {
	parts := split(name)
	for i, part := range parts {
		parts[i] = strings.ToLower(part)
	}
	return strings.Join(parts, "_")
}
