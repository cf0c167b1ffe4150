package resolve

import "github.com/idemgen/idemgen/internal/model"

// fingerprint resolves the declared fields of one version.
func (w *walker) fingerprint(operation *model.Operation, declared *model.Fingerprint) *model.GoFingerprint {
	result := &model.GoFingerprint{Version: declared.Version}
	inBodies, fields := declaredBodies(declared), w.bodyFields(operation)
	several := len(operation.ContentTypes) > 1
	switch {
	case len(inBodies) == 0 && (!several || !operation.BodyRequired):
	case len(fields) == 0:
		w.noBody(operation, inBodies)
	case several || declared.HashContentType():
		result.Bodies = w.bodies(operation, declared, inBodies, fields)
	default:
		result.Body = w.body(inBodies[0], fields[0], "")
	}
	for _, root := range declared.Roots {
		if root.Path != "body" {
			result.Parameters = append(result.Parameters, w.parameters(root)...)
		}
	}
	return result
}

// parameters resolves the parameters of one kind, which have no root of their own.
func (w *walker) parameters(root *model.Node) []*model.GoNode {
	at, ok := w.parametersIn(root.Path)
	if !ok {
		w.missing(root, w.method.request, "it has no parameters but those of the path")
		return nil
	}
	var nodes []*model.GoNode
	for _, parameter := range root.Members {
		field, problem := at.parameter(root.Path, parameter.Name)
		if problem != "" {
			w.missing(parameter, at.typ, problem)
			continue
		}
		if node := w.value(parameter, field); node != nil {
			nodes = append(nodes, node)
		}
	}
	return nodes
}
