// Package readme follows the steps of the documentation, all of them and nothing else:
// the complete ones of docs/getting-started.md, and the short ones of README.md. The
// pages are the only source of what is written, run and sent here.
package readme

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m).Run()) }

// variant is a reader's situation.
type variant struct {
	page    page
	release bool   // uses a release, which a module proxy serves; otherwise a checkout
	new     bool   // starts in an empty folder; otherwise in a service with code of its own
	module  string // the path of the reader's module
}

// does reports whether commands are for this reader.
func (v variant) does(t *testing.T, s step) bool {
	t.Helper()
	switch s.about {
	case "":
		return true
	case "new":
		return v.new
	case "release":
		return v.release
	case "checkout":
		return !v.release
	}
	t.Fatalf("%s: there is no kind of reader %q", s.at, s.about)
	return false
}

func TestSteps(t *testing.T) {
	goproxy := publish(t)
	for name, v := range map[string]variant{
		"a release in an empty folder":    {page: complete, release: true, new: true, module: documented},
		"a release in a service":          {page: complete, release: true, module: "example.com/shop"},
		"a checkout in an empty folder":   {page: complete, new: true, module: documented},
		"a checkout beside a service":     {page: complete, module: "example.com/shop"},
		"the short steps in a new module": {page: short, release: true, new: true, module: documented},
		"the short steps in a service":    {page: short, release: true, module: "example.com/shop"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t, v, goproxy)
			for _, s := range v.page.steps(t) {
				r.follow(s)
			}
			r.run("go", "test", "./...")
			r.run("go", "mod", "tidy", "-diff")
			r.requiresNothingOfTheGenerator()
			if v.release && v.page == complete {
				r.generatesUnpinned()
			}
		})
	}
}

var unpinned = regexp.MustCompile("`(go run github.com/idemgen/idemgen/cmd/idemgen@latest) generate`")

// generatesUnpinned runs the command that pins nothing. Everything that it would
// generate exists already.
func (r *reader) generatesUnpinned() {
	r.t.Helper()
	command := unpinned.FindStringSubmatch(strings.Join(complete.lines(r.t), "\n"))
	if command == nil {
		r.t.Fatalf("%s does not say how to try idemgen without pinning it", complete.name)
	}
	r.run("sh", "-c", command[1]+" generate && "+command[1]+" check")
}

// ofTheGenerator matches modules that only the generator needs.
var ofTheGenerator = regexp.MustCompile(`(?m)^github\.com/(?:idemgen/idemgen$|sqlc-dev/|oapi-codegen/oapi-codegen|getkin/|spf13/|speakeasy-api/|santhosh-tekuri/)|yaml|^golang\.org/x/(?:tools|mod)$`)

// requiresNothingOfTheGenerator checks that the module has gained three requirements:
// the runtime, pgx and what the generated server imports.
func (r *reader) requiresNothingOfTheGenerator() {
	r.t.Helper()
	want := []string{
		"github.com/idemgen/idemgen/idem",
		"github.com/jackc/pgx/v5",
		"github.com/oapi-codegen/runtime",
	}
	if !r.variant.new {
		want = append([]string{"github.com/google/uuid"}, want...)
	}
	direct, all := r.requirements()
	if diff := cmp.Diff(want, direct); diff != "" {
		r.t.Errorf("direct requirements: -want +got\n%s", diff)
	}
	for _, path := range all {
		if ofTheGenerator.MatchString(path) {
			r.t.Errorf("the module requires %s", path)
		}
	}
	if linked := r.run("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./..."); ofTheGenerator.MatchString(linked) {
		r.t.Errorf("the service links %s", ofTheGenerator.FindString(linked))
	}
}

// requirements returns the paths of the modules that go.mod requires.
func (r *reader) requirements() (direct, all []string) {
	r.t.Helper()
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal([]byte(r.run("go", "mod", "edit", "-json")), &mod); err != nil {
		r.t.Fatal(err)
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
