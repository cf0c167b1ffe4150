package sqlc

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// File is a file with its two names.
type File struct {
	Path    string // absolute and clean
	Display string // relative to the folder in which idemgen was started
}

// Block is the block of the user's configuration that lists idemgen's queries file.
type Block struct {
	Package  string        // name of the Go package
	Out      File          // the folder that sqlc writes to
	OutPos   diag.Position // of out in the configuration
	Warnings diag.List

	config  string     // the configuration file's Display name
	root    *tree.Node // of the configuration
	node    *tree.Node // of the block
	schema  []source
	queries []source
	all     []source // the schema files of all blocks, that exist
	ours    struct{ schema, queries File }
}

// Find reads the user's configuration and returns the block that lists the queries
// file. Neither that file nor the schema file needs to exist. Problems of the
// configuration are returned as one diag.List.
func Find(config, schema, queries File) (*Block, error) {
	return find(config, finder{schema: schema, tables: schema, queries: queries})
}

// FindMigrations is Find for tables in a folder of migrations; next is the file that
// the run may add to it.
func FindMigrations(config, folder, next, queries File) (*Block, error) {
	return find(config, finder{schema: next, tables: folder, queries: queries})
}

func find(config File, f finder) (*Block, error) {
	data, err := os.ReadFile(config.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config.Display, diag.Cause(err))
	}
	root, err := parseConfig(config.Display, data)
	if err != nil {
		return nil, err
	}
	f.config, f.root, f.dir = config.Display, root, File{filepath.Dir(config.Path), filepath.Dir(config.Display)}
	block := f.find()
	if err := f.problems.Err(); err != nil {
		return nil, err
	}
	block.Warnings = f.problems
	return block, nil
}

type finder struct {
	config          string
	root            *tree.Node
	dir             File // the configuration's folder, to which its paths are relative
	schema, queries File
	tables          File // the entry for idemgen's tables: the schema file, or the folder of migrations
	problems        diag.List
}

const docs = "https://docs.sqlc.dev/en/stable/reference/config.html"

const noBlocks = "sqlc's configuration has no blocks under sql"

func (f *finder) find() *Block {
	root := f.root
	if root.Kind != tree.Mapping {
		f.problems.Errorf(root.Pos, `start with version: "2"`, "sqlc's configuration must be a mapping")
		return nil
	}
	if !f.version(root) {
		return nil
	}
	sql := root.Member("sql")
	if sql == nil {
		f.problems.Errorf(root.Pos, "add "+f.exampleBlock(), noBlocks)
		return nil
	}
	blocks := sql.Value
	if blocks.Kind != tree.Sequence || len(blocks.Items) == 0 {
		f.problems.Errorf(sql.Pos, "add "+f.exampleBlock(), noBlocks)
		return nil
	}
	node := f.listing(sql)
	if node == nil {
		return nil
	}
	block := &Block{config: f.config, root: root, node: node}
	block.ours.schema, block.ours.queries = f.schema, f.queries
	f.check(block)
	block.all = f.schemas(blocks)
	return block
}

func (f *finder) version(root *tree.Node) bool {
	node := root.Get("version")
	switch {
	case node == nil:
		f.problems.Errorf(root.Pos, `add version: "2"`, "sqlc's configuration has no version")
	case node.Text == "2":
		return true
	case node.Text == "1":
		f.problems.Errorf(node.Pos, `rewrite it as version: "2", see `+docs, "version 1 of sqlc's configuration is not supported")
	default:
		f.problems.Errorf(node.Pos, `write version: "2"`, "version %q of sqlc's configuration is unknown", node.Text)
	}
	return false
}

// listing returns the single block whose queries list idemgen's queries file.
func (f *finder) listing(sql *tree.Member) *tree.Node {
	var found *tree.Node
	for _, block := range sql.Value.Items {
		list := block.Get("queries")
		if list == nil || !f.lists(list, f.queries) {
			continue
		}
		if found != nil {
			f.problems.Errorf(list.Pos, "list it in only one block",
				"%s is listed by several blocks, first in line %d", f.queries.Display, found.Get("queries").Pos.Line)
			return nil
		}
		found = block
	}
	if found == nil {
		f.problems.Errorf(sql.Pos, "add "+f.exampleBlock(), "no block lists %s, the queries that idemgen writes", f.queries.Display)
	}
	return found
}

func (f *finder) lists(list *tree.Node, file File) bool {
	for _, entry := range entries(list) {
		if matches(f.dir.Path, entry.Text, file.Path) {
			return true
		}
	}
	return false
}

// exampleBlock is a minimal valid block, in one line.
func (f *finder) exampleBlock() string {
	return fmt.Sprintf(`- {engine: postgresql, schema: %s, queries: %s, gen: {go: {package: idemdb, out: internal/idemdb, sql_package: pgx/v5}}}`,
		f.relative(f.tables), f.relative(f.queries))
}

// relative returns the path of a file relative to the configuration.
func (f *finder) relative(file File) string {
	relative, err := filepath.Rel(f.dir.Path, file.Path)
	if err != nil {
		return file.Display
	}
	return filepath.ToSlash(relative)
}

// check checks that the block has the settings that the queries need and reads the
// rest.
func (f *finder) check(b *Block) {
	f.scalar(b.node, b.node, "engine", "postgresql")
	f.checkSchema(b)
	gen := lookup(b.node, "gen", "go")
	if gen == nil || gen.Kind != tree.Mapping {
		f.problems.Errorf(orElse(b.node.Get("gen"), b.node), "add gen: {go: {package: idemdb, out: internal/idemdb, sql_package: pgx/v5}}",
			"the block that lists %s has no gen.go, so sqlc writes no Go for it", f.queries.Display)
		return
	}
	f.scalar(gen, gen, "sql_package", "pgx/v5")
	f.checkOut(b, gen)
	if prepared := gen.Get("emit_prepared_queries"); isTrue(prepared) && isTrue(gen.Get("emit_methods_with_db_argument")) {
		f.problems.Errorf(prepared.Pos, "remove emit_prepared_queries: pgx prepares statements by itself",
			"emit_prepared_queries and emit_methods_with_db_argument cannot both be set")
	}
	f.checkDatabase(b)
	b.queries = f.expand(b.node.Get("queries"), f.queries)
}

// scalar checks that a key has the only supported value.
func (f *finder) scalar(node, otherwise *tree.Node, key, want string) {
	value := node.Get(key)
	switch {
	case value == nil:
		f.problems.Errorf(otherwise.Pos, fmt.Sprintf("add %s: %s", key, want),
			"the block that lists %s has no %s", f.queries.Display, key)
	case value.Text != want:
		f.problems.Errorf(value.Pos, fmt.Sprintf("write %s: %s, or list the file in another block", key, want),
			"the queries in %[3]s do not work with %[1]s %[2]q", key, value.Text, f.queries.Display)
	}
}

func (f *finder) checkSchema(b *Block) {
	list := b.node.Get("schema")
	if list == nil || !f.lists(list, f.schema) {
		f.problems.Errorf(orElse(list, b.node), fmt.Sprintf("add %s to the schema of the block", f.relative(f.tables)),
			"the schema of the block that lists %s does not list %s, which idemgen writes", f.queries.Display, f.tables.Display)
		return
	}
	b.schema = f.expand(list, f.schema)
}

func (f *finder) checkOut(b *Block, gen *tree.Node) {
	out := gen.Get("out")
	if isBlank(out) {
		f.problems.Errorf(orElse(out, gen), "add out: internal/idemdb", "gen.go of the block that lists %s has no out", f.queries.Display)
		return
	}
	b.OutPos = out.Pos
	b.Out = File{filepath.Join(f.dir.Path, filepath.FromSlash(out.Text)), filepath.Join(f.dir.Display, filepath.FromSlash(out.Text))}
	name := gen.Get("package")
	if isBlank(name) {
		name = &tree.Node{Text: filepath.Base(b.Out.Path), Pos: out.Pos}
	}
	b.Package = name.Text
	if !token.IsIdentifier(b.Package) || b.Package == "_" || b.Package == "main" {
		f.problems.Errorf(name.Pos, "set package to a Go identifier, such as idemdb", "%q is not a valid name of an importable Go package", b.Package)
	}
}

// checkDatabase warns about an analysis that would make the output depend on a
// database: it is turned off.
func (f *finder) checkDatabase(b *Block) {
	database := b.node.Get("database")
	analyzer := lookup(b.node, "analyzer", "database")
	if asks, ok := boolean(analyzer); database == nil || ok && !asks {
		return
	}
	f.problems.Warnf(database.Pos, "add analyzer: {database: false} to the block, so that sqlc generate gives the same result",
		"idemgen runs sqlc without a database, because its output must depend only on files")
}

// isSQL reports whether sqlc reads a file of this name.
func isSQL(name string) bool {
	return strings.HasSuffix(name, ".sql") && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".down.sql")
}
