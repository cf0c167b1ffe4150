package sqlc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// Package is the Go package that sqlc wrote.
type Package struct {
	Name  string
	Files []GeneratedFile // by name

	queries []byte
}

// GeneratedFile is one file of a package.
type GeneratedFile struct {
	Name    string // without a folder: "idempotency.sql.go"
	Content []byte
}

// Run runs sqlc on the block, with schema and queries in place of the content of
// idemgen's two files on disk. Without a schema file, sqlc reads only the other files
// of the block. It writes only to a temporary folder, and only the environment
// variables of the system have an effect. Errors of sqlc are returned as one diag.List
// with positions in the user's files; if ctx ends, sqlc is killed.
//
// The program must handle [ChildArgument] as described at [Child].
func (b *Block) Run(ctx context.Context, schema, queries []byte) (*Package, error) {
	if inChild() {
		return nil, errors.New("the program was started as sqlc but did not run it: it must call sqlc.Child first")
	}
	dir, err := os.MkdirTemp("", "idemgen-sqlc-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := stage{block: b, dir: dir, schema: schema, queries: queries}
	if err := s.write(); err != nil {
		return nil, err
	}
	stderr, err := start(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("sqlc was stopped: %w", ctx.Err())
		}
		return nil, s.explain(stderr, err)
	}
	files, err := readFiles(filepath.Join(dir, outFolder))
	if err != nil {
		return nil, err
	}
	return &Package{Name: b.Package, Files: files, queries: queries}, nil
}

const (
	configName = "sqlc.yaml"
	outFolder  = "out"
)

// start runs sqlc and returns what it wrote to its standard error.
func start(ctx context.Context, dir string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	var output, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, program, ChildArgument, "generate", "--no-remote", "-f", filepath.Join(dir, configName))
	cmd.Dir = dir
	cmd.Env = environment(dir)
	cmd.Stdout, cmd.Stderr = &output, &problems
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	return problems.String(), err
}

// environment returns sqlc's environment: the folder for temporary files, which is
// removed at the end, the variables that Windows needs to start a process, and those
// for the Go runtime of a test.
func environment(dir string) []string {
	env := []string{childMark + "=1", "TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir}
	for _, name := range []string{"SYSTEMROOT", "GOCOVERDIR", "GORACE"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// stage is the temporary folder in which sqlc runs.
type stage struct {
	block           *Block
	dir             string
	schema, queries []byte
	copies          map[string]source // by the copy's name, as sqlc prints it
	config          *tree.JSON        // the configuration for sqlc, which knows the user's positions
}

func (s *stage) write() error {
	s.copies = map[string]source{}
	schema, err := s.copyAll("schema", s.block.schema)
	if err != nil {
		return err
	}
	queries, err := s.copyAll("queries", s.block.queries)
	if err != nil {
		return err
	}
	s.config = s.reduced(schema, queries)
	return os.WriteFile(filepath.Join(s.dir, configName), s.config.Text, 0o600)
}

// copyAll copies files to numbered folders, since two may have the same name, and
// returns their paths in the temporary folder.
func (s *stage) copyAll(folder string, sources []source) ([]string, error) {
	var names []string
	for i, src := range sources {
		if src.Path == s.block.ours.schema.Path && s.schema == nil {
			continue
		}
		content, err := s.content(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Display, diag.Cause(err))
		}
		name := filepath.Join(fmt.Sprintf("%s%d", folder, i+1), filepath.Base(src.Path))
		path := filepath.Join(s.dir, name)
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return nil, err
		}
		s.copies[name] = src
		names = append(names, filepath.ToSlash(name))
	}
	return names, nil
}

func (s *stage) content(src source) ([]byte, error) {
	switch src.Path {
	case s.block.ours.schema.Path:
		return s.schema, nil
	case s.block.ours.queries.Path:
		return s.queries, nil
	}
	return os.ReadFile(src.Path)
}

// reduced returns the user's configuration reduced to the one block, its Go code and
// the options that affect it, with paths in the temporary folder. Unknown keys are
// kept, so that sqlc reports them.
func (s *stage) reduced(schema, queries []string) *tree.JSON {
	gen := lookup(s.block.node, "gen", "go").Clone()
	set(gen, "out", tree.NewString(outFolder))
	set(gen, "package", tree.NewString(s.block.Package))

	block := without(s.block.node, "database", "analyzer", "codegen", "rules")
	set(block, "schema", textList(schema))
	set(block, "queries", textList(queries))
	set(block, "gen", &tree.Node{Kind: tree.Mapping, Members: []*tree.Member{{Name: "go", Value: gen}}})

	root := without(s.block.root, "cloud", "servers", "plugins", "rules", "options")
	set(root, "version", tree.NewString("2"))
	set(root, "sql", &tree.Node{Kind: tree.Sequence, Items: []*tree.Node{block}})
	return tree.EncodeJSON(unquoted(root), tree.JSONOptions{})
}

func readFiles(dir string) ([]GeneratedFile, error) {
	listing, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("sqlc wrote no files: %w", diag.Cause(err))
	}
	var files []GeneratedFile
	for _, item := range listing {
		content, err := os.ReadFile(filepath.Join(dir, item.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, GeneratedFile{item.Name(), content})
	}
	slices.SortFunc(files, func(a, b GeneratedFile) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}
