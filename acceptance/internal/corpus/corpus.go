// Package corpus finds the real API descriptions that acceptance tests run over.
package corpus

import (
	"os"
	"testing"
)

// Folder returns the folder that IDEMGEN_CORPUS names. Where it is not set the test
// is skipped, or fails if IDEMGEN_REQUIRE=1 demands it.
func Folder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("IDEMGEN_CORPUS")
	switch {
	case folder != "":
	case os.Getenv("IDEMGEN_REQUIRE") == "1":
		t.Fatal("IDEMGEN_CORPUS is not set, and IDEMGEN_REQUIRE=1 demands it")
	default:
		t.Skip("SKIPPED: set IDEMGEN_CORPUS to the folder of real API descriptions")
	}
	return folder
}
