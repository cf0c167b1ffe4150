package resolve

import "github.com/idemgen/idemgen/internal/model"

// hash is a call of a method of the hasher.
func hash(method string, args ...any) model.HashCall {
	return model.HashCall{Method: method, Args: args}
}

// hashText hashes the text of a string after the normalizations of its node.
func hashText(node *model.Node, text any) model.HashCall {
	if len(node.Normalize) == 0 {
		return hash("String", text)
	}
	return hash("Normalized", text, model.Normalizations(node.Normalize))
}

// hashAbsent is what is hashed of a value that is missing and has no default.
func hashAbsent(node *model.Node) model.HashCall {
	if node.Kind != model.Object || isElement(node) {
		return hash("Absent")
	}
	var paths []any
	for _, leaf := range node.Leaves() {
		paths = append(paths, leaf.Path)
	}
	return hash("Skip", paths...)
}

// hashNull is what is hashed of a null that is told from absent.
func hashNull(node *model.Node) []model.HashCall {
	if node.Kind != model.Object || isElement(node) {
		return []model.HashCall{hash("Null")}
	}
	return []model.HashCall{hash("Field", node.Path), hash("Null")}
}
