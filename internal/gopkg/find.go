package gopkg

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/idemgen/idemgen/internal/diag"
)

// Need is a package that a declared field leads into and that is not at hand.
type Need struct {
	Path string        // its import path
	Pos  diag.Position // of the field
}

// Find returns the source of the packages that are needed by one in dir: those of
// its own module from their folders, others as the go command finds them. What is
// not found is reported where it is needed.
func Find(ctx context.Context, dir string, needs []Need) ([]Source, error) {
	var sources []Source
	var elsewhere []Need
	var list diag.List
	for _, need := range needs {
		folder, ok := inModule(dir, need.Path)
		if !ok {
			elsewhere = append(elsewhere, need)
			continue
		}
		source, err := readNeeded(need, folder)
		list.Add(asDiagnostics(err, need)...)
		sources = append(sources, source)
	}
	found, err := listed(ctx, dir, elsewhere)
	list.Add(err...)
	list.Sort()
	return append(sources, found...), list.Err()
}

// inModule returns the folder of a package of the module that dir is in.
func inModule(dir, path string) (folder string, ok bool) {
	for root := dir; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil && root != filepath.Dir(root) {
			continue
		}
		module := modfile.ModulePath(text)
		rest, inside := strings.CutPrefix(path+"/", module+"/")
		if module == "" || !inside {
			return "", false
		}
		folder = filepath.Join(root, filepath.FromSlash(rest))
		return folder, !hasModule(root, folder)
	}
}

// hasModule reports whether a folder below root is of another module.
func hasModule(root, folder string) bool {
	for ; len(folder) > len(root); folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func readNeeded(need Need, folder string) (Source, error) {
	source, err := ReadFolder(Folder{Path: folder, Display: need.Path, Import: need.Path, Pos: need.Pos}, "")
	source.From = ""
	return source, err
}

// asDiagnostics reports that a package of the user's own module cannot be read.
func asDiagnostics(err error, need Need) diag.List {
	if err == nil {
		return nil
	}
	return diag.List{unreadablePackage(need.Path, need.Pos, "generate or fix it first", err.Error())}
}

func unreadablePackage(path string, pos diag.Position, remedy, why string) diag.Diagnostic {
	return diag.Errorf(pos, remedy, "package %s, into which a declared field leads, cannot be read: %s", path, why)
}

// listed asks the go command for packages of other modules.
func listed(ctx context.Context, dir string, needs []Need) ([]Source, diag.List) {
	if len(needs) == 0 {
		return nil, nil
	}
	paths := make([]string, len(needs))
	positions := map[string]diag.Position{}
	for i, need := range needs {
		paths[i], positions[need.Path] = need.Path, need.Pos
	}
	found, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedFiles,
		Dir:     nearestFolder(dir),
		Env:     append(os.Environ(), "GOOS=linux", "GOARCH=amd64"), // the same on every system
	}, paths...)
	if err != nil {
		return nil, diag.List{unreadablePackage(paths[0], positions[paths[0]], "see what go list says of it", oneLine(err.Error()))}
	}
	var sources []Source
	var list diag.List
	for _, pkg := range found {
		source, problem := readPackage(pkg)
		if problem != "" {
			list.Add(unreadablePackage(pkg.PkgPath, positions[pkg.PkgPath], "go get "+pkg.PkgPath, oneLine(problem)))
			continue
		}
		sources = append(sources, source)
	}
	return sources, list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func readPackage(pkg *packages.Package) (Source, string) {
	source := Source{Path: pkg.PkgPath, Files: map[string][]byte{}}
	if len(pkg.Errors) > 0 {
		return source, pkg.Errors[0].Msg
	}
	for _, file := range pkg.GoFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			return source, diag.Cause(err).Error()
		}
		source.Files[filepath.Base(file)] = text
	}
	if len(source.Files) == 0 {
		return source, "it has no Go files"
	}
	return source, ""
}

// nearestFolder is dir, or the nearest folder around it that exists.
func nearestFolder(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
