package config

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/idemgen/idemgen/internal/diag"
)

// reader turns the text into a Config and collects what is wrong with it.
type reader struct {
	file     Path
	problems diag.List
}

var (
	topKeys    = []string{"version", "spec", "overlay", "server", "bound", "sqlc", "schema", "migrations", "queries", "lock", "strict"}
	serverKeys = []string{"package", "out", "framework", "options", "from"}
	outKeys    = []string{"package", "out", "options"} // what goes with server.out only
	frameworks = []string{"std-http", "chi", "gorilla", "echo", "echo5", "gin", "fiber", "fiber3", "iris"}
)

const exampleServer = "server: {package: api, out: internal/api, framework: std-http, options: {}}"

// read is the shape of the file; check looks at what the paths mean together.
func (r *reader) read(data []byte) *Config {
	config := &Config{File: r.file}
	root := r.parse(data)
	if root == nil {
		return config
	}
	top := r.mapping(root, "the configuration", topKeys)
	if top == nil {
		return config
	}
	r.version(top)
	config.Spec = r.input(top, "spec", "openapi/api.yaml")
	config.Overlay = r.optionalInput(top, "overlay")
	config.Server = r.server(top)
	config.Bound = r.optionalOutput(top, "bound", ".yaml", ".yml")
	config.SQLC = r.input(top, "sqlc", "sqlc.yaml")
	config.Schema, config.Migrations = r.tables(top)
	config.Queries = r.output(top, "queries", "queries/idempotency.sql", ".sql")
	config.Lock = r.output(top, "lock", "idemgen.lock.yaml", ".yaml", ".yml")
	config.Strict = r.boolean(top, "strict")
	return config
}

func (r *reader) version(top *mapping) {
	e, ok := r.require(top, "version", "version: 1")
	if !ok {
		return
	}
	if e.value.Kind != yaml.ScalarNode || e.value.Value != "1" {
		r.report(e.value, "version "+describe(e.value)+" is not known", "write version: 1")
	}
}

func (r *reader) server(top *mapping) Server {
	var server Server
	e, ok := r.require(top, "server", exampleServer)
	if !ok {
		return server
	}
	m := r.mapping(e.value, "server", serverKeys)
	if m == nil {
		return server
	}
	if _, ok := m.entries["from"]; ok {
		return r.serverFrom(m)
	}
	server.Out = r.path(m, "out", "out: internal/api")
	r.relative(m, "out")
	server.Package = r.packageName(m)
	server.Framework = r.framework(m)
	server.Options = r.options(m)
	return server
}

// serverFrom reads what there is to say about a package that the user generates.
func (r *reader) serverFrom(m *mapping) Server {
	for _, key := range outKeys {
		if e, ok := m.entries[key]; ok {
			r.report(e.key, e.name+" has no meaning beside server.from, which names a package that you generate yourself", "remove one of the two")
		}
	}
	server := Server{From: r.path(m, "from", "")}
	r.relative(m, "from")
	if _, ok := m.entries["framework"]; ok {
		server.Framework = r.framework(m)
	}
	return server
}

func (r *reader) packageName(m *mapping) string {
	e, ok := r.require(m, "package", "package: api")
	if !ok {
		return ""
	}
	name, ok := r.text(e)
	if ok && !isPackageName(name) {
		r.report(e.value, quote(name)+" cannot be the name of a Go package", "use a Go identifier that is not a keyword, such as orderapi")
	}
	return name
}

func isPackageName(name string) bool { return token.IsIdentifier(name) && name != "_" }

func (r *reader) framework(m *mapping) string {
	e, ok := m.entries["framework"]
	if !ok {
		return frameworks[0]
	}
	name, ok := r.text(e)
	if ok && !slices.Contains(frameworks, name) {
		r.report(e.value, "framework "+quote(name)+" is not known", diag.DidYouMean(name, frameworks))
	}
	return name
}

// options are oapi-codegen's own, which are read where oapi-codegen is.
func (r *reader) options(m *mapping) *yaml.Node {
	e, ok := m.entries["options"]
	if !ok {
		return nil
	}
	if e.value.Kind != yaml.MappingNode {
		r.report(e.value, "server.options must be a mapping, not "+describe(e.value), "write options: {}")
		return nil
	}
	if len(e.value.Content) == 0 {
		return nil
	}
	return e.value
}

func (r *reader) boolean(m *mapping, key string) bool {
	e, ok := m.entries[key]
	if !ok {
		return false
	}
	if e.value.Kind != yaml.ScalarNode || e.value.Tag != "!!bool" {
		r.report(e.value, key+" must be true or false, not "+describe(e.value), "write "+key+": true or "+key+": false")
		return false
	}
	var value bool
	_ = e.value.Decode(&value) // the tag says that it is one
	return value
}

func (r *reader) input(m *mapping, key, example string) Path {
	return r.path(m, key, key+": "+example)
}

func (r *reader) optionalInput(m *mapping, key string) Path {
	if _, ok := m.entries[key]; !ok {
		return Path{}
	}
	return r.path(m, key, "")
}

func (r *reader) output(m *mapping, key, example string, extensions ...string) Path {
	p := r.path(m, key, key+": "+example)
	r.relative(m, key)
	r.extension(p, key, extensions)
	return p
}

func (r *reader) optionalOutput(m *mapping, key string, extensions ...string) Path {
	if _, ok := m.entries[key]; !ok {
		return Path{}
	}
	return r.output(m, key, "", extensions...)
}

// path reads a path that is written relative to the configuration file.
func (r *reader) path(m *mapping, key, example string) Path {
	e, ok := r.require(m, key, example)
	if !ok {
		return Path{}
	}
	value, ok := r.text(e)
	if !ok {
		return Path{}
	}
	p := Path{Pos: r.position(e.value)}
	value = filepath.FromSlash(value)
	if filepath.IsAbs(value) {
		p.Display, p.Abs = filepath.Clean(value), filepath.Clean(value)
		return p
	}
	p.Display = filepath.Join(filepath.Dir(r.file.Display), value)
	p.Abs = filepath.Join(filepath.Dir(r.file.Abs), value)
	return p
}

// relative refuses an output that would lie elsewhere on another machine.
func (r *reader) relative(m *mapping, key string) {
	e, ok := m.entries[key]
	if ok && filepath.IsAbs(filepath.FromSlash(e.value.Value)) {
		r.report(e.value, "an output must not be an absolute path", "write it relative to "+r.file.Display)
	}
}

func (r *reader) extension(p Path, key string, allowed []string) {
	if p.IsZero() || slices.Contains(allowed, filepath.Ext(p.Abs)) {
		return
	}
	r.reportAt(p.Pos, key+" must be a file whose name ends in "+strings.Join(allowed, " or "), "rename it")
}
