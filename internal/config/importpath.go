package config

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/idemgen/idemgen/internal/diag"
)

// importPath returns the import path of the package in folder, which need not exist
// yet: the module path of the nearest go.mod plus the folder relative to it. The
// problem, if any, is at folder.Pos.
func importPath(folder Path) (string, *diag.Diagnostic) {
	for root := folder.Abs; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			return joinImportPath(folder, root, data)
		}
		if root == filepath.Dir(root) {
			return "", problem(folder, "run go mod init in your service's folder, or choose a folder inside a module",
				"%s is not in a Go module, so its package has no import path", folder.Display)
		}
	}
}

func joinImportPath(folder Path, root string, goMod []byte) (string, *diag.Diagnostic) {
	modulePath := modfile.ModulePath(goMod)
	if modulePath == "" {
		return "", problem(folder, "fix the go.mod", "the go.mod nearest to %s has no module line", folder.Display)
	}
	relative, err := filepath.Rel(root, folder.Abs)
	if err != nil {
		return "", problem(folder, "choose another folder", "the path of %s relative to its go.mod cannot be determined: %v", folder.Display, err)
	}
	joined := path.Join(modulePath, filepath.ToSlash(relative))
	if err := module.CheckImportPath(joined); err != nil {
		return "", problem(folder, "rename the folder", "%s would have the import path %q, which Go does not allow", folder.Display, joined)
	}
	return joined, nil
}

// mayImport applies Go's rule for internal packages.
func mayImport(importer, imported string) bool {
	elements := strings.Split(imported, "/")
	for i, element := range elements {
		if element != "internal" {
			continue
		}
		parent := strings.Join(elements[:i], "/")
		if parent != "" && importer != parent && !strings.HasPrefix(importer, parent+"/") {
			return false
		}
	}
	return true
}

func problem(folder Path, remedy, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(folder.Pos, remedy, format, args...)
	return &d
}
