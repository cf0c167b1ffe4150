package readme

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// documented is the module's path on the pages.
const documented = "example.com/payments"

// reader follows the steps of a page, in the folder of a module.
type reader struct {
	t       *testing.T
	variant variant
	folder  string
	environ []string
	pool    *pgxpool.Pool // of the database that DATABASE_URL names
	address string        // of the service, once it runs
}

// newReader makes the folder of a variant and, for a variant with a checkout, a
// checkout of this repository beside it. The page's steps do the rest. The short ones
// take a go.mod for granted.
func newReader(t *testing.T, v variant, goproxy []string) *reader {
	t.Helper()
	parent := t.TempDir()
	r := &reader{t: t, variant: v, folder: filepath.Join(parent, "service"), pool: pgtest.Pool(t)}
	r.environ = append(append(os.Environ(), goproxy...), "GOWORK=", "DATABASE_URL="+r.pool.Config().ConnString())
	if err := os.Mkdir(r.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if !v.release {
		if err := os.Symlink(command.Root(t), filepath.Join(parent, "idemgen")); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case !v.new:
		if err := os.CopyFS(r.folder, os.DirFS("testdata/populated")); err != nil {
			t.Fatal(err)
		}
		r.run("go", "mod", "init", v.module)
		r.run("go", "mod", "tidy")
	case v.page == short:
		r.run("go", "mod", "init", v.module)
	}
	return r
}

// follow carries out a step, unless it is for other readers.
func (r *reader) follow(s step) {
	r.t.Helper()
	switch {
	case s.kind == "file":
		r.write(s.about, strings.ReplaceAll(s.block, documented+"/", r.variant.module+"/"))
	case s.kind == "requests":
		r.send(s)
	case s.about == "database":
		r.applySQL(s)
	case s.about == "serve":
		r.serve(s)
	case r.variant.does(r.t, s):
		before := r.goMod()
		r.run("sh", "-e", "-c", s.block)
		if strings.Contains(s.block, "get -tool") && r.goMod() != before {
			r.t.Errorf("%s: pinning the generator has changed go.mod:\n%s", s.at, r.goMod())
		}
	}
}

// goMod returns the content of go.mod, or nothing if there is none.
func (r *reader) goMod() string {
	text, _ := os.ReadFile(r.path("go.mod"))
	return string(text)
}

// sqlFile finds the files in a command line of psql.
var sqlFile = regexp.MustCompile(`-f (\S+)`)

// applySQL runs the files that a command of psql names. It needs no psql: a test
// needs Go and a PostgreSQL server, which may come without it.
func (r *reader) applySQL(s step) {
	r.t.Helper()
	files := sqlFile.FindAllStringSubmatch(s.block, -1)
	if len(files) == 0 || !strings.HasPrefix(s.block, `psql "$DATABASE_URL" `) {
		r.t.Fatalf("%s: want a command of psql with files:\n%s", s.at, s.block)
	}
	for _, file := range files {
		if _, err := r.pool.Exec(r.t.Context(), r.read(file[1])); err != nil {
			r.t.Fatalf("%s: %v", file[1], err)
		}
	}
}

func (r *reader) run(name string, args ...string) string {
	r.t.Helper()
	return output(r.t, r.folder, r.environ, name, args...)
}

func (r *reader) path(name string) string { return filepath.Join(r.folder, filepath.FromSlash(name)) }

func (r *reader) write(name, content string) {
	r.t.Helper()
	write(r.t, r.path(name), content)
}

func (r *reader) read(name string) string {
	r.t.Helper()
	return read(r.t, r.path(name))
}

// output returns what a program prints, which must succeed.
func output(t *testing.T, folder string, environ []string, name string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = folder, environ, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
