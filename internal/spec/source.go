package spec

import (
	"errors"
	"io/fs"
	"os"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// source is a file that has been read. Its root is nil if that failed.
type source struct {
	file string // the name shown in positions
	key  string // the path relative to the document's folder, with slashes
	root *tree.Node
}

// start is the position reported for a file as a whole.
func (s *source) start() diag.Position { return diag.Position{File: s.file, Line: 1, Column: 1} }

// cursor is a node together with the file that its $refs are relative to. For values
// that an overlay added, that is the document, not the overlay.
type cursor struct {
	node *tree.Node
	in   *source
}

// readTree reads a YAML or JSON file. If it returns no tree, it returns at least one
// error.
func readTree(file string, pos diag.Position) (*tree.Node, diag.List) {
	var list diag.List
	data, err := os.ReadFile(file)
	if err != nil {
		message, remedy := readProblem(err)
		list.Errorf(pos, remedy, "cannot read %s: %s", file, message)
		return nil, list
	}
	return tree.Parse(file, data)
}

// readProblem says why a file cannot be read, without its name, and how to fix it.
func readProblem(err error) (message, remedy string) {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file", "correct the path, or create the file"
	}
	return diag.Cause(err).Error(), "make it a file that you may read, or correct the path"
}

// refOf returns the text of $ref in a mapping, or "".
func refOf(n *tree.Node) string {
	if v := n.Get("$ref"); v != nil && v.Kind == tree.String {
		return v.Text
	}
	return ""
}
