package render

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// functions is what the templates may call: every one of them turns a decided
// value into source text of the language at hand, escaped.
var functions = template.FuncMap{
	"ident":    naming.Quote,
	"literal":  naming.Literal,
	"table":    table,
	"records":  records,
	"rotation": rotation,
	"dollar":   dollar,
	"schemas":  schemas,
	"column":   column,
	"arg":      naming.Arg,
	"yaml":     yamlScalar,
	"yamls":    yamlList,
	"span":     model.Span,
	"comment":  comment,
	"quoted":   quoted,
	"join":     func(items []string) string { return strings.Join(items, ", ") },
	"duration": duration,
	"always":   always,
	"size":     size,
	"call":     func(d decorator, query *model.QueryCall) queryCall { return queryCall{query, d.Code} },
	"path":     spellPath,
	"access":   spellAccess,
	"hash":     spellCall,
	"hashes":   spellCalls,
	"held":     held,
	"isAbsent": isAbsent,
}

// table is the scope's table as SQL spells it.
func table(scope *model.Scope) string { return naming.QuoteTable(scope.Schema, scope.Table) }

// records is the table of the scope's responses, where they have one.
func records(scope *model.Scope) string {
	return naming.QuoteTable(scope.Responses.Schema, scope.Responses.Table)
}

// rotation is the function that makes and drops that table's partitions.
func rotation(scope *model.Scope) string {
	return naming.QuoteTable(scope.Responses.Schema, scope.Responses.Rotate)
}

// dollar is a dollar quote for text that contains name.
func dollar(name string) string {
	tag := "rotate"
	for strings.Contains(name, "$"+tag+"$") {
		tag += "_"
	}
	return "$" + tag + "$"
}

// schemas are those that the tables are in and that a database does not come with.
func schemas(scopes []*model.Scope) []string {
	var names []string
	for _, scope := range scopes {
		names = append(names, scope.Schema)
		if scope.Responses != nil {
			names = append(names, scope.Responses.Schema)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "public" })
	slices.Sort(names)
	return slices.Compact(names)
}

// column is a scope column's definition.
func column(c model.Column) string {
	name := naming.Quote(c.Name)
	if c.SQLType != "text" {
		return fmt.Sprintf("%s %s NOT NULL", name, c.SQLType)
	}
	return fmt.Sprintf(`%s text COLLATE "C" NOT NULL CHECK (char_length(%s) <= %d)`, name, name, c.MaxLength)
}

var plainYAML = regexp.MustCompile(`^(?:[1-5]XX|[A-Za-z_][A-Za-z0-9_./-]*)(\[\][A-Za-z0-9_./-]*)*$`)

// yamlWords would be read as something else than a string.
var yamlWords = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true, "null": true,
}

// yamlScalar is s as a YAML string that is also safe inside a flow mapping.
func yamlScalar(s string) string {
	if plainYAML.MatchString(s) && !strings.Contains(s, "[]") && !yamlWords[strings.ToLower(s)] {
		return s
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return strconv.QuoteToASCII(s)
		}
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// yamlList is a YAML list of strings on one line.
func yamlList(items []string) string {
	scalars := make([]string, len(items))
	for i, item := range items {
		scalars[i] = yamlScalar(item)
	}
	return "[" + strings.Join(scalars, ", ") + "]"
}

// comment joins parts of a document into one line of a Go comment.
func comment(parts ...string) string { return naming.Comment(strings.Join(parts, " ")) }

// quoted is a list of Go string literals.
func quoted(items []string) string {
	literals := make([]string, len(items))
	for i, item := range items {
		literals[i] = strconv.Quote(item)
	}
	return strings.Join(literals, ", ")
}

// always is the call that hashes a leaf which is never absent, without the hasher that
// it is called on: "Int(body.Amount)". It is "" for every other node.
func always(node *model.GoNode) string {
	if node.Hash == nil || node.Presence != model.Always {
		return ""
	}
	return strings.TrimPrefix(spellCall(*node.Hash), "h.")
}

// isAbsent reports whether only absence is hashed of a value that is absent.
func isAbsent(calls []model.HashCall) bool {
	return len(calls) == 1 && calls[0].Method == "Absent"
}

// duration is d as a person would write it in Go: in its largest whole unit.
func duration(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		if d != 0 && d%unit.size == 0 {
			if d == unit.size {
				return unit.name
			}
			return fmt.Sprintf("%d * %s", d/unit.size, unit.name)
		}
	}
	return strconv.FormatInt(int64(d), 10)
}

// size is a number of bytes as a person would write it in Go.
func size(bytes int64) string {
	for _, shift := range []int{30, 20, 10} {
		if unit := int64(1) << shift; bytes != 0 && bytes%unit == 0 {
			return fmt.Sprintf("%d << %d", bytes/unit, shift)
		}
	}
	return strconv.FormatInt(bytes, 10)
}
