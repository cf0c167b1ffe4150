package resolve

import (
	"maps"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
)

// needs are packages that declared fields lead into and that are not at hand, each with
// the first of the fields.
type needs map[string]diag.Position

func (n needs) add(path string, pos diag.Position) {
	if _, noted := n[path]; !noted {
		n[path] = pos
	}
}

func (n needs) list() []gopkg.Need {
	var list []gopkg.Need
	for _, path := range slices.Sorted(maps.Keys(n)) {
		list = append(list, gopkg.Need{Path: path, Pos: n[path]})
	}
	return list
}
