package sqlc

import (
	"bufio"
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// schemas returns the schema files of all blocks. Missing files are reported where
// they are needed.
func (f *finder) schemas(blocks *tree.Node) []source {
	quiet := *f
	quiet.problems = nil
	var all []source
	for _, block := range blocks.Items {
		if list := block.Get("schema"); list != nil {
			all = append(all, quiet.expand(list, f.schema)...)
		}
	}
	return all
}

// Shared reports tables in idemgen's schema that the document of another idemgen
// configuration has, too, if both are in one configuration of sqlc. A copy of the
// schema, for instance among migrations, belongs to the same document.
func (b *Block) Shared(schema []byte) diag.List {
	var list diag.List
	owner, tables := KeyTables(schema)
	seen := map[string]bool{b.ours.schema.Path: true}
	for _, file := range b.all {
		if seen[file.Path] {
			continue
		}
		seen[file.Path] = true
		text, err := os.ReadFile(file.Path)
		if err != nil {
			continue
		}
		other, theirs := KeyTables(text)
		if other == "" || other == owner {
			continue
		}
		for _, table := range theirs {
			if contains(tables, table) {
				list.Errorf(file.pos, "give one of them a table of its own with table: in the scope, or list them in different sqlc configurations if they are in different databases",
					"the table %s of %s is also used by %s (%s): two documents must not share a table", table, owner, other, file.Display)
			}
		}
	}
	list.Sort()
	return list
}

// Mentions reports whether a file of the block's schema mentions a table. Missing
// files are skipped, and so are those whose absolute path is in except.
func (b *Block) Mentions(table string, except []string) bool {
	for _, file := range b.schema {
		if slices.Contains(except, file.Path) {
			continue
		}
		if text, err := os.ReadFile(file.Path); err == nil && bytes.Contains(text, []byte(table)) {
			return true
		}
	}
	return false
}

const (
	ownerLine  = "-- The key tables of "
	tableLine  = "CREATE TABLE "
	schemaLine = "IF NOT EXISTS " // present in a schema file, but not in a migration
)

// KeyTables reads the document and the names of the tables that idemgen wrote into a
// schema file or a migration.
func KeyTables(schema []byte) (owner string, tables []string) {
	lines := bufio.NewScanner(bytes.NewReader(schema))
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, ownerLine); ok && owner == "" {
			owner = strings.TrimSuffix(name, ".")
		}
		if name, ok := strings.CutPrefix(line, tableLine); ok {
			tables = append(tables, strings.TrimSuffix(strings.TrimPrefix(name, schemaLine), " ("))
		}
	}
	return owner, tables
}

// contains reports whether a table is among others; one without a schema counts as
// public.
func contains(tables []string, table string) bool {
	for _, other := range tables {
		if strings.TrimPrefix(other, "public.") == strings.TrimPrefix(table, "public.") {
			return true
		}
	}
	return false
}
