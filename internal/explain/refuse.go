package explain

import (
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// refuse reports the declared values that idemgen generate refuses because of the
// Go types they get, and parameters of a form that has no explanation.
func refuse(op *model.Operation, roots []*model.Node) diag.List {
	r := refuser{route: op.Method + " " + op.Path}
	for _, root := range roots {
		if root.Path == "body" {
			if isForm(op, root) {
				r.refuse(root, "see what the generated code does with it", "is a form, which explain does not read")
			}
			r.walk(root)
			continue
		}
		for _, parameter := range root.Members {
			r.walk(parameter)
			r.parameter(root.Path, parameter)
		}
	}
	return r.list
}

type refuser struct {
	route string
	list  diag.List
}

func (r *refuser) refuse(n *model.Node, remedy, problem string) {
	r.list.Errorf(n.Pos, remedy, "%s: %s %s", r.route, n.Full, problem)
}

// walk refuses what decoding merges or turns into something else.
func (r *refuser) walk(n *model.Node) {
	leaveOut := "list " + n.Full + " under ignore"
	format := formatOf(n)
	switch {
	case n.Kind == model.Number && format == "":
		r.refuse(n, "set format: double, send it as a string or an integer, or "+leaveOut,
			"is a number without a format, which oapi-codegen decodes to float32: numbers that differ become one")
	case n.Kind == model.Number && format != "float" && format != "double":
		r.refuse(n, "set format: double, send it as a string or an integer, or "+leaveOut,
			"is a number with format: "+format+", which oapi-codegen decodes to float32: numbers that differ become one")
	case n.Kind == model.String && format == "duration":
		r.refuse(n, "set x-go-type: string, or "+leaveOut, "is a duration, which oapi-codegen decodes to a type into which idemgen cannot see")
	}
	for _, member := range n.Members {
		r.walk(member)
	}
	if n.Elem != nil {
		r.walk(n.Elem)
	}
}

// parameter refuses parameters whose form on the wire is not that of one value, a
// list of them, or an object in the query.
func (r *refuser) parameter(in string, n *model.Node) {
	const remedy = "see what the generated code does with it"
	switch n.Kind {
	case model.Object:
		if in != "query" {
			r.refuse(n, remedy, "is an object in a "+in+" parameter, which explain does not read")
			return
		}
		if n.Delimiter != "" {
			r.refuse(n, remedy, "is an object in one value, which explain does not read")
			return
		}
		for _, member := range n.Members {
			r.nested(member)
			if _, unsigned := width(formatOf(member)); unsigned {
				r.refuse(member, remedy, "is an unsigned integer in an object, which the runtime of oapi-codegen does not read")
			}
		}
	case model.List:
		r.nested(n.Elem)
	case model.Map, model.JSON:
		r.refuse(n, remedy, "is a "+string(n.Kind)+" parameter, which explain does not read")
	case model.Bytes:
		if n.Format != "byte" {
			r.refuse(n, "set format: byte", "is binary without format: byte, which is decoded as a list of numbers")
		}
	}
}

// nested refuses what a list or an object in a parameter cannot hold.
func (r *refuser) nested(n *model.Node) {
	switch n.Kind {
	case model.Object, model.List, model.Map, model.JSON, model.Bytes:
		r.refuse(n, "see what the generated code does with it", "is a "+string(n.Kind)+" inside of a parameter, which explain does not read")
	}
}
