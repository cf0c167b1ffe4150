package plan

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/spec"
)

// maxNodes is how many values the declared fields of one operation may expand
// to. Beyond it a field that names an object is no decision any more.
const maxNodes = 2000

// expander walks the schemas of one operation's request along its selection: it
// builds the tree of what is declared and collects what is undecided.
type expander struct {
	doc       *spec.Document
	list      *diag.List
	undecided []undecided
	nodes     int

	key  *spec.FieldPath // of the idempotency key in the body, which is no part of the meaning; nil if it is elsewhere
	form bool            // the body at hand is a form

	nullableType bool              // as in [Options]
	noPointers   bool              // likewise
	goTypes      map[string]string // likewise
}

func newExpander(doc *spec.Document, list *diag.List, options Options) *expander {
	return &expander{doc: doc, list: list, nullableType: options.NullableType, noPointers: options.NoPointers, goTypes: options.GoTypes}
}

// undecided is a request field that is neither declared nor ignored.
type undecided struct {
	path string
	pos  diag.Position
}

// state says what has been decided about a value by a field at or above it.
type state struct {
	decided bool
	takes   bool           // part in the fingerprint; else it is ignored
	path    spec.FieldPath // of the field that decided
	pos     diag.Position
}

func (s state) declared() bool { return s.decided && s.takes }

// below returns the state of a value that sel is about.
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

// value is one value of the request on the walk.
type value struct {
	name     string
	full     spec.FieldPath // from the root
	framing  spec.FieldPath // from the enclosing element, or the root
	schema   place
	shown    spec.Pointer // to what messages point at, if not the schema
	sel      *selection
	state    state
	element  bool               // of a list or map: it has no default of its own
	entry    bool               // of a map
	required bool               // it is always there: it has no default either
	decoding decoding           // what Go makes of it where it is missing
	within   []*openapi3.Schema // schemas around it that are expanded whole
}

// decoding says what oapi-codegen's strict server makes of a value that is
// missing. It is what the document lets one foresee of the generated Go.
type decoding struct {
	zero     bool // the zero value of its type: the Go type is no pointer
	merged   bool // so because of an option: the schema's default is not applied
	required bool // of a parameter or the body: a refusal of the request

	delimiter string // of a parameter: what its elements stand between, if it is a list
}

// request walks the whole request of one operation.
type request struct {
	*expander
	op         *spec.Operation
	parameters []parameter
	selection  *selection
	exempt     []spec.FieldPath // need not be decided
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
