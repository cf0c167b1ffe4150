package expand_test

import (
	"os"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
)

// sections are what the cases in testdata expect.
var sections = goldentest.Sections{"published", "removed", "bound"}

// TestGolden expands openapi.yaml, or openapi.json, of each case, with overlay.yaml
// if there is one. "published" and "bound" are the results, and "removed" holds the
// lines of the original that are not in the published document.
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata", sections, func(t *testing.T, c *goldentest.Case) map[string]string {
		t.Chdir(c.Unpack(t))
		d := load(t, existing("openapi.yaml", "openapi.json"), existing("overlay.yaml"))
		text := published(t, d)
		return map[string]string{
			"published": string(text),
			"removed":   removed(d.source.Text, text),
			"bound":     string(bound(t, d)),
		}
	})
}

func existing(names ...string) string {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// removed lists the lines of before that a longest common subsequence with after
// leaves out.
func removed(before, after []byte) string {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			if a[i] == b[j] {
				lengths[i][j] = 1 + lengths[i+1][j+1]
			}
		}
	}
	var lost strings.Builder
	for i, j := 0, 0; i < len(a); {
		switch {
		case j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j < len(b) && lengths[i][j+1] >= lengths[i+1][j]:
			j++
		default:
			lost.WriteString(a[i])
			i++
		}
	}
	return lost.String()
}
