package expand_test

import (
	"os"
	"testing"

	"github.com/idemgen/idemgen/internal/goldentest"
)

// sections are the expectations of a case in testdata.
var sections = goldentest.Sections{"published", "bound"}

// TestGolden expands openapi.yaml, or openapi.json, of each case, with overlay.yaml
// if there is one. "published" and "bound" are the results.
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata", sections, func(t *testing.T, c *goldentest.Case) map[string]string {
		t.Chdir(c.Unpack(t))
		d := load(t, existing("openapi.yaml", "openapi.json"), existing("overlay.yaml"))
		return map[string]string{
			"published": string(published(t, d)),
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
