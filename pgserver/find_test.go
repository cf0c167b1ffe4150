package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPresentIsSortedNewestFirst(t *testing.T) {
	cache := openFolder(t)
	for name, version := range map[string]string{"old": "9.6.24", "middle": "14.2", "new": "18.4", "beta": "19beta1"} {
		fakePrograms(t, filepath.Join(cache, name, "bin"), version)
	}
	f := &finder{cache: cache, folders: []string{filepath.Join(cache, "new", "bin"), filepath.Join(cache, "absent")}}
	var got []string
	for _, i := range f.present(t.Context()) {
		got = append(got, i.version)
	}
	if diff := cmp.Diff([]string{"19", "18.4", "14.2", "9.6.24"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFindPrefersWhatIsThere(t *testing.T) {
	cache := openFolder(t)
	fakePrograms(t, filepath.Join(cache, "fifteen", "bin"), "15.18")
	var fetched []string
	f := &finder{cache: cache, sources: []source{fake{t: t, version: "18.4"}}}
	f.fetching = func(source string) { fetched = append(fetched, source) }
	for version, want := range map[string]string{"": "15.18", "15": "15.18", "18": "18.4"} {
		got, err := f.find(t.Context(), version)
		if err != nil {
			t.Fatal(err)
		}
		if got.version != want {
			t.Errorf("version %q: got %s, want %s", version, got.version, want)
		}
		if err := os.RemoveAll(filepath.Join(cache, "fake-18.4")); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"fake"}, fetched); diff != "" {
		t.Errorf("fetches: %s", diff)
	}
}

func TestFindSaysWhatEachSourceSaid(t *testing.T) {
	f := &finder{cache: openFolder(t), sources: []source{
		fake{err: errors.New("no network")},
		fake{err: errors.New("no such release")},
	}}
	_, err := f.find(t.Context(), "18")
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	for _, part := range []string{"PostgreSQL 18", "no network", "no such release"} {
		if !strings.Contains(fmt.Sprint(err), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(f.cache, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestManyMayFetchAtOnce(t *testing.T) {
	f := &finder{cache: openFolder(t), sources: []source{fake{t: t, version: "18.4"}}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got, err := f.fetch(t.Context(), "18"); err != nil || got.version != "18.4" {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	wg.Wait()
	entries, err := os.ReadDir(f.cache)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("the cache holds %v, want one folder", entries)
	}
}

func TestEnvironmentDropsWhatSteersPostgreSQL(t *testing.T) {
	got := environment([]string{"PATH=/bin", "PGDATA=/data", "PGPORT=1", "LANG=de_DE", "LC_MESSAGES=de_DE", "HOME=/root"})
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/root", "LC_ALL=C"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var whole strings.Builder
	log := &tail{next: &whole}
	for i := range 5000 {
		fmt.Fprintln(log, "line", i)
	}
	if got := log.String(); len(got) != tailSize || !strings.HasSuffix(whole.String(), got) {
		t.Errorf("%d bytes kept, want the last %d", len(got), tailSize)
	}
}

// openFolder is a temporary folder that the server's user can read.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, path := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fakePrograms puts programs into bin that only know their version.
func fakePrograms(t *testing.T, bin, version string) {
	t.Helper()
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + " (Test)'\n"
	for _, program := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(bin, program), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// fake is a source of fake programs.
type fake struct {
	t       *testing.T
	version string
	err     error
}

func (f fake) String() string { return "fake" }

func (f fake) name(string) (string, bool) { return "fake-" + f.version, true }

func (f fake) fetch(_ context.Context, _, dir, _ string) error {
	if f.err != nil {
		return f.err
	}
	fakePrograms(f.t, filepath.Join(dir, "bin"), f.version)
	return nil
}
