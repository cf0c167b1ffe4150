package generate

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// project is a folder with everything that idemgen needs.
type project struct {
	t       *testing.T
	folder  string
	scratch string // for temporary files
	environ []string
}

// newProject returns the project of testdata/shop, with nothing generated yet.
func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{t: t, folder: t.TempDir(), scratch: t.TempDir()}
	if err := os.CopyFS(p.folder, os.DirFS(filepath.Join("testdata", "shop"))); err != nil {
		t.Fatal(err)
	}
	p.write("go.mod", "module example.com/shop\n\ngo 1.26\n")
	p.environ = append(os.Environ(), "GOWORK=off", "TMPDIR="+p.scratch)
	return p
}

// command is idemgen with args, to be run in the project.
func (p *project) command(args ...string) *exec.Cmd {
	p.t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(p.t.Context()), command.Idemgen(p.t), args...)
	cmd.Dir = p.folder
	cmd.Env = p.environ
	return cmd
}

// result is what a run of idemgen comes to.
type result struct {
	code           int
	stdout, stderr string
}

func (p *project) run(args ...string) result {
	p.t.Helper()
	return p.finish(p.command(args...))
}

// finish runs cmd.
func (p *project) finish(cmd *exec.Cmd) result {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// generate runs idemgen generate, which must succeed without a diagnostic.
func (p *project) generate() {
	p.t.Helper()
	p.run("generate").wantFine(p.t)
}

// wantFine demands a run that has succeeded and had nothing to say but its results.
func (r result) wantFine(t *testing.T) {
	t.Helper()
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("idemgen generate: exit code %d\n%s", r.code, r.stderr)
	}
}

func (p *project) path(name string) string { return filepath.Join(p.folder, filepath.FromSlash(name)) }

func (p *project) write(name, content string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	content, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(content)
}

func (p *project) remove(name string) {
	p.t.Helper()
	if err := os.Remove(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

// clear removes whatever there is under a name.
func (p *project) clear(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

// replace changes a part of a file.
func (p *project) replace(name, from, to string) {
	p.t.Helper()
	content := p.read(name)
	if !strings.Contains(content, from) {
		p.t.Fatalf("%q is not in %s", from, name)
	}
	p.write(name, strings.Replace(content, from, to, 1))
}

// entry is what there is to know of a file or folder.
type entry struct {
	Mode    fs.FileMode
	ModTime time.Time // of a file
	Content string
}

// tree returns every file and folder below folder.
func tree(t *testing.T, folder string) map[string]entry {
	t.Helper()
	entries := map[string]entry{}
	err := filepath.WalkDir(folder, func(path string, found fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := found.Info()
		if err != nil {
			return err
		}
		e := entry{Mode: info.Mode()}
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			e.ModTime, e.Content = info.ModTime(), string(content)
		}
		name, err := filepath.Rel(folder, path)
		entries[filepath.ToSlash(name)] = e
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// expectUnchanged demands that the project is as it was before.
func (p *project) expectUnchanged(before map[string]entry) {
	p.t.Helper()
	if diff := cmp.Diff(before, tree(p.t, p.folder)); diff != "" {
		p.t.Errorf("the project has changed: -before +after\n%s", diff)
	}
}

// expectNoScratch demands that no temporary file of ours is left.
func (p *project) expectNoScratch() {
	p.t.Helper()
	left, err := filepath.Glob(filepath.Join(p.scratch, "idemgen*"))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(left) > 0 {
		p.t.Errorf("temporary files are left: %v", left)
	}
}
