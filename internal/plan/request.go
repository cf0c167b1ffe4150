package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// roots returns the declared parts of the request in the order body, cookie, header,
// path, query.
func (r *request) roots() []*model.Node {
	r.checkLocations()
	var roots []*model.Node
	roots = append(roots, r.body()...)
	for _, in := range []spec.Location{spec.InCookie, spec.InHeader, spec.InPath, spec.InQuery} {
		if root := r.location(in); root != nil {
			roots = append(roots, root)
		}
	}
	if r.nodes > maxNodes {
		r.list.Errorf(r.selection.first(), oneByOne, "the fields expand to more than %d values", maxNodes)
	}
	return roots
}

// checkLocations reports selected parameters that the operation does not have.
func (r *request) checkLocations() {
	for _, in := range r.selection.names {
		if in.Name == string(spec.InBody) {
			continue
		}
		for _, name := range r.selection.children[in].names {
			r.checkParameter(r.selection.children[in].children[name], spec.Location(in.Name), name.Name)
		}
	}
}

func (r *request) checkParameter(sel *selection, in spec.Location, name string) {
	var names []string
	elsewhere := ""
	for _, p := range r.parameters {
		switch {
		case p.In != string(in):
			if strings.EqualFold(p.Name, name) {
				elsewhere = fmt.Sprintf("did you mean %s?", p.path())
			}
		case p.path().Steps[0].Name == name:
			return
		default:
			names = append(names, p.path().Steps[0].Name)
		}
	}
	remedy := cmp.Or(elsewhere, didYouMean(spec.FieldPath{In: in}, name, names), "remove it, or declare the parameter")
	sel.each(func(path spec.FieldPath, pos diag.Position) {
		r.list.Errorf(pos, remedy, "field %s does not exist: the operation has no %s parameter %q", path, in, name)
	})
}

// location returns the root of the declared parameters in one place. Path parameters
// take part unless they are ignored.
func (r *request) location(in spec.Location) *model.Node {
	root := &model.Node{Name: string(in), Path: string(in), Full: string(in), Kind: model.Object}
	sel := r.selection.child(spec.Step{Name: string(in)})
	for _, p := range r.parameters {
		if p.In != string(in) {
			continue
		}
		if node := r.parameter(p, sel.child(p.path().Steps[0])); node != nil {
			root.Members = append(root.Members, node)
		}
	}
	if len(root.Members) == 0 {
		return nil
	}
	slices.SortFunc(root.Members, func(a, b *model.Node) int { return strings.Compare(a.Name, b.Name) })
	root.Pos = root.Members[0].Pos
	return root
}

func (r *request) parameter(p parameter, sel *selection) *model.Node {
	// Paths use one spelling of a header: the order must not depend on letter case.
	v := value{
		name:     p.path().Steps[0].Name,
		full:     p.path(),
		framing:  p.path(),
		schema:   p.schema(),
		shown:    p.at,
		sel:      sel,
		required: p.In == openapi3.ParameterInPath,
		decoding: r.ofParameter(p),
	}
	if p.In == openapi3.ParameterInPath {
		v.state = state{decided: true, takes: true, path: v.full, pos: r.doc.PositionOf(p.at)}
	}
	if sel == nil && !v.state.decided && slices.ContainsFunc(r.exempt, p.is) {
		return nil
	}
	if v.state = v.state.below(sel); v.state.decided && !v.state.takes && sel.leaf() {
		return nil
	}
	if !v.schema.exists() && (sel != nil || v.state.decided) {
		r.refuse(v, problem{"has content instead of a schema, which is not supported in a fingerprint", "give the parameter a schema, or " + leaveOut})
		return nil
	}
	return r.refuseSpread(p, v, ownFormat(p, r.walk(v)))
}

// ownFormat removes a format that a parameter's schema has only from its allOf:
// oapi-codegen reads binary data as base64 if it sees format: byte directly, and
// otherwise as a list of numbers.
func ownFormat(p parameter, node *model.Node) *model.Node {
	if node != nil && node.Kind == model.Bytes {
		node.Format = p.Schema.Value.Format
	}
	return node
}

// refuseSpread reports an object whose members are parameters of their own.
func (r *request) refuseSpread(p parameter, v value, node *model.Node) *model.Node {
	if node == nil || node.Kind != model.Object || !isSpread(p) {
		return node
	}
	r.refuse(v, problem{"is an object whose members are separate query parameters, which oapi-codegen does not read reliably", "set style: deepObject, or explode: false, or " + leaveOut})
	return nil
}
