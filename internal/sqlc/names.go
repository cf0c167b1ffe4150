package sqlc

import (
	"errors"
	"fmt"
	"go/ast"
	"regexp"
	"strconv"
	"strings"
)

// nameParams finds the name of each parameter in the original query. sqlc numbers
// parameters in its own order and leaves all other text unchanged, so the nth sqlc.arg
// of the source is the nth $ of the generated SQL.
func (r *Reader) nameParams(q *Query, constant ast.Expr) error {
	ident, ok := constant.(*ast.Ident)
	if !ok {
		return errors.New("its SQL is not a constant")
	}
	generated, ok := r.constants[ident.Name]
	if !ok {
		return fmt.Errorf("constant %s is missing", ident.Name)
	}
	written, ok := querySource(string(r.queries), q.Name)
	if !ok {
		return nil // a query of the user
	}
	names := namedParameter.FindAllStringSubmatch(blank(written), -1)
	numbers := numbered.FindAllStringSubmatch(blank(generated), -1)
	if len(names) != len(numbers) {
		return fmt.Errorf("it has %d parameters in the query and %d in the generated SQL", len(names), len(numbers))
	}
	for i := range names {
		n, err := strconv.Atoi(numbers[i][1])
		if err != nil || n < 1 || n > len(q.Params) {
			return fmt.Errorf("the generated SQL has a parameter $%s", numbers[i][1])
		}
		param := &q.Params[n-1]
		if param.SQL != "" && param.SQL != names[i][1] {
			return fmt.Errorf("$%d is both %s and %s", n, param.SQL, names[i][1])
		}
		param.SQL = names[i][1]
	}
	return nil
}

var (
	namedParameter = regexp.MustCompile(`sqlc\.n?arg\(\s*'?(\w+)'?\s*\)`)
	numbered       = regexp.MustCompile(`\$(\d+)`)
	queryName      = regexp.MustCompile(`(?m)^--\s*name:\s*(\w+)\s+:\w+.*$`)
)

// querySource returns the text of one query, from its name to the next one.
func querySource(queries, name string) (string, bool) {
	heads := queryName.FindAllStringSubmatchIndex(queries, -1)
	for i, head := range heads {
		if queries[head[2]:head[3]] != name {
			continue
		}
		end := len(queries)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		return queries[head[1]:end], true
	}
	return "", false
}

// blank removes comments and the content of quoted text.
func blank(sql string) string { return quoted.ReplaceAllStringFunc(sql, keepArgument) }

var quoted = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/|sqlc\.n?arg\([^)]*\)|'(?:[^']|'')*'|"(?:[^"]|"")*"`)

func keepArgument(match string) string {
	if strings.HasPrefix(match, "sqlc.") {
		return match
	}
	return " "
}
