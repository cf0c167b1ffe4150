package plan

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/spec"
)

// maxNodes limits the number of values that the declared fields of one operation may
// expand to. A field that names a larger object is no longer a deliberate choice.
const maxNodes = 2000

// expander walks the schemas of one operation's request along its selection: it builds
// the tree of declared values and collects undecided ones.
type expander struct {
	doc       *spec.Document
	list      *diag.List
	undecided []undecided
	nodes     int

	key  *spec.FieldPath // of the idempotency key in the body, which does not belong to the fingerprint; nil if it is elsewhere
	form bool            // the current body is a form

	nullableType bool              // as in [Options]
	noPointers   bool              // as in [Options]
	goTypes      map[string]string // as in [Options]
}

func newExpander(doc *spec.Document, list *diag.List, options Options) *expander {
	return &expander{doc: doc, list: list, nullableType: options.NullableType, noPointers: options.NoPointers, goTypes: options.GoTypes}
}

// undecided is a request field that is neither declared nor ignored.
type undecided struct {
	path string
	pos  diag.Position
}

// state is the decision about a value, made by a field at or above it.
type state struct {
	decided bool
	takes   bool           // whether it takes part in the fingerprint; otherwise it is ignored
	path    spec.FieldPath // of the field that decided
	pos     diag.Position
}

func (s state) declared() bool { return s.decided && s.takes }

// below returns the state of a value at sel.
func (s state) below(sel *selection) state {
	switch {
	case sel != nil && sel.field != nil:
		return state{decided: true, takes: true, path: sel.path, pos: *sel.field}
	case sel != nil && sel.ignored != nil:
		return state{decided: true, path: sel.path, pos: *sel.ignored}
	default:
		return s
	}
}

// value is one value of the request during the walk.
type value struct {
	name     string
	full     spec.FieldPath // from the root
	framing  spec.FieldPath // from the enclosing element, or the root
	schema   place
	shown    spec.Pointer // the position shown in messages, if it is not that of the schema
	sel      *selection
	state    state
	element  bool               // of a list or map: so it has no default of its own
	entry    bool               // of a map
	required bool               // it is always present, so its default is never used
	decoding decoding           // its Go value if it is missing
	within   []*openapi3.Schema // enclosing schemas that are expanded completely
}

// decoding describes how oapi-codegen's strict server decodes a missing value, as far
// as it follows from the document.
type decoding struct {
	zero     bool // the zero value of its type: the Go type is not a pointer
	merged   bool // zero because of an option, so that the schema's default is not applied
	required bool // for a parameter or the body: the request is rejected

	delimiter string // for a list parameter: the separator of its elements
}

// request walks the complete request of one operation.
type request struct {
	*expander
	op         *spec.Operation
	parameters []parameter
	selection  *selection
	exempt     []spec.FieldPath // need not be declared or ignored
}

// refuse reports a value that cannot take part, at the field that declares it.
func (e *expander) refuse(v value, trouble problem) {
	pos := v.state.pos
	what := v.full.String()
	switch {
	case !v.state.decided && v.sel != nil:
		pos = v.sel.first()
	case v.full.String() != v.state.path.String():
		what = fmt.Sprintf("%s, which %s includes,", v.full, v.state.path)
	}
	e.list.Errorf(pos, trouble.remedy, "%s %s (%s)", what, trouble.what, e.position(v))
}

func (e *expander) position(v value) diag.Position {
	if v.shown != nil {
		return e.doc.PositionOf(v.shown)
	}
	return e.doc.PositionOf(v.schema.at)
}
