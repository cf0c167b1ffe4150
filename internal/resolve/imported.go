package resolve

import (
	"go/types"

	"github.com/idemgen/idemgen/internal/model"
)

// isReadable reports whether a type of another package decodes as its fields say, and
// notes the package if it is not at hand. What it refuses has been reported.
func (w *walker) isReadable(node *model.Node, typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg() == w.pkg.Types {
		return true
	}
	path := named.Obj().Pkg().Path()
	complete, unknown := w.pkg.Knows(path)
	switch {
	case unknown:
		w.needs.add(path, node.Pos)
		return true // what is missing is reported if nobody has it
	case !complete:
		return true
	case node.Kind == model.JSON && isUnion(typ):
		w.refuse(node, "is a oneOf or anyOf of package "+path+", whose JSON cannot be reached from another package",
			"have the types of its file generated into this package, or "+leaveOut(node))
		return false
	case isComposite(node) && !w.pkg.IsGenerated(named.Obj().Pkg()) && hasMethod(typ, "UnmarshalJSON", "UnmarshalText", "Bind"):
		w.refuse(node, "is decoded to "+w.spell(typ)+" by a method of that type, into which idemgen cannot see", "take x-go-type from it, or "+leaveOut(node))
		return false
	}
	return true
}
