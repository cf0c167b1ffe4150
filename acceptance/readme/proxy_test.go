package readme

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// module is one of ours, as it would be published from this working tree.
type module struct {
	path   string
	folder string
	files  []string // relative to the folder
}

// published are the modules that a user of net/http comes by.
var published = []struct{ path, folder string }{
	{"github.com/idemgen/idemgen", "."},
	{"github.com/idemgen/idemgen/idem", "idem"},
}

// publish makes a module proxy of a folder, which serves our modules under one
// version that belongs to their content, and returns the variables by which the go
// command uses it, before what this machine has already and the network. It removes
// what the go command keeps of our modules in the end.
func publish(t *testing.T) (environ []string) {
	t.Helper()
	proxy := t.TempDir()
	var modules []module
	sum := sha256.New()
	for _, m := range published {
		folder := filepath.Join(command.Root(t), m.folder)
		files := filesOf(t, folder)
		for _, file := range files {
			fmt.Fprintf(sum, "%s/%s\n%s\n", m.path, file, read(t, filepath.Join(folder, file)))
		}
		modules = append(modules, module{m.path, folder, files})
	}
	version := "v0.0.1-check.x" + hex.EncodeToString(sum.Sum(nil))[:16]
	t.Cleanup(func() { forget(t, modules, version) })
	for _, m := range modules {
		publishModule(t, proxy, m, version)
	}
	publishRequired(t, proxy)
	return []string{
		"GOPROXY=" + fileURL(proxy) + "," + fileURL(downloads(t)) + "," + goEnv(t, "GOPROXY"),
		"GONOSUMDB=*", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=none",
		"GOFLAGS=-modcacherw", // so that ours can be removed
	}
}

func fileURL(folder string) string { return "file://" + filepath.ToSlash(folder) }

// downloads is the folder in which the go command keeps what it has fetched, in the
// form that GOPROXY has.
func downloads(t *testing.T) string {
	t.Helper()
	return filepath.Join(goEnv(t, "GOMODCACHE"), "cache", "download")
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(output(t, ".", os.Environ(), "go", "env", name))
}

// publishRequired makes the versions that the example requires the latest: those that
// are tested, and that this machine has.
func publishRequired(t *testing.T, proxy string) {
	t.Helper()
	var mod struct {
		Require []struct{ Path, Version string }
	}
	example := filepath.Join(command.Root(t), "example")
	if err := json.Unmarshal([]byte(output(t, example, os.Environ(), "go", "mod", "edit", "-json")), &mod); err != nil {
		t.Fatal(err)
	}
	for _, required := range mod.Require {
		if strings.HasPrefix(required.Path, published[0].path) {
			continue
		}
		folder := filepath.Join(proxy, filepath.FromSlash(escape(required.Path)), "@v")
		write(t, filepath.Join(folder, "list"), required.Version+"\n")
	}
}

// escape spells a module's path as a proxy does, which may be a file system without
// upper case.
func escape(path string) string {
	return regexp.MustCompile("[A-Z]").ReplaceAllStringFunc(path, func(c string) string { return "!" + strings.ToLower(c) })
}

// filesOf lists what belongs to the module in a folder: other modules do not, and
// neither does what begins with a dot.
func filesOf(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		if entry.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(folder, path)
		if entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, filepath.ToSlash(relative))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// publishModule writes one version of a module in the form that GOPROXY has.
func publishModule(t *testing.T, proxy string, m module, version string) {
	t.Helper()
	folder := filepath.Join(proxy, filepath.FromSlash(m.path), "@v")
	write(t, filepath.Join(folder, "list"), version+"\n")
	write(t, filepath.Join(folder, version+".info"), `{"Version":"`+version+`","Time":"2026-01-01T00:00:00Z"}`)
	write(t, filepath.Join(folder, version+".mod"), read(t, filepath.Join(m.folder, "go.mod")))
	archive, err := os.Create(filepath.Join(folder, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	writer := zip.NewWriter(archive)
	for _, file := range m.files {
		entry, err := writer.Create(m.path + "@" + version + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(entry, read(t, filepath.Join(m.folder, file))); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

// forget removes the version from the module cache.
func forget(t *testing.T, modules []module, version string) {
	cache := goEnv(t, "GOMODCACHE")
	for _, m := range modules {
		path := filepath.FromSlash(m.path)
		places := []string{filepath.Join(cache, path+"@"+version)}
		fetched, _ := filepath.Glob(filepath.Join(cache, "cache", "download", path, "@v", version+".*"))
		for _, place := range append(places, fetched...) {
			if err := os.RemoveAll(place); err != nil {
				t.Error(err)
			}
		}
		_ = os.Remove(filepath.Join(cache, "cache", "download", path, "@v", "list"))
	}
}
