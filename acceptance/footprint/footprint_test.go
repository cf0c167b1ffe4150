// Package footprint holds what the generator leaves in a user's module: nothing of
// its own. It follows the README, with our modules served as if published.
package footprint

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// A user follows the README in an empty module, in both ways that it shows. Then
// the module requires the runtime, pgx and what the generated server is written
// against, and nothing of the generator.
func TestFootprint(t *testing.T) {
	proxy, _ := publish(t)
	for name, generate := range map[string]func(*consumer, *testing.T){
		"go generate":            (*consumer).byGoGenerate,
		"go tool -modfile=tools": (*consumer).byTool,
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsumer(t, proxy)
			generate(c, t)
			c.write("main.go", read(t, "testdata/shop/main.go.txt"))
			c.run("go", "mod", "tidy")
			c.run("go", "vet", "./...")

			want := []string{
				"github.com/idemgen/idemgen/idem",
				"github.com/jackc/pgx/v5",
				"github.com/oapi-codegen/runtime",
			}
			direct, all := c.requirements()
			if diff := cmp.Diff(want, direct); diff != "" {
				t.Errorf("direct requirements: -want +got\n%s", diff)
			}
			for _, path := range all {
				if ofTheGenerator.MatchString(path) {
					t.Errorf("the module requires %s", path)
				}
			}
			if linked := c.run("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "."); ofTheGenerator.MatchString(linked) {
				t.Errorf("the service links %s", ofTheGenerator.FindString(linked))
			}
		})
	}
}

// ofTheGenerator matches modules that only the generator needs.
var ofTheGenerator = regexp.MustCompile(`(?m)^github\.com/(?:idemgen/idemgen$|sqlc-dev/|oapi-codegen/oapi-codegen|getkin/|spf13/|speakeasy-api/|santhosh-tekuri/)|yaml|^golang\.org/x/(?:tools|mod)$`)

// consumer is a user's module.
type consumer struct {
	t       *testing.T
	folder  string
	environ []string
}

// newConsumer makes an empty module with a document and two configurations.
func newConsumer(t *testing.T, proxy string) *consumer {
	t.Helper()
	c := &consumer{t: t, folder: t.TempDir()}
	for _, name := range []string{"api.yaml", "idemgen.yaml", "sqlc.yaml"} {
		c.write(name, read(t, filepath.Join("testdata", "shop", name)))
	}
	cache := strings.TrimSpace(output(t, ".", os.Environ(), "go", "env", "GOMODCACHE"))
	upstream := strings.TrimSpace(output(t, ".", os.Environ(), "go", "env", "GOPROXY"))
	c.environ = append(os.Environ(),
		"GOWORK=off",
		// Ours, then what this machine has already, then the network.
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download"))+","+upstream,
		"GONOSUMDB=*", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=none",
		"GOFLAGS=-modcacherw",
	)
	c.run("go", "mod", "init", "example.com/shop")
	return c
}

// byGoGenerate runs the go:generate line of the README.
func (c *consumer) byGoGenerate(t *testing.T) {
	line := regexp.MustCompile(`(?m)^ *(//go:generate .*)$`).FindStringSubmatch(readme(t))
	if line == nil {
		t.Fatal("README.md has no go:generate line")
	}
	c.write("generate.go", "package main\n\n"+line[1]+"\n")
	c.run("go", "generate", "./...")
}

// byTool runs the commands of the README that pin the generator in tools.mod.
func (c *consumer) byTool(t *testing.T) {
	block := regexp.MustCompile("(?s)```\n( *go mod init -modfile=tools.mod .*?)```").FindStringSubmatch(readme(t))
	if block == nil {
		t.Fatal("README.md does not show tools.mod")
	}
	before := c.read("go.mod")
	for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
		words := strings.Fields(line)
		c.run(words[0], words[1:]...)
	}
	if diff := cmp.Diff(before, c.read("go.mod")); diff != "" {
		t.Errorf("go.mod has changed: -before +after\n%s", diff)
	}
}

// requirements returns the paths of the modules that go.mod requires.
func (c *consumer) requirements() (direct, all []string) {
	c.t.Helper()
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal([]byte(c.run("go", "mod", "edit", "-json")), &mod); err != nil {
		c.t.Fatal(err)
	}
	for _, required := range mod.Require {
		all = append(all, required.Path)
		if !required.Indirect {
			direct = append(direct, required.Path)
		}
	}
	slices.Sort(direct)
	return direct, all
}

func (c *consumer) run(name string, args ...string) string {
	c.t.Helper()
	return output(c.t, c.folder, c.environ, name, args...)
}

func (c *consumer) write(name, content string) {
	c.t.Helper()
	write(c.t, filepath.Join(c.folder, name), content)
}

func (c *consumer) read(name string) string {
	c.t.Helper()
	return read(c.t, filepath.Join(c.folder, name))
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

func readme(t *testing.T) string {
	t.Helper()
	return read(t, filepath.Join(command.Root(t), "README.md"))
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
