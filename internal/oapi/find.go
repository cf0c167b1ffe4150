package oapi

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/idemgen/idemgen/internal/diag"
)

// Find returns the source of the packages that are needed, as the module in or
// around dir requires them. What the go command does not find is reported where it
// is needed.
func Find(ctx context.Context, dir string, needs []Need) ([]Source, error) {
	paths := make([]string, len(needs))
	positions := map[string]diag.Position{}
	for i, need := range needs {
		paths[i], positions[need.Path] = need.Path, need.Pos
	}
	found, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedFiles,
		Dir:     existing(dir),
		Env:     append(os.Environ(), "GOOS=linux", "GOARCH=amd64"), // the same on every system
	}, paths...)
	if err != nil {
		return nil, diag.List{diag.Errorf(needs[0].Pos, "see what go list says of it", "package %s, into which a declared field leads, cannot be read: %v", needs[0].Path, err)}
	}
	var sources []Source
	var list diag.List
	for _, pkg := range found {
		source, problem := readPackage(pkg)
		if problem != "" {
			list.Errorf(positions[pkg.PkgPath], "go get "+pkg.PkgPath+", or generate it first", "package %s, into which a declared field leads, cannot be read: %s", pkg.PkgPath, problem)
			continue
		}
		sources = append(sources, source)
	}
	list.Sort()
	return sources, list.Err()
}

func readPackage(pkg *packages.Package) (Source, string) {
	source := Source{Path: pkg.PkgPath, Files: map[string][]byte{}}
	if len(pkg.Errors) > 0 {
		first, _, _ := strings.Cut(pkg.Errors[0].Msg, "\n")
		return source, first
	}
	for _, file := range pkg.GoFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			return source, causeOf(err)
		}
		source.Files[filepath.Base(file)] = text
	}
	if len(source.Files) == 0 {
		return source, "it has no Go files"
	}
	return source, ""
}

// existing is dir, or the nearest folder around it that exists.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
