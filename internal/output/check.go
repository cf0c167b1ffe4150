package output

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// Check returns a unified diff from the tree to the generated files; it is empty if no
// file is stale or missing. It reports the same errors as [Write], and changes
// nothing.
func Check(files, stale []File) ([]byte, error) {
	changes, err := inspect(files, stale)
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for _, c := range changes {
		all.Write(c.diff())
	}
	return all.Bytes(), nil
}

const nowhere = "/dev/null"

// diff returns the unified diff of one file. A missing or stale file without lines
// still gets its two header lines, so that it is visible.
func (c change) diff() []byte {
	from, to, content := c.Display, c.Display, c.Content
	if !c.exists {
		from = nowhere
	}
	if c.remove {
		to, content = nowhere, nil
	}
	if len(c.old) == 0 && len(content) == 0 {
		return []byte("--- " + from + "\n+++ " + to + "\n")
	}
	text := diff.Diff(from, c.old, to, content)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the line "diff FROM TO" does not belong to the unified format
	return text
}
