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

// Config is a valid configuration.
type Config struct {
	File    Path // idemgen.yaml itself; Pos is its first line
	Spec    Path // the OpenAPI document
	Overlay Path // zero if there is none
	Server  Server
	Bound   Path // the file for the bound document; zero if it is not wanted
	SQLC    Path // the user's sqlc configuration
	Schema  Path // the DDL that idemgen writes; zero if Migrations is set
	Queries Path // the queries that idemgen writes
	Lock    Path
	Strict  bool

	Migrations Migrations // zero if Schema is set
}

// Path is a file or folder that the configuration names.
type Path struct {
	Display string        // relative to the folder in which idemgen was started, for diagnostics
	Abs     string        // absolute and clean
	Pos     diag.Position // of the value in the configuration
}

// IsZero reports whether the path is missing in the configuration.
func (p Path) IsZero() bool { return p.Abs == "" }

// Join returns the path of a file in the folder p.
func (p Path) Join(name string) Path {
	name = filepath.FromSlash(name)
	return Path{Display: filepath.Join(p.Display, name), Abs: filepath.Join(p.Abs, name), Pos: p.Pos}
}

// Server is the package of the strict server. Either idemgen runs oapi-codegen, which
// writes to Out, or the user generates the package, which is in From.
type Server struct {
	Package    string // Go package name; "" with From, which is read from the package
	Out        Path   // its folder; zero with From
	From       Path   // its folder; zero with Out
	ImportPath string
	Framework  string     // "std-http"; optional with From, and then checked
	Options    *tree.Node // the options of oapi-codegen, a mapping; nil if there are none
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

// Load reads the configuration file at path. All problems of its content are returned
// as one diag.List; any other error means that it could not be read.
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
			Remedy:  "create it, or name another one with -c",
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
