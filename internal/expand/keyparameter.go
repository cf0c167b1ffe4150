package expand

import (
	"math/big"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

// key adds the operation's key. A parameter that already describes it is not changed;
// one that other operations share is overridden or copied.
func (e *expander) key(item, op *tree.Node, key model.Key) {
	parameters := op.Get("parameters")
	at := e.headers(parameters, key.Name)
	if len(at) > 0 {
		own := parameters.Items[at[0]]
		for _, other := range slices.Backward(at[1:]) { // the same header in another case
			parameters.Items = slices.Delete(parameters.Items, other, other+1)
		}
		if textOf(own, "$ref") == "" || !e.states(own, key) {
			parameters.Items[at[0]] = e.stating(own, key)
		}
		return
	}
	parameter := mapping(member("name", text(key.Name)), member("in", text("header")))
	if shared := item.Get("parameters"); shared != nil {
		if at := e.headers(shared, key.Name); len(at) > 0 {
			if e.states(shared.Items[at[0]], key) {
				return
			}
			parameter = e.copied(shared.Items[at[0]]).Clone()
		}
	}
	if parameters == nil || parameters.Kind != tree.Sequence {
		parameters = list()
		set(op, "parameters", parameters, "requestBody", "responses")
	}
	parameters.Items = append(parameters.Items, e.stating(parameter, key))
}

// headers returns the indexes of the header parameters with that name, in any letter
// case.
func (e *expander) headers(parameters *tree.Node, name string) []int {
	var at []int
	if parameters == nil {
		return nil
	}
	for i, item := range parameters.Items {
		parameter, _ := e.resolve(item, e.doc.File())
		if textOf(parameter, "in") == "header" && strings.EqualFold(textOf(parameter, "name"), name) {
			at = append(at, i)
		}
	}
	return at
}

// states reports whether a parameter describes the key completely, apart from a
// description.
func (e *expander) states(n *tree.Node, key model.Key) bool {
	parameter, file := e.resolve(n, e.doc.File())
	return isTrue(parameter, "required") == key.Required && e.constrains(parameter.Get("schema"), file, key)
}

// stating returns the parameter, or a copy if it is a reference, with the constraints
// of the key.
func (e *expander) stating(n *tree.Node, key model.Key) *tree.Node {
	parameter := e.copied(n)
	if isTrue(parameter, "required") != key.Required {
		set(parameter, "required", boolean(key.Required), "description", "schema")
	}
	if textOf(parameter, "description") == "" {
		set(parameter, "description", text(keyDescription(key)), "schema")
	}
	drop(parameter, "content")
	schema := parameter.Get("schema")
	switch {
	case e.constrains(schema, e.doc.File(), key):
	case schema == nil || schema.Kind != tree.Mapping || isComposed(schema):
		set(parameter, "schema", constrain(mapping(), key))
	default:
		constrain(schema, key)
	}
	return parameter
}

// isComposed reports whether a schema consists of several schemas.
func isComposed(schema *tree.Node) bool {
	return slices.ContainsFunc(schema.Members, func(m *tree.Member) bool {
		return slices.Contains([]string{"$ref", "allOf", "oneOf", "anyOf", "not", "if"}, m.Name)
	})
}

// constraint is a keyword of the key's schema.
type constraint struct {
	name  string
	value *tree.Node
}

func constraints(key model.Key) []constraint {
	all := []constraint{{"type", text("string")}}
	if key.Format != "" {
		all = append(all, constraint{"format", text(key.Format)})
	}
	all = append(all,
		constraint{"minLength", number(max(1, key.MinLength))},
		constraint{"maxLength", number(key.MaxLength)})
	if key.Pattern != "" {
		all = append(all, constraint{"pattern", text(key.Pattern)})
	}
	return all
}

// constrain adds the key's constraints to a schema.
func constrain(schema *tree.Node, key model.Key) *tree.Node {
	for _, c := range constraints(key) {
		if !same(schema.Get(c.name), c.value) {
			set(schema, c.name, c.value)
		}
	}
	return schema
}

// constrains reports whether a schema has exactly the key's constraints, directly or
// through references and allOf.
func (e *expander) constrains(schema *tree.Node, file string, key model.Key) bool {
	parts := e.parts(schema, file, 0)
	for _, c := range constraints(key) {
		found := false
		for _, part := range parts {
			if value := part.Get(c.name); value != nil {
				if !same(value, c.value) {
					return false
				}
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// parts returns the schemas that a schema consists of.
func (e *expander) parts(schema *tree.Node, file string, depth int) []*tree.Node {
	schema, file = e.resolve(schema, file)
	if schema == nil || depth > maxRefs {
		return nil
	}
	parts := []*tree.Node{schema}
	if all := schema.Get("allOf"); all != nil {
		for _, item := range all.Items {
			parts = append(parts, e.parts(item, file, depth+1)...)
		}
	}
	return parts
}

// same reports whether a keyword has a value, in any notation of a number.
func same(have, want *tree.Node) bool {
	switch {
	case have == nil:
		return false
	case want.Kind == tree.Int && have.Kind == tree.Float:
		a, ok := new(big.Rat).SetString(have.Text)
		b, _ := new(big.Rat).SetString(want.Text)
		return ok && a.Cmp(b) == 0
	}
	return have.Equal(want)
}
