package house

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const architecture = "ARCHITECTURE.md"

// lowest are the packages that ARCHITECTURE.md describes as below all others.
var lowest = []string{"internal/model", "internal/naming", "internal/tree", "internal/diag"}

var quotedName = regexp.MustCompile("`([^`]+)`")

// paragraphAfter returns the lines of ARCHITECTURE.md below a mark, an HTML comment, up
// to the next empty line.
func paragraphAfter(t *testing.T, mark string) []string {
	t.Helper()
	lines := readLines(t, architecture)
	at := slices.Index(lines, "<!-- "+mark+": -->")
	if at < 0 {
		t.Fatalf("%s has no mark %q", architecture, mark)
	}
	lines = lines[at+1:]
	return lines[:slices.Index(lines, "")]
}

func TestArchitectureListsAllModules(t *testing.T) {
	var listed, want []string
	for _, match := range quotedName.FindAllStringSubmatch(strings.Join(paragraphAfter(t, "modules"), "\n"), -1) {
		listed = append(listed, match[1])
	}
	for folder := range modules(t) {
		if folder != "." {
			want = append(want, folder)
		}
	}
	slices.Sort(listed)
	slices.Sort(want)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("modules in %s: -repository +page\n%s", architecture, diff)
	}
}

// TestArchitectureListsAllImports compares the page with mayImport, which the imports
// of the packages are checked against.
func TestArchitectureListsAllImports(t *testing.T) {
	var want []string
	for name, allowed := range mayImport {
		var imports []string
		for _, other := range allowed {
			if !slices.Contains(lowest, other) {
				imports = append(imports, strings.TrimPrefix(other, "internal/"))
			}
		}
		if len(imports) > 0 {
			slices.Sort(imports)
			want = append(want, fmt.Sprintf("%s → %s", strings.TrimPrefix(name, "internal/"), strings.Join(imports, ", ")))
		}
	}
	var listed []string
	for _, line := range paragraphAfter(t, "imports") {
		if name, imports, ok := strings.Cut(line, " → "); ok {
			all := strings.Split(imports, ", ")
			slices.Sort(all)
			listed = append(listed, name+" → "+strings.Join(all, ", "))
		}
	}
	slices.Sort(want)
	slices.Sort(listed)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("imports in %s: -mayImport +page\n%s", architecture, diff)
	}
	for _, name := range lowest {
		for _, other := range mayImport[name] {
			if !slices.Contains(lowest, other) {
				t.Errorf("%s may import %s, but %s says that it is below all others", name, other, architecture)
			}
		}
	}
}

// TestArchitectureListsAllPackages requires a row for each package of the root module and
// of the runtime.
func TestArchitectureListsAllPackages(t *testing.T) {
	var rows strings.Builder
	for _, line := range readLines(t, architecture) {
		if strings.HasPrefix(line, "| [") {
			rows.WriteString(line)
		}
	}
	names := slices.Collect(maps.Keys(mayImport))
	for _, p := range list(t, "idem", "./...") {
		names = append(names, path.Clean(short(p.ImportPath)))
	}
	for _, name := range names {
		if !strings.Contains(rows.String(), "["+name+"]("+name+")") {
			t.Errorf("%s has no row for %s", architecture, name)
		}
	}
}
