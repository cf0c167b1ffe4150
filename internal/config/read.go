package config

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// reader converts the text to a Config and collects its problems.
type reader struct {
	tree.Decoder // reports to problems

	file     Path
	problems diag.List
}

func newReader(file Path) *reader {
	r := &reader{file: file}
	r.Problems = &r.problems
	return r
}

var (
	topKeys    = []string{"version", "spec", "overlay", "server", "bound", "sqlc", "schema", "migrations", "queries", "lock", "strict"}
	serverKeys = []string{"package", "out", "framework", "options", "from"}
	outKeys    = []string{"package", "out", "options"} // keys that are allowed only with server.out
	frameworks = []string{"std-http", "chi", "gorilla", "echo", "echo5", "gin", "fiber", "fiber3", "iris"}
)

const exampleServer = "server: {package: api, out: internal/api, framework: std-http, options: {}}"

// read reads the structure of the file; check checks what the paths mean together. It
// returns nil if the file is not a mapping, which has been reported.
func (r *reader) read(data []byte) *Config {
	root, problems := tree.Parse(r.file.Display, data)
	r.problems.Add(problems...)
	if root == nil || !r.Mapping(root, "the configuration", topKeys...) {
		return nil
	}
	r.version(root)
	top := section{root, ""}
	schema, migrations := r.tables(top)
	return &Config{
		File:    r.file,
		Spec:    r.path(top, "spec", "openapi/api.yaml"),
		Overlay: r.path(top, "overlay", ""),
		Server:  r.server(root),
		Bound:   r.output(top, "bound", "", ".yaml", ".yml"),
		SQLC:    r.path(top, "sqlc", "sqlc.yaml"),
		Schema:  schema,
		Queries: r.output(top, "queries", "queries/idempotency.sql", ".sql"),
		Lock:    r.output(top, "lock", "idemgen.lock.yaml", ".yaml", ".yml"),
		Strict:  r.boolean(top, "strict"),

		Migrations: migrations,
	}
}

// section is a mapping of the configuration and the name of its keys in messages, such
// as "server.out".
type section struct {
	node   *tree.Node
	prefix string
}

// value returns the value of a key. A missing one is nil, and is reported if there is
// an example of what to write.
func (r *reader) value(s section, key, example string) *tree.Node {
	if example == "" {
		return s.node.Get(key)
	}
	value, _ := r.Require(s.node, key, s.prefix+key, key+": "+example)
	return value
}

func (r *reader) version(root *tree.Node) {
	n, ok := r.Require(root, "version", "version", "version: 1")
	if ok && (n.Kind != tree.Int || n.Text != "1") {
		r.Errorf(n.Pos, "write version: 1", "this version of the configuration is unknown")
	}
}

func (r *reader) server(root *tree.Node) Server {
	n, ok := r.Require(root, "server", "server", exampleServer)
	if !ok || !r.Mapping(n, "server", serverKeys...) {
		return Server{}
	}
	s := section{n, "server."}
	if n.Get("from") != nil {
		return r.serverFrom(s)
	}
	out := r.folder(s, "out", "internal/api")
	return Server{
		Out:        out,
		Package:    r.packageName(s),
		ImportPath: r.importPath(out),
		Framework:  r.framework(s, frameworks[0]),
		Options:    r.options(n.Get("options")),
	}
}

// serverFrom reads the settings for a package that the user generates.
func (r *reader) serverFrom(s section) Server {
	for _, key := range outKeys {
		if m := s.node.Member(key); m != nil {
			r.Errorf(m.Pos, "remove one of the two",
				"server.%s is not allowed with server.from, which names a package that you generate yourself", key)
		}
	}
	from := r.folder(s, "from", "")
	return Server{From: from, ImportPath: r.importPath(from), Framework: r.framework(s, "")}
}

func (r *reader) importPath(folder Path) string {
	if folder.IsZero() {
		return ""
	}
	path, problem := importPath(folder)
	if problem != nil {
		r.problems.Add(*problem)
	}
	return path
}

func (r *reader) packageName(s section) string {
	name := r.text(s, "package", "api")
	if name != "" && !isPackageName(name) {
		r.Errorf(s.node.Get("package").Pos, "use a Go identifier that is not a keyword, such as orderapi",
			"%q is not a valid name of a Go package", name)
	}
	return name
}

func isPackageName(name string) bool { return token.IsIdentifier(name) && name != "_" }

func (r *reader) framework(s section, fallback string) string {
	name := r.text(s, "framework", "")
	if name == "" {
		return fallback
	}
	if !slices.Contains(frameworks, name) {
		r.Errorf(s.node.Get("framework").Pos, diag.DidYouMean(name, frameworks), "framework %q is unknown", name)
	}
	return name
}

// options are those of oapi-codegen, which internal/oapi reads.
func (r *reader) options(n *tree.Node) *tree.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != tree.Mapping:
		r.WrongType(n, "server.options", tree.Mapping.String(), "write options: {}")
		return nil
	case len(n.Members) == 0:
		return nil
	}
	return n
}

func (r *reader) boolean(s section, key string) bool {
	n := s.node.Get(key)
	if n == nil {
		return false
	}
	value, _ := r.Bool(n, s.prefix+key)
	return value
}

// text reads a string; it is empty if the key is missing.
func (r *reader) text(s section, key, example string) string {
	n := r.value(s, key, example)
	if n == nil {
		return ""
	}
	text, _ := r.Text(n, s.prefix+key)
	return text
}

// path reads a path relative to the configuration file. It is zero if the key is
// missing.
func (r *reader) path(s section, key, example string) Path {
	value := filepath.FromSlash(r.text(s, key, example))
	switch {
	case value == "":
		return Path{}
	case filepath.IsAbs(value):
		return Path{Display: filepath.Clean(value), Abs: filepath.Clean(value), Pos: s.node.Get(key).Pos}
	}
	return Path{
		Display: filepath.Join(filepath.Dir(r.file.Display), value),
		Abs:     filepath.Join(filepath.Dir(r.file.Abs), value),
		Pos:     s.node.Get(key).Pos,
	}
}

// folder reads the folder of an output, which must be the same on every machine.
func (r *reader) folder(s section, key, example string) Path {
	p := r.path(s, key, example)
	if !p.IsZero() && filepath.IsAbs(filepath.FromSlash(s.node.Get(key).Text)) {
		r.Errorf(p.Pos, "write it relative to "+r.file.Display, "an output must not be an absolute path")
	}
	return p
}

// output reads the path of an output file and checks its extension.
func (r *reader) output(s section, key, example string, extensions ...string) Path {
	p := r.folder(s, key, example)
	if !p.IsZero() && !slices.Contains(extensions, filepath.Ext(p.Abs)) {
		r.Errorf(p.Pos, "rename it", "%s must be a file whose name ends in %s", key, strings.Join(extensions, " or "))
	}
	return p
}
