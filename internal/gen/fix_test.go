package gen_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/output"
)

// applyFixes follows the remedies of a case, one at a time, in the working folder: each
// must generate, also over what the one before has left, but for its lock.
func applyFixes(t *testing.T, archive *txtar.Archive) {
	t.Helper()
	input := map[string]string{}
	for _, file := range archive.Files {
		input[file.Name] = string(file.Data)
	}
	for _, file := range archive.Files {
		name, isFix := strings.CutPrefix(file.Name, "fix/")
		if !isFix {
			continue
		}
		overwrite(t, "idemgen.lock.yaml", input["idemgen.lock.yaml"])
		overwrite(t, "api.yaml", applyEdits(t, name, input["api.yaml"], string(file.Data)))
		for _, run := range []string{"first", "second"} { // what the first left must do as well
			result, files := runOnce(t)
			if result["errors"] != "" {
				t.Errorf("fix %s, %s run: %s", name, run, result["errors"])
				break
			}
			if _, err := output.Write(files, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func overwrite(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// applyEdits replaces runs of lines that begin with "-" by the lines with "+" after
// them. What is replaced must be in the text once.
func applyEdits(t *testing.T, name, text, edits string) string {
	t.Helper()
	var old, replacement string
	apply := func() {
		if old == "" {
			return
		}
		if strings.Count(text, old) != 1 {
			t.Fatalf("fix %s: the document does not have this once:\n%s", name, old)
		}
		text = strings.Replace(text, old, replacement, 1)
		old, replacement = "", ""
	}
	for line := range strings.Lines(edits) {
		switch {
		case strings.HasPrefix(line, "+"):
			replacement += line[1:]
		case strings.HasPrefix(line, "-"):
			if replacement != "" {
				apply()
			}
			old += line[1:]
		default:
			apply()
		}
	}
	apply()
	return text
}
