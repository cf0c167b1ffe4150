package readme

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

// page is a page of the documentation that has steps.
type page struct {
	name    string // from the root of the repository
	section string // the heading that the steps are under; "" for the whole page
}

var (
	complete = page{name: "docs/getting-started.md"}
	short    = page{name: "README.md", section: "## Use it in your service"}
)

// A step follows a mark, an HTML comment on a line of its own. Below most marks is a
// fenced block:
//
//   - file: NAME     the block is the content of a file
//   - files: NAMES   no block: files whose content the complete page has
//   - run            commands for every reader
//   - run: WHO       commands for some readers; see [variant]
//   - requests       requests of a client, and the responses to them
type step struct {
	at    string // where the mark is: "README.md:12"
	kind  string
	about string // what follows the colon
	block string
}

var mark = regexp.MustCompile(`^<!-- (file|files|run|requests)(?:: (\S+(?: \S+)*))? -->$`)

// lines returns the page's lines. Those outside its section are empty.
func (p page) lines(t *testing.T) []string {
	t.Helper()
	lines := strings.Split(read(t, filepath.Join(command.Root(t), filepath.FromSlash(p.name))), "\n")
	inside := p.section == ""
	for i, line := range lines {
		if p.section != "" && strings.HasPrefix(line, "## ") {
			inside = line == p.section
		}
		if !inside {
			lines[i] = ""
		}
	}
	return lines
}

// steps returns the page's steps in order.
func (p page) steps(t *testing.T) (steps []step) {
	t.Helper()
	lines := p.lines(t)
	for i, line := range lines {
		found := mark.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		at := fmt.Sprintf("%s:%d", p.name, i+1)
		if found[1] == "files" {
			steps = append(steps, completeFiles(t, at, strings.Fields(found[2]))...)
			continue
		}
		steps = append(steps, step{at: at, kind: found[1], about: found[2], block: fenced(t, at, lines[i+1:])})
	}
	if len(steps) == 0 {
		t.Fatalf("%s has no steps", p.name)
	}
	return steps
}

// completeFiles returns the steps of the complete page that write the named files.
func completeFiles(t *testing.T, at string, names []string) (files []step) {
	t.Helper()
	all := complete.steps(t)
	for _, name := range names {
		i := slices.IndexFunc(all, func(s step) bool { return s.kind == "file" && s.about == name })
		if i < 0 {
			t.Fatalf("%s: %s has no file %s", at, complete.name, name)
		}
		files = append(files, all[i])
	}
	return files
}

// fenced returns the block that lines begin with.
func fenced(t *testing.T, at string, lines []string) string {
	t.Helper()
	if !strings.HasPrefix(lines[0], "```") {
		t.Fatalf("%s: there is no block after the mark", at)
	}
	end := slices.Index(lines, "```")
	if end < 0 {
		t.Fatalf("%s: the block has no end", at)
	}
	return strings.Join(lines[1:end], "\n") + "\n"
}

// TestNoBlockIsLeftOut requires that every block of a page with steps is a step, so
// that the test writes, runs and sends everything that a reader sees.
func TestNoBlockIsLeftOut(t *testing.T) {
	for _, p := range []page{complete, short} {
		blocks, marked := 0, 0
		for _, line := range p.lines(t) {
			if strings.HasPrefix(line, "```") {
				blocks++
			}
			if found := mark.FindStringSubmatch(line); found != nil && found[1] != "files" {
				marked++
			}
		}
		if blocks != 2*marked {
			t.Errorf("%s has %d fenced blocks, of which %d are marked as steps", p.name, blocks/2, marked)
		}
	}
}

// TestShortStepsNeedAllFiles requires that the short steps write each file of the
// complete ones.
func TestShortStepsNeedAllFiles(t *testing.T) {
	files := func(p page) (names []string) {
		for _, s := range p.steps(t) {
			if s.kind == "file" {
				names = append(names, s.about)
			}
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff(files(complete), files(short)); diff != "" {
		t.Errorf("files: -%s +%s\n%s", complete.name, short.name, diff)
	}
}
