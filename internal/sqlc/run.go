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

	"gopkg.in/yaml.v3"
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

// Run runs sqlc over the block, with schema and queries in the place of whatever
// is on disk under the names of our two files; without a schema, of which there is
// no file, sqlc reads the others of the block. Nothing outside of a temporary
// folder is written, and no environment variable but the system's own has an
// influence. What sqlc finds fault with is returned as one diag.List with
// positions in the user's files; a context that ends kills sqlc.
//
// The program must handle [ChildArgument] as [Child] says.
func (b *Block) Run(ctx context.Context, schema, queries []byte) (*Package, error) {
	if inChild() {
		return nil, errors.New("the program was started to be sqlc and was not: it must call sqlc.Child first")
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

// environment is what sqlc gets to see: where temporary files go, which is the
// folder that is removed in the end, what Windows needs to start a process, and what
// is meant for the Go runtime of a test.
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
	copies          map[string]source  // by the copy's name, as sqlc prints it
	lines           map[int]*yaml.Node // line of the written configuration → what the user wrote there
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
	config, err := s.config(schema, queries)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, configName), config, 0o600)
}

// copyAll copies files into numbered folders, as two may have the same name, and
// returns their paths in the temporary folder.
func (s *stage) copyAll(folder string, sources []source) ([]string, error) {
	var names []string
	for i, src := range sources {
		if src.Path == s.block.ours.schema.Path && s.schema == nil {
			continue
		}
		content, err := s.content(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Display, unwrapPath(err))
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

// config is the user's configuration reduced to the one block, its Go code and
// the options that bear on it, with paths in the temporary folder. Keys that
// nobody knows stay, for sqlc to complain about.
func (s *stage) config(schema, queries []string) ([]byte, error) {
	gen := *get(get(s.block.node, "gen"), "go")
	gen.Content = slices.Clone(gen.Content)
	set(&gen, "out", text(outFolder))
	set(&gen, "package", text(s.block.Package))

	block := without(s.block.node, "database", "analyzer", "codegen", "rules")
	set(block, "schema", textList(schema))
	set(block, "queries", textList(queries))
	set(block, "gen", &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text("go"), &gen}})

	root := without(s.block.doc.root, "cloud", "servers", "plugins", "rules", "options")
	set(root, "version", text("2"))
	set(root, "sql", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{block}})

	data, err := yaml.Marshal(root)
	if err != nil {
		return nil, err
	}
	var written yaml.Node
	if err := yaml.Unmarshal(data, &written); err != nil {
		return nil, err
	}
	s.lines = map[int]*yaml.Node{}
	matchLines(s.lines, written.Content[0], root)
	return data, nil
}

// matchLines walks two trees of one shape and notes which node of the original
// starts a line of what was written.
func matchLines(lines map[int]*yaml.Node, written, original *yaml.Node) {
	if _, taken := lines[written.Line]; !taken && original.Line > 0 {
		lines[written.Line] = original
	}
	for i := range written.Content {
		matchLines(lines, written.Content[i], original.Content[i])
	}
}

func readFiles(dir string) ([]GeneratedFile, error) {
	listing, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("sqlc wrote nothing: %w", unwrapPath(err))
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
