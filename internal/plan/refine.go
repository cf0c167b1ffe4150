package plan

import (
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// keepsNull reports whether the Go type of v distinguishes null from absent: that of
// nullable properties and list elements, with the option nullable-type, and raw JSON
// that is not a pointer.
func (e *expander) keepsNull(v value, s *shape, kind model.Kind) bool {
	if v.full.In == spec.InBody && len(v.full.Steps) > 0 && e.nullableType && !v.entry && e.nullable(v.schema.ref, nil) {
		return true
	}
	return kind == model.JSON && v.isBare(s)
}

// refine applies the settings of the field that declares v.
func (e *expander) refine(node *model.Node, v value) {
	if v.sel == nil || v.sel.field == nil {
		return
	}
	if order := v.sel.order; order.Present() {
		e.setOrder(node, v, order)
	}
	if steps := v.sel.normalize; steps.Present() {
		e.setNormalize(node, v, steps)
	}
}

func (e *expander) setOrder(node *model.Node, v value, order spec.Value[string]) {
	switch {
	case !order.OK:
	case order.V != "ignored":
		e.list.Errorf(order.Pos, "write order: ignored, or remove order: if the order matters", "unknown order %q", order.V)
	case node.Kind != model.List:
		e.list.Errorf(order.Key, "remove it", "%s is of type %s, which has no order", v.full, node.Kind)
	default:
		node.Unordered = true
	}
}

// normalizations are listed in the order in which they are applied.
var normalizations = []string{model.Trim, model.Lower, model.NFC, model.Decimal}

func (e *expander) setNormalize(node *model.Node, v value, steps spec.Value[[]spec.Value[string]]) {
	if node.Kind != model.String {
		remedy := "remove it"
		if node.Kind == model.List || node.Kind == model.Map {
			remedy = fmt.Sprintf("normalize %s, if its elements are strings", v.full.Child(spec.Step{Each: true}))
		}
		e.list.Errorf(steps.Key, remedy, "%s is of type %s, and only strings can be normalized", v.full, node.Kind)
		return
	}
	given := make(map[string]bool)
	for _, step := range steps.V {
		switch {
		case !step.OK:
		case !slices.Contains(normalizations, step.V):
			e.list.Errorf(step.Pos, diag.DidYouMean(step.V, normalizations), "unknown normalization %q", step.V)
		case given[step.V]:
			e.list.Errorf(step.Pos, "remove one of the two", "%s is listed twice", step.V)
		}
		given[step.V] = true
	}
	for _, step := range normalizations {
		if given[step] {
			node.Normalize = append(node.Normalize, step)
		}
	}
}
