package house

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// unwritten are things that no reader of the repository can make use of. A class
// of one letter keeps an expression from finding itself.
var unwritten = map[string]*regexp.Regexp{
	"a path of one machine":         regexp.MustCompile(`(^|[^\w./$-])/(home|Users|root|work|farm)/\w`),
	"how it came to be written":     regexp.MustCompile(`(?i)\b(claud[e]|chatgp[t]|anthropi[c]|language mode[l]|sub-?agen[t]|as an a[i]|founder[s])\b|\b(helper|coding|developer|previous|earlier) sessio[n]|\b(fellow|other) helpe[r]`),
	"a document that is not in it":  regexp.MustCompile(`(?i)\bdesign(\.md)?,? sectio[n] \d|\bshared/[a-z]+\.m[d]\b|\bcontracts\.m[d]\b`),
	"something that is still to do": regexp.MustCompile(`\b(TOD[O]|FIXM[E]|XX[X])\b`),
}

func TestNothingIsWrittenThatNoReaderCanUse(t *testing.T) {
	patterns := maps.Clone(unwritten)
	patterns["the folder of this checkout"] = folderPattern(command.Root(t))
	for name, content := range repository(t) {
		if filepath.Base(name) == "go.sum" || filepath.Base(name) == "go.work.sum" {
			continue // hashes may look like anything
		}
		for i, line := range strings.Split(content, "\n") {
			for what, pattern := range patterns {
				if found := pattern.FindString(line); found != "" {
					t.Errorf("%s:%d: %s: %q", name, i+1, what, found)
				}
			}
		}
	}
}

// folderPattern finds an absolute path, but not its last part in a relative one.
func folderPattern(folder string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(folder) + `(\W|$)`)
}

// The expressions find what they are for.
func TestPatterns(t *testing.T) {
	for _, line := range []string{
		"see /ho" + "me/me/idemgen", "(/wo" + "rk/main)", "Cla" + "ude wrote it", "in an earlier " + "session", "design, " + "section 5", "TO" + "DO: later",
	} {
		if !slices.ContainsFunc(slices.Collect(maps.Values(unwritten)), func(p *regexp.Regexp) bool { return p.MatchString(line) }) {
			t.Errorf("nothing finds %q", line)
		}
	}
	if p := folderPattern("/src"); !p.MatchString("in /src/x") || p.MatchString("in pkg/src/x") {
		t.Errorf("%s finds the wrong things", p)
	}
}

// notOurs are folders and files that are no part of the repository.
var notOurs = []string{".git", ".cache", "bin"}

// repositoryFiles returns the names of the files of the repository, with slashes.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	root := command.Root(t)
	var names []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(notOurs, name):
			if entry.IsDir() {
				return fs.SkipDir // in a linked worktree .git is a file
			}
		case entry.Type().IsRegular():
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// repository returns the text files of the repository.
func repository(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range repositoryFiles(t) {
		content, err := os.ReadFile(filepath.Join(command.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if utf8.Valid(content) {
			files[name] = string(content)
		}
	}
	return files
}
