package oapi

import (
	"go/types"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// scopeFrom returns what fills the scope columns that come from the request. The
// columns and their Go fields are in the same order.
func (r *resolver) scopeFrom(operation *model.Operation, code *model.CodeScope) []model.Assignment {
	if code == nil {
		return nil
	}
	var assignments []model.Assignment
	for i, column := range operation.Scope.Columns {
		if column.From == "" || i >= len(code.Fields) {
			continue
		}
		value, ok := r.columnValue(operation, column, code.Fields[i].Type)
		if ok {
			assignments = append(assignments, model.Assignment{Field: code.Fields[i].Name, Value: value})
		}
	}
	return assignments
}

// columnValue is the request's value as the column's Go type.
func (r *resolver) columnValue(operation *model.Operation, column model.Column, target string) (string, bool) {
	at, problem := r.parameterAt(column.From)
	if problem == "" && isOptional(at.typ) {
		problem = "it is optional, and a scope is never without a value"
	}
	if problem != "" {
		r.out.Errorf(operation.Pos, "name a required parameter of every operation of the scope, or leave from out and have the resolver fill the column",
			"%s: %s does not fill column %s of scope %s: %s", r.route, column.From, column.Name, operation.Scope.Name, problem)
		return "", false
	}
	value, ok := r.columnConversion(at, target)
	if !ok {
		r.out.Errorf(operation.Pos, "make the type of the column and of the parameter agree",
			"%s: %s is of type %s in the generated Go, and column %s of scope %s of type %s",
			r.route, column.From, r.spell(at.typ), column.Name, operation.Scope.Name, target)
	}
	return value, ok
}

// parameterAt finds the parameter that a path such as "path.provider" names.
func (r *resolver) parameterAt(field string) (place, string) {
	in, name := splitField(field)
	if name == "" {
		return place{}, "it names no parameter"
	}
	switch in {
	case "path":
		return place{expr: "request", typ: r.request.request}.parameter(in, name)
	case "query", "header", "cookie":
		params, ok := r.params()
		if !ok {
			return place{}, "the operation has no such parameter"
		}
		return params.parameter(in, name)
	}
	return place{}, "only path, query, header and cookie parameters can"
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
	if _, ok := types.Unalias(typ).(*types.Pointer); ok {
		return true
	}
	return isNilable(typ)
}

// columnConversion writes the value as the Go type that sqlc gave the column, if
// no value is lost on the way.
func (r *resolver) columnConversion(at place, target string) (string, bool) {
	if isType(at.typ, "github.com/google/uuid", "UUID") {
		switch target {
		case "uuid.UUID", "[16]byte":
			return at.expr, true
		case "pgtype.UUID":
			return "pgtype.UUID{Bytes: " + at.expr + ", Valid: true}", true
		}
		return "", false
	}
	basic, ok := r.basicType(at.typ)
	if !ok {
		return "", false
	}
	switch target {
	case "string":
		return convert(at, types.String), basic.Info()&types.IsString != 0
	case "int16":
		return convert(at, types.Int16), fits(basic.Kind(), types.Int8, types.Int16, types.Uint8)
	case "int32":
		return convert(at, types.Int32), fits(basic.Kind(), types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16)
	case "int64":
		return convert(at, types.Int64), fits(basic.Kind(), types.Int8, types.Int16, types.Int32, types.Int64, types.Int, types.Uint8, types.Uint16, types.Uint32)
	}
	return "", false
}

func fits(kind types.BasicKind, kinds ...types.BasicKind) bool {
	for _, k := range kinds {
		if kind == k {
			return true
		}
	}
	return false
}
