package house

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

var (
	snippetMark = regexp.MustCompile(`^\s*<!-- snippet: (\S+) -->$`)
	countMark   = regexp.MustCompile(`<!-- count: (\S+) -->(\d+)<!-- /count -->`)
	link        = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`^#+ (.+)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestSnippetsAreInTheCode compares the snippets in the documentation with the files
// that they quote. A line "…" in a snippet stands for lines that are left out.
func TestSnippetsAreInTheCode(t *testing.T) {
	found := 0
	for _, name := range documentation(t) {
		lines := readLines(t, name)
		for i, line := range lines {
			if mark := snippetMark.FindStringSubmatch(line); mark != nil {
				found++
				checkSnippet(t, name, i+1, mark[1], parts(lines[i+1:]))
			}
		}
	}
	if found < 3 {
		t.Errorf("%d snippets in the documentation: have their marks changed?", found)
	}
}

// checkSnippet reports the first part of a snippet that its source does not have.
func checkSnippet(t *testing.T, name string, line int, file string, snippet [][]string) {
	t.Helper()
	source := readLines(t, file)
	for _, part := range snippet {
		at := index(source, part)
		if at < 0 {
			t.Errorf("%s:%d: %s does not have, or not in this order:\n%s", name, line, file, strings.Join(part, "\n"))
			return
		}
		source = source[at+len(part):]
	}
}

// documentation returns the names of the repository's Markdown files.
func documentation(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(repositoryFiles(t), func(name string) bool { return filepath.Ext(name) != ".md" })
}

// parts returns the fenced block at the start of lines, cut where it says "…".
func parts(lines []string) (all [][]string) {
	var part []string
	for _, line := range lines[1:] {
		switch trimmed := strings.TrimSpace(line); trimmed {
		case "```":
			return append(all, part)
		case "…":
			all, part = append(all, part), nil
		default:
			part = append(part, trimmed)
		}
	}
	return append(all, part)
}

// index finds the lines of part in source, however indented.
func index(source, part []string) int {
	for at := range source {
		if at+len(part) > len(source) {
			return -1
		}
		same := true
		for i, line := range part {
			same = same && strings.TrimSpace(source[at+i]) == line
		}
		if same {
			return at
		}
	}
	return -1
}

func TestLineCountsAreRight(t *testing.T) {
	text := strings.Join(readLines(t, "README.md"), "\n")
	marks := countMark.FindAllStringSubmatch(text, -1)
	if len(marks) == 0 {
		t.Error("README.md counts no lines: has the mark changed?")
	}
	for _, mark := range marks {
		files, err := filepath.Glob(filepath.Join(command.Root(t), mark[1], "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			count += bytes.Count(data, []byte("\n"))
		}
		if got := strconv.Itoa(count); got != mark[2] {
			t.Errorf("README.md says that %s has %s lines; it has %s", mark[1], mark[2], got)
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, name := range documentation(t) {
		for _, match := range link.FindAllStringSubmatch(strings.Join(readLines(t, name), "\n"), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			target, anchor, _ := strings.Cut(match[1], "#")
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(command.Root(t), filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s leads nowhere", name, match[1])
			} else if anchor != "" && !slices.Contains(anchors(t, file), anchor) {
				t.Errorf("%s: %s has no heading with the anchor #%s", name, file, anchor)
			}
		}
	}
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(t *testing.T, name string) (all []string) {
	t.Helper()
	for _, line := range readLines(t, name) {
		if found := heading.FindStringSubmatch(line); found != nil {
			all = append(all, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-"))
		}
	}
	return all
}

func readLines(t *testing.T, name string) (lines []string) {
	t.Helper()
	file, err := os.Open(filepath.Join(command.Root(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // read only
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
