package gen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// maxColumns is how wide a line of generated Go may be, with tabs of four columns.
const maxColumns = 120

// No expectation of the golden cases has a line that a reviewer must scroll, but for a
// type named after another one: Go allows no line break between two names.
func TestGeneratedLinesAreNotTooLong(t *testing.T) {
	cases, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range cases {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			if filepath.Base(file.Name) != "idempotent.gen.go" || !strings.HasPrefix(file.Name, "want/") {
				continue
			}
			read++
			for i, line := range strings.Split(string(file.Data), "\n") {
				if width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); width > maxColumns && !namesOnly(line) {
					t.Errorf("%s: %s:%d has %d columns, and %d are the limit:\n%s", name, file.Name, i+1, width, maxColumns, line)
				}
			}
		}
	}
	if read == 0 {
		t.Error("no case has generated Go")
	}
}

func namesOnly(line string) bool {
	words := strings.Fields(line)
	return len(words) == 3 && words[0] == "type"
}
