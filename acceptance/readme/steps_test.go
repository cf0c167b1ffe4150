package readme

import (
	"regexp"
	"strings"
	"testing"
)

// section is the heading that the steps are under.
const section = "## Use it in your service"

// A step is a fenced block of the README under a mark, an HTML comment in the line
// before it:
//
//   - file: NAME    the block is the whole of a file
//   - run           commands that everybody runs
//   - run: WHO      commands of those to whom the name applies; see [variant]
//   - requests      what a client sends to the service, and gets
type step struct {
	line  int // of the mark
	kind  string
	about string // what follows the colon
	block string
}

var mark = regexp.MustCompile(`^<!-- (file|run|requests)(?:: (\S+))? -->$`)

// readSteps returns the steps of the section in order.
func readSteps(t *testing.T, text string) (steps []step) {
	t.Helper()
	lines := strings.Split(text, "\n")
	inside := false
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			inside = line == section
		}
		found := mark.FindStringSubmatch(line)
		if found == nil || !inside {
			continue
		}
		steps = append(steps, step{line: i + 1, kind: found[1], about: found[2], block: fenced(t, lines, i+1)})
	}
	if len(steps) == 0 {
		t.Fatalf("README.md has no steps under %q", section)
	}
	return steps
}

// fenced returns the block whose fence is at an index of lines.
func fenced(t *testing.T, lines []string, at int) string {
	t.Helper()
	if !strings.HasPrefix(lines[at], "```") {
		t.Fatalf("README.md:%d: there is no block after the mark", at+1)
	}
	for end := at + 1; end < len(lines); end++ {
		if lines[end] == "```" {
			return strings.Join(lines[at+1:end], "\n") + "\n"
		}
	}
	t.Fatalf("README.md:%d: the block has no end", at+1)
	return ""
}

// TestNoBlockIsLeftOut demands that all that a reader of the section is shown is
// run, written or sent by the test.
func TestNoBlockIsLeftOut(t *testing.T) {
	text := readme(t)
	_, rest, _ := strings.Cut(text, section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	if blocks, steps := strings.Count(rest, "\n```")/2, len(readSteps(t, text)); blocks != steps {
		t.Errorf("%q has %d fenced blocks, of which %d are marked as steps", section, blocks, steps)
	}
}
