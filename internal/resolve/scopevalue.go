package resolve

import (
	"go/types"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// scopeValues returns what fills the scope columns that come from the request. The
// columns and their Go fields are in the same order.
func (w *walker) scopeValues(operation *model.Operation, fields []model.GoField) []model.ScopeValue {
	var values []model.ScopeValue
	for i, column := range operation.Scope.Columns {
		if column.From == "" || i >= len(fields) {
			continue
		}
		if value, ok := w.columnValue(operation, column, fields[i].Type); ok {
			values = append(values, model.ScopeValue{Field: fields[i].Name, Value: value})
		}
	}
	return values
}

// columnValue is the request's value as the column's Go type.
func (w *walker) columnValue(operation *model.Operation, column model.Column, target string) (model.Value, bool) {
	at, problem := w.parameterAt(column.From)
	if problem == "" && isOptional(at.typ) {
		problem = "it is optional, and a scope is never without a value"
	}
	if problem != "" {
		w.problems.Errorf(operation.Pos, "name a required parameter of every operation of the scope, or leave from out and have the resolver fill the column",
			"%s: %s does not fill column %s of scope %s: %s", w.route, column.From, column.Name, operation.Scope.Name, problem)
		return model.Value{}, false
	}
	value, ok := w.columnConversion(at, target)
	if !ok {
		w.problems.Errorf(operation.Pos, "make the type of the column and of the parameter agree",
			"%s: %s is of type %s in the generated Go, and column %s of scope %s of type %s",
			w.route, column.From, w.spell(at.typ), column.Name, operation.Scope.Name, target)
	}
	return value, ok
}

// parameterAt finds the parameter that a path such as "path.provider" names.
func (w *walker) parameterAt(field string) (place, string) {
	in, name := splitField(field)
	if name == "" {
		return place{}, "it names no parameter"
	}
	if !slices.Contains([]string{"path", "query", "header", "cookie"}, in) {
		return place{}, "only path, query, header and cookie parameters can"
	}
	at, ok := w.parametersIn(in)
	if !ok {
		return place{}, "the operation has no such parameter"
	}
	return at.parameter(in, name)
}

// splitField cuts "path.provider" and `path["odd.name"]` into place and name.
func splitField(field string) (in, name string) {
	end := strings.IndexAny(field, ".[")
	if end < 0 {
		return field, ""
	}
	in, name = field[:end], field[end+1:]
	if field[end] == '[' {
		name = strings.TrimSuffix(strings.TrimPrefix(name, `"`), `"]`)
		name = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(name)
	}
	return in, name
}

func isOptional(typ types.Type) bool {
	_, isPointer := pointee(typ)
	return isPointer || isNilable(typ)
}

// columnConversion is the value as the Go type that sqlc gave the column, if no value is
// lost on the way.
func (w *walker) columnConversion(at place, target string) (model.Value, bool) {
	value := at.value()
	if isUUID(at.typ) {
		if target == "pgtype.UUID" {
			value.Convert = []model.Conversion{model.DatabaseUUID}
			return value, true
		}
		return value, target == "uuid.UUID" || target == "[16]byte"
	}
	basic, ok := w.basicType(at.typ)
	if !ok {
		return value, false
	}
	if target == "string" {
		return at.as(model.ToString), basic.Info()&types.IsString != 0
	}
	return at.as(model.Conversion(target)), slices.Contains(fitting[target], basic.Kind())
}

// fitting are the kinds of integers of which every value is one of a type.
var fitting = map[string][]types.BasicKind{
	"int16": {types.Int8, types.Int16, types.Uint8},
	"int32": {types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16},
	"int64": {types.Int8, types.Int16, types.Int32, types.Int64, types.Int, types.Uint8, types.Uint16, types.Uint32},
}
