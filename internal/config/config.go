// Package config reads idemgen.yaml.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// Config is a configuration that has been read and found to make sense.
type Config struct {
	File    Path // idemgen.yaml itself; Pos is its first line
	Spec    Path // the OpenAPI document
	Overlay Path // zero when there is none
	Server  Server
	Bound   Path // where the bound document goes; zero when it is not asked for
	SQLC    Path // the user's sqlc configuration
	Schema  Path // the DDL that idemgen writes; zero with Migrations
	Queries Path // the queries that idemgen writes
	Lock    Path
	Strict  bool

	Migrations Migrations // zero with Schema
}

// Path is a file or folder that the configuration names.
type Path struct {
	Display string        // as the user would type it where idemgen was started, for diagnostics
	Abs     string        // absolute and clean
	Pos     diag.Position // the value in the configuration
}

// IsZero reports whether the configuration does not name the path.
func (p Path) IsZero() bool { return p.Abs == "" }

// Join returns the path of a file in the folder p.
func (p Path) Join(name string) Path {
	name = filepath.FromSlash(name)
	return Path{Display: filepath.Join(p.Display, name), Abs: filepath.Join(p.Abs, name), Pos: p.Pos}
}

// Server is the package that the strict server is in. Either idemgen has
// oapi-codegen generate it, and Out says where; or the user does, and From does.
type Server struct {
	Package    string // Go package name; "" with From, where the package says it
	Out        Path   // its folder; zero with From
	From       Path   // its folder; zero with Out
	ImportPath string
	Framework  string     // "std-http"; "" with From, unless it is given to be checked
	Options    *tree.Node // oapi-codegen's own, a mapping; nil where there are none
}

// Folder returns the folder of the server's package.
func (s Server) Folder() Path {
	if s.From.IsZero() {
		return s.Out
	}
	return s.From
}

// The names of the two files in the server's folder.
const (
	ServerFile    = "api.gen.go"
	DecoratorFile = "idempotent.gen.go"
)

// Load reads the configuration file, as the user typed its path. What is wrong
// with it is returned as one diag.List; any other error is trouble with reading it.
func Load(file string) (*Config, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	display := filepath.Clean(file)
	data, err := os.ReadFile(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{{
			Pos:     diag.Position{File: display, Line: 1, Column: 1},
			Message: "the configuration file does not exist",
			Remedy:  "write it, or name another one with -c",
		}}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", display, diag.Cause(err))
	}
	r := newReader(Path{Display: display, Abs: abs, Pos: diag.Position{File: display, Line: 1, Column: 1}})
	config := r.read(data)
	if config != nil {
		r.check(config)
	}
	if err := r.problems.Err(); err != nil {
		return nil, err
	}
	return config, nil
}
