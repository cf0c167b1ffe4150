package config

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// reader turns the text into a Config and collects what is wrong with it.
type reader struct {
	tree.Decoder // reports into problems

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
	outKeys    = []string{"package", "out", "options"} // what goes with server.out only
	frameworks = []string{"std-http", "chi", "gorilla", "echo", "echo5", "gin", "fiber", "fiber3", "iris"}
)

const exampleServer = "server: {package: api, out: internal/api, framework: std-http, options: {}}"

// read is the shape of the file; check looks at what the paths mean together. It
// returns nil for what is no mapping at all, which has been reported.
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

// section is a mapping of the configuration, and what its keys are called in
// messages: "server.out".
type section struct {
	node   *tree.Node
	prefix string
}

// value returns the value of a key. One that is missing is nil, and reported if there
// is an example of what to write.
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
		r.Errorf(n.Pos, "write version: 1", "this version of the configuration is not known")
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

// serverFrom reads what there is to say about a package that the user generates.
func (r *reader) serverFrom(s section) Server {
	for _, key := range outKeys {
		if m := s.node.Member(key); m != nil {
			r.Errorf(m.Pos, "remove one of the two",
				"server.%s has no meaning beside server.from, which names a package that you generate yourself", key)
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
			"%q cannot be the name of a Go package", name)
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
		r.Errorf(s.node.Get("framework").Pos, diag.DidYouMean(name, frameworks), "framework %q is not known", name)
	}
	return name
}

// options are oapi-codegen's own, which are read where oapi-codegen is.
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

// text reads a string; it is empty if there is none.
func (r *reader) text(s section, key, example string) string {
	n := r.value(s, key, example)
	if n == nil {
		return ""
	}
	text, _ := r.Text(n, s.prefix+key)
	return text
}

// path reads a path that is written relative to the configuration file. It is zero if
// there is none.
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

// folder reads the path of an output, which must not lie elsewhere on another machine.
func (r *reader) folder(s section, key, example string) Path {
	p := r.path(s, key, example)
	if !p.IsZero() && filepath.IsAbs(filepath.FromSlash(s.node.Get(key).Text)) {
		r.Errorf(p.Pos, "write it relative to "+r.file.Display, "an output must not be an absolute path")
	}
	return p
}

// output reads the path of a file that is written, by its extension.
func (r *reader) output(s section, key, example string, extensions ...string) Path {
	p := r.folder(s, key, example)
	if !p.IsZero() && !slices.Contains(extensions, filepath.Ext(p.Abs)) {
		r.Errorf(p.Pos, "rename it", "%s must be a file whose name ends in %s", key, strings.Join(extensions, " or "))
	}
	return p
}
