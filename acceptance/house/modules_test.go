package house

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// runtimeModules are those that a service links with idem: itself, pgx, and what
// pgx links.
var runtimeModules = []string{
	module + "/idem",
	"github.com/jackc/pgpassfile",
	"github.com/jackc/pgservicefile",
	"github.com/jackc/pgx/v5",
	"github.com/jackc/puddle/v2",
	"golang.org/x/sync",
	"golang.org/x/text",
}

// tools pins the programs that lint runs. Nobody imports it.
const tools = "tools"

func TestRuntimeLinksNothingButPgx(t *testing.T) {
	for _, p := range list(t, "idem", "-deps", "./...") {
		if p.Standard {
			continue
		}
		if p.Module == nil || !slices.Contains(runtimeModules, p.Module.Path) {
			t.Errorf("idem links %s; the rule is: the standard library, pgx, and what pgx links", p.ImportPath)
		}
	}
}

// Nobody links a framework that they do not use: an adapter imports the runtime and
// its own framework's module, and no other adapter.
func TestAdaptersImportTheirFramework(t *testing.T) {
	for folder, framework := range map[string]string{
		"adapters/idemfiber":  "github.com/gofiber/fiber/v2",
		"adapters/idemfiber3": "github.com/gofiber/fiber/v3",
		"adapters/idemiris":   "github.com/kataras/iris/v12",
	} {
		for _, p := range list(t, folder, "./...") {
			for _, imported := range p.Imports {
				first, _, _ := strings.Cut(imported, "/")
				switch {
				case !strings.Contains(first, "."), imported == module+"/idem/idemrt", imported == "github.com/valyala/fasthttp":
				case imported == framework, strings.HasPrefix(imported, framework+"/"):
				default:
					t.Errorf("%s imports %s; the rule is: the standard library, idem/idemrt and %s", short(p.ImportPath), imported, framework)
				}
			}
		}
	}
}

func TestProductionCodeDoesNotLinkTesting(t *testing.T) {
	for _, folder := range []string{".", "idem", "adapters/idemfiber", "adapters/idemfiber3", "adapters/idemiris"} {
		for _, p := range list(t, folder, "./...") {
			if slices.Contains(p.Imports, "testing") && !strings.HasSuffix(p.ImportPath, "test") {
				t.Errorf("%s imports testing outside of its tests", short(p.ImportPath))
			}
		}
	}
}

// goMod is what go mod edit says of a go.mod.
type goMod struct {
	Module  struct{ Path string }
	Require []struct{ Path string }
	Replace []struct {
		Old, New struct{ Path string }
	}
}

// modules returns the go.mod of each folder that has one.
func modules(t *testing.T) map[string]goMod {
	t.Helper()
	mods := map[string]goMod{}
	for _, file := range repositoryFiles(t) {
		if filepath.Base(file) != "go.mod" || strings.Contains(file, "testdata/") {
			continue
		}
		folder := filepath.Dir(file)
		var mod goMod
		if err := json.Unmarshal([]byte(run(t, folder, "mod", "edit", "-json")), &mod); err != nil {
			t.Fatal(err)
		}
		mods[folder] = mod
	}
	return mods
}

// With a replace in the root module, go install …/cmd/idemgen@latest fails.
func TestRootStandsAlone(t *testing.T) {
	all := modules(t)
	root := all["."]
	if root.Module.Path != module {
		t.Fatalf("the root module is %q, want %q", root.Module.Path, module)
	}
	for _, replace := range root.Replace {
		t.Errorf("the root module replaces %s; the rule is: no replace there", replace.Old.Path)
	}
	for _, require := range root.Require {
		if strings.HasPrefix(require.Path, module) {
			t.Errorf("the root module requires %s; the rule is: none of its siblings", require.Path)
		}
	}
	for _, p := range list(t, ".", "./...") {
		for _, imported := range ours(slices.Concat(p.Imports, p.TestImports, p.XTestImports)) {
			if inModule(all, imported) {
				t.Errorf("%s imports %s, of another module; the rule is: the root module imports none of its siblings", short(p.ImportPath), imported)
			}
		}
	}
}

// inModule reports whether a package, named without the root module's path, lies in
// another module.
func inModule(all map[string]goMod, name string) bool {
	for folder := name; folder != "."; folder = path.Dir(folder) {
		if _, ok := all[folder]; ok {
			return true
		}
	}
	return false
}

// Before anything is published, a module finds its siblings by relative path.
func TestModulesReplaceTheirSiblings(t *testing.T) {
	for folder, mod := range modules(t) {
		replaced := map[string]string{}
		for _, replace := range mod.Replace {
			replaced[replace.Old.Path] = replace.New.Path
		}
		for _, require := range mod.Require {
			sibling, ok := strings.CutPrefix(require.Path, module+"/")
			if !ok {
				continue
			}
			want, err := filepath.Rel(folder, sibling)
			if err != nil {
				t.Fatal(err)
			}
			if replaced[require.Path] != want {
				t.Errorf("%s/go.mod replaces %s by %q, want %q", folder, require.Path, replaced[require.Path], want)
			}
			delete(replaced, require.Path)
		}
		for other := range replaced {
			t.Errorf("%s/go.mod replaces %s, which it does not require or which is not a sibling", folder, other)
		}
	}
}

func TestWorkspaceJoinsAllModules(t *testing.T) {
	var work struct{ Use []struct{ DiskPath string } }
	// go work edit wants the file; the workspace is switched off.
	if err := json.Unmarshal([]byte(run(t, ".", "work", "edit", "-json", "go.work")), &work); err != nil {
		t.Fatal(err)
	}
	var used, want []string
	for _, use := range work.Use {
		used = append(used, filepath.Clean(use.DiskPath))
	}
	for folder := range modules(t) {
		if folder != tools {
			want = append(want, folder)
		}
	}
	slices.Sort(used)
	slices.Sort(want)
	if diff := cmp.Diff(want, used); diff != "" {
		t.Errorf("go.work: -modules +used\n%s", diff)
	}
}
