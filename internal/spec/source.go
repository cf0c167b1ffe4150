package spec

import (
	"errors"
	"io/fs"
	"os"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// source is a file that has been read. Its root is nil when it could not be.
type source struct {
	file string // as in positions
	key  string // the path relative to the document's folder, with slashes
	root *tree.Node
}

// start is the position to show for a file as a whole.
func (s *source) start() diag.Position { return diag.Position{File: s.file, Line: 1, Column: 1} }

// cursor is a node together with the file whose folder its $refs start from.
// For what an overlay brought in that is the document, not the overlay.
type cursor struct {
	node *tree.Node
	in   *source
}

// readTree reads a YAML or JSON file. Without a tree there is at least one error.
func readTree(file string, pos diag.Position) (*tree.Node, diag.List) {
	var list diag.List
	data, err := os.ReadFile(file)
	if err != nil {
		list.Errorf(pos, "", "cannot read %s: %s", file, readProblem(err))
		return nil, list
	}
	return tree.Parse(file, data)
}

// readProblem says why a file cannot be read, without its name.
func readProblem(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	return diag.Cause(err).Error()
}

// refOf returns the text of $ref in a mapping, or "".
func refOf(n *tree.Node) string {
	if v := n.Get("$ref"); v != nil && v.Kind == tree.String {
		return v.Text
	}
	return ""
}
