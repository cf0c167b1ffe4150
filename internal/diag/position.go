package diag

import (
	"cmp"
	"strconv"
)

// Position is a place in a file. Lines and columns count from 1, columns in Unicode
// code points. The zero Position is unknown.
type Position struct {
	File         string
	Line, Column int
}

// Valid reports whether p names a file, a line and a column.
func (p Position) Valid() bool { return p.File != "" && p.Line >= 1 && p.Column >= 1 }

// String returns "file:line:col", without the parts that are unknown.
func (p Position) String() string {
	s := p.File
	if p.Line < 1 {
		return s
	}
	s += ":" + strconv.Itoa(p.Line)
	if p.Column < 1 {
		return s
	}
	return s + ":" + strconv.Itoa(p.Column)
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}
