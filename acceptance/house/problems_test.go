package house

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// problemCode finds the codes of the runtime's own answers where they are defined.
var problemCode = regexp.MustCompile(`(?m)^\t\tcode: "(\w+)"`)

// Everything that the runtime answers by itself is in the table for users and in the
// document for callers.
func TestEveryProblemIsDocumented(t *testing.T) {
	files := repository(t)
	codes := problemCode.FindAllStringSubmatch(files["idem/idemrt/problem.go"], -1)
	if len(codes) < 10 {
		t.Fatalf("%d codes in idem/idemrt/problem.go: has it changed?", len(codes))
	}
	table := strings.Split(files["README.md"], "\n")
	for _, match := range codes {
		quoted := "`" + match[1] + "`"
		if !slices.ContainsFunc(table, func(line string) bool { return strings.HasPrefix(line, "|") && strings.Contains(line, quoted) }) {
			t.Errorf("%s is in no table of README.md", match[1])
		}
		if !strings.Contains(files["internal/expand/problems.go"], `"`+match[1]+`"`) {
			t.Errorf("%s is not in the published document: internal/expand/problems.go", match[1])
		}
	}
}
