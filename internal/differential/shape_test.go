package differential

import (
	"slices"

	"github.com/idemgen/idemgen/internal/model"
)

// setting is what a batch of operations has in common.
type setting struct {
	openapi      string // "3.0.3" or "3.1.0"
	nullableType bool   // options of oapi-codegen
	noPointers   bool
}

// shape is one value of a request as it was drawn: what its schema says, and what
// follows for its meaning.
type shape struct {
	name    string // of a property or parameter
	kind    model.Kind
	format  string // of an integer, number or string, as the schema has it
	members []*shape
	elem    *shape
	union   bool     // of JSON: a oneOf behind a $ref; else it is json.RawMessage
	enum    []string // of a string
	exact   bool     // of an object: more is allowed than its properties, and names are matched exactly

	required, nullable, readOnly, writeOnly bool

	skip    *bool  // x-go-type-skip-optional-pointer
	preset  *value // the default
	spelled string // the default in the document

	// How the schema is written.
	component string // its name under components; "" where it stands in place
	wrapped   bool   // in an allOf of its own
	split     int    // of an object: so many members are in the first part of an allOf

	// What is declared of it.
	declared  bool
	unordered bool
	normalize []string

	// What a missing value and a null are.
	zero      bool // the zero value of its type
	keepsNull bool // null is told from absent
	inList    bool // an element of a list
	inMap     bool // an entry of a map

	in        string // of a parameter: "query"
	delimiter string // of a parameter that is a list: between elements, "" if each is a value of its own
}

// bigInteger is the format by which an integer has no limits.
const bigInteger = "big.Int"

const email = "email"

func (s *shape) isEmail() bool { return s.kind == model.String && s.format == email && s.in == "" }

// isNilable reports whether the Go value can be nil without a pointer.
func (s *shape) isNilable() bool {
	return slices.Contains([]model.Kind{model.List, model.Map, model.Bytes, model.JSON}, s.kind)
}

// isZero reports whether a missing value is the zero value of its type.
func (s *shape) isZero() bool { return s.zero && !s.isNilable() }

// refusesNull reports whether a request is refused because the value is null.
func (s *shape) refusesNull() bool {
	return s.isZero() && !s.keepsNull && (s.kind == model.Date || s.isEmail())
}

// settleProperty decides what follows from being a property.
func (s *shape) settleProperty(with setting) {
	given := s.required && !s.nullable && !s.writeOnly
	switch {
	case s.nullable && with.nullableType:
		s.zero = false
	case s.skip != nil:
		s.zero = *s.skip || given
	case with.noPointers:
		s.zero = true
	default:
		s.zero = given
	}
	s.keepsNull = s.nullable && with.nullableType || s.kind == model.JSON && s.zero
}

// settleElement decides what follows from being inside of a list or map.
func (s *shape) settleElement(with setting) {
	s.zero = !s.nullable
	s.keepsNull = s.nullable && with.nullableType && s.inList || s.kind == model.JSON && s.zero
}

// settleParameter decides what follows from being a parameter.
func (s *shape) settleParameter(with setting) {
	s.zero = s.required || s.skip == nil && with.noPointers || s.skip != nil && *s.skip
}

// mayHaveDefault reports whether a default is accepted and means what it says.
func (s *shape) mayHaveDefault(with setting) bool {
	switch {
	case s.isZero(), s.kind == model.JSON && (s.union || s.zero):
		return false
	case s.in == "path", s.in != "" && (s.kind == model.Object || s.delimiter != ""):
		return false
	case s.nullable && with.nullableType:
		return false
	default:
		return !s.inList && !s.inMap
	}
}

// each calls visit for s and every shape inside of it.
func (s *shape) each(visit func(*shape)) {
	visit(s)
	for _, member := range s.members {
		member.each(visit)
	}
	if s.elem != nil {
		s.elem.each(visit)
	}
}
