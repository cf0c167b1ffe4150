package expand

import (
	"slices"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

// operation adds everything that callers of an annotated operation see.
func (e *expander) operation(operation *model.Operation) error {
	item, op, err := e.find(operation)
	if err != nil {
		return err
	}
	if !operation.Key.InBody() {
		e.key(item, op, operation.Key)
	}
	describe(op, operation)
	responses := ensure(op, "responses")
	for _, a := range answers(operation) {
		e.answer(responses, a)
	}
	e.replays(responses, operation.Final)
	return nil
}

// shared turns a value into a component, with a number if another one has the name,
// and returns a reference to it.
func (e *expander) shared(collection, name string, value *tree.Node) *tree.Node {
	components := ensure(ensure(e.root, "components"), collection)
	for i := 1; ; i++ {
		numbered := name
		if i > 1 {
			numbered += number(i).Text
		}
		taken := components.Get(numbered)
		if taken == nil {
			components.Members = append(components.Members, member(numbered, value))
		}
		if taken == nil || taken.Equal(value) {
			return reference(collection, numbered)
		}
	}
}

// insertAt inserts an entry into a mapping.
func insertAt(n *tree.Node, at int, name string, value *tree.Node) {
	n.Members = slices.Insert(n.Members, at, member(name, value))
}
