package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// problem says why a value cannot take part in a fingerprint, in words that follow its
// path, and how to fix it.
type problem struct {
	what, remedy string
}

const (
	leaveOut = "remove it from fields and add it to ignore"
	oneByOne = "name the relevant fields one by one"
)

// kind returns how a value of the shape is encoded, or why it cannot be.
func (s *shape) kind() (model.Kind, *problem) {
	switch {
	case s.rawJSON, s.format == "json" && s.scalar():
		return s.jsonKind()
	case len(s.types) > 1:
		types := slices.Sorted(slices.Values(s.types))
		return "", &problem{"may be of several types (" + strings.Join(types, ", ") + ")", "give the schema one type, or " + leaveOut}
	case len(s.types) == 0 && s.nothing:
		return "", &problem{"can only be null", leaveOut}
	case len(s.types) == 0 || s.types[0] == "object":
		return s.objectKind()
	case s.types[0] == "array":
		return s.arrayKind()
	default:
		return s.scalarKind()
	}
}

// jsonKind returns the kind of a value that Go keeps as its JSON text.
func (s *shape) jsonKind() (model.Kind, *problem) {
	if s.ownDefault() {
		return "", &problem{
			"is kept as raw JSON whose defaults only the validating middleware fills in",
			"remove the defaults, or " + leaveOut,
		}
	}
	return model.JSON, nil
}

func (s *shape) objectKind() (model.Kind, *problem) {
	switch {
	case s.union != "":
		return s.jsonKind()
	case s.pattern:
		return "", &problem{"has patternProperties, which decode to free-form JSON", oneByOne + ", or " + leaveOut}
	case len(s.properties) > 0 && s.extra != nil:
		return "", &problem{"keeps additional properties, which are not supported in a fingerprint yet", oneByOne}
	case len(s.properties) > 0 && s.open && !s.closed:
		return "", &problem{"keeps all additional properties (additionalProperties: true)", oneByOne + ", or remove additionalProperties"}
	case len(s.properties) > 0:
		return model.Object, nil
	case s.extra != nil:
		return model.Map, nil
	case s.closed:
		return "", &problem{"declares no properties", leaveOut}
	default:
		return "", &problem{freeForm, "describe it with a schema, or " + leaveOut}
	}
}

// formless reports whether a shape without a kind is free-form JSON that could be kept
// as raw JSON, but is not.
func (s *shape) formless() bool {
	switch {
	case len(s.types) > 1, s.pattern:
		return true
	case len(s.types) == 1 && s.types[0] == "array":
		return s.prefix || s.items == nil
	case s.scalar(), s.nothing, s.rawJSON, s.union != "":
		return false
	default:
		return len(s.properties) == 0 && s.extra == nil && !s.closed
	}
}

// freeForm is the problem of a schema that does not describe its values.
const freeForm = "is free-form JSON, in which different values can decode to the same value"

func (s *shape) arrayKind() (model.Kind, *problem) {
	if s.prefix {
		return "", &problem{freeForm, "describe the elements with items instead of prefixItems, or " + leaveOut}
	}
	if s.items == nil {
		return "", &problem{freeForm, "describe its elements with items, or " + leaveOut}
	}
	return model.List, nil
}

func (s *shape) scalarKind() (model.Kind, *problem) {
	switch s.types[0] {
	case "boolean":
		return model.Boolean, nil
	case "integer":
		return model.Integer, nil
	case "number":
		return model.Number, nil
	case "string":
		return s.stringKind()
	default:
		return "", &problem{fmt.Sprintf("has the unknown type %q", s.types[0]), "correct the schema"}
	}
}

func (s *shape) stringKind() (model.Kind, *problem) {
	switch {
	case s.format == "binary", s.format == "" && s.binary:
		return "", &problem{"is a file", "let the client send a digest of it and declare that, or " + leaveOut}
	case s.format == "byte", s.format == "" && s.base64:
		return model.Bytes, nil
	case s.format == "date":
		return model.Date, nil
	case s.format == "date-time":
		return model.Instant, nil
	case s.format == "uuid":
		return model.UUID, nil
	default:
		return model.String, nil
	}
}
