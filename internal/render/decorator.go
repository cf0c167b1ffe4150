package render

import (
	"github.com/idemgen/idemgen/internal/model"
)

// The types below are the model as the decorator's templates read it: what it holds as
// data, their methods spell in Go. They stand before the model's fields of equal names.

type decorator struct{ *model.Code }

// Operations shadows those of the model.
func (d decorator) Operations() []operation {
	operations := make([]operation, len(d.Code.Operations))
	for i, o := range d.Code.Operations {
		operations[i] = operation{o}
	}
	return operations
}

type operation struct{ *model.CodeOperation }

// KeyExpr is the key as a *string.
func (o operation) KeyExpr() string {
	if o.KeyFunc != "" {
		return o.KeyFunc + "(request)"
	}
	return spellValue(o.HeaderKey.Value)
}

// bodyKey is a key in a body: the body, which may be nil, and the key as a *string.
type bodyKey struct{ Access, Expr string }

// KeyBodies are the bodies in which there may be a key.
func (o operation) KeyBodies() []bodyKey {
	keys := make([]bodyKey, len(o.BodyKeys))
	for i, key := range o.BodyKeys {
		keys[i] = bodyKey{spellAccess(key.Body), spellValue(key.Value)}
	}
	return keys
}

// assignment gives a field its value.
type assignment struct{ Field, Value string }

// ScopeFrom is what generated code puts into the scope from the request.
func (o operation) ScopeFrom() []assignment {
	assignments := make([]assignment, len(o.ScopeValues))
	for i, value := range o.ScopeValues {
		assignments[i] = assignment{value.Field, spellValue(value.Value)}
	}
	return assignments
}

// queryCall is a query's call together with how the package's queries are called.
type queryCall struct {
	*model.QueryCall
	code *model.Code
}

// Params is the value that is converted to the struct as a whole, or "".
func (c queryCall) Params() string {
	if c.WholeBatch {
		return "batch"
	}
	return ""
}

// Args are the arguments in the order of the query's parameters.
func (c queryCall) Args() []assignment {
	args := make([]assignment, len(c.QueryCall.Args))
	for i, arg := range c.QueryCall.Args {
		args[i] = assignment{arg.Field, spellOperand(arg)}
	}
	return args
}

// RowType is the struct that the query's row becomes.
func (c queryCall) RowType() string { return rowTypes[c.Row.Type] }

// DBArgument says whether the connection is passed to the method.
func (c queryCall) DBArgument() bool { return c.code.DBArgument }

// Struct is the type of the argument, qualified; "" where there are several arguments.
func (c queryCall) Struct() string {
	if c.QueryCall.Struct == "" {
		return ""
	}
	return c.code.QueriesName + "." + c.QueryCall.Struct
}

// Target is the method, on a Queries value made for the call.
func (c queryCall) Target() string {
	if c.code.DBArgument {
		return c.code.QueriesName + ".New()." + c.Name
	}
	return c.code.QueriesName + ".New(db)." + c.Name
}
