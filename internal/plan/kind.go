package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// problem says why a value cannot take part in a fingerprint: what it is, to
// follow a path, and how to mend that.
type problem struct {
	what, remedy string
}

const (
	leaveOut = "leave it out and put it into ignore"
	oneByOne = "name the fields that matter one by one"
)

// kind returns how a value of the shape is encoded, or why it cannot be.
func (s *shape) kind() (model.Kind, *problem) {
	switch {
	case s.rawJSON, s.format == "json" && s.scalar():
		return "", &problem{"is raw JSON, which is not supported in a fingerprint yet", leaveOut}
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

func (s *shape) objectKind() (model.Kind, *problem) {
	switch {
	case s.union != "":
		remedy := leaveOut
		if len(s.properties) > 0 {
			remedy = "name its own properties one by one, or " + leaveOut
		}
		return "", &problem{"is a union (" + s.union + "), which is not supported in a fingerprint yet", remedy}
	case s.pattern:
		return "", &problem{"has patternProperties, which decoding does not keep", oneByOne + ", or " + leaveOut}
	case len(s.properties) > 0 && s.extra != nil:
		return "", &problem{"has additional properties of a declared type beside its own, which are not supported in a fingerprint yet", oneByOne}
	case len(s.properties) > 0:
		return model.Object, nil
	case s.extra != nil:
		return model.Map, nil
	case s.not && len(s.types) == 0:
		return "", &problem{"is described only by what it is not", "give the schema a type, or " + leaveOut}
	case s.closed:
		return "", &problem{"declares no properties", leaveOut}
	default:
		return "", &problem{
			"is free-form JSON, in which decoding merges values that differ",
			"give the schema a type and its properties, or " + leaveOut,
		}
	}
}

func (s *shape) arrayKind() (model.Kind, *problem) {
	if s.prefix {
		return "", &problem{"has prefixItems, which decode to free-form JSON", "describe the elements with items alone, or " + leaveOut}
	}
	if s.items == nil {
		return "", &problem{"is a list of anything", "describe the elements with items, or " + leaveOut}
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
