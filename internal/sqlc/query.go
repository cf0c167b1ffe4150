package sqlc

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"

	"github.com/idemgen/idemgen/internal/model"
)

type (
	// Query describes the call of the function that sqlc wrote for one query.
	Query = model.Query
	// Value is one parameter or result of a query.
	Value = model.QueryValue
)

// Query reads the function of one query, which must be of kind :one, :exec or
// :execrows. An error means that the Go code has a form that this package does not
// support.
func (r *Reader) Query(name string) (*Query, error) {
	q, err := r.query(name)
	if err != nil {
		return nil, fmt.Errorf("the function that sqlc wrote for query %s is not supported: %w", name, err)
	}
	return q, nil
}

func (r *Reader) query(name string) (*Query, error) {
	method, ok := r.methods[name]
	if !ok {
		return nil, fmt.Errorf("type Queries has no method %s", name)
	}
	q := &Query{Name: name, DBArgument: r.dbArgument}
	call, err := method.databaseCall()
	if err != nil {
		return nil, err
	}
	if err := r.params(q, method, call.Args[2:]); err != nil {
		return nil, err
	}
	if err := r.nameParams(q, call.Args[1]); err != nil {
		return nil, err
	}
	return q, r.results(q, method)
}

// params reads the parameters in the order in which the method passes them to the
// database: $1, $2, ….
func (r *Reader) params(q *Query, m method, args []ast.Expr) error {
	fields := flatten(m.decl.Type.Params)
	skip := 1 // ctx
	if q.DBArgument {
		skip = 2
	}
	if len(fields) < skip {
		return fmt.Errorf("it has %d parameters", len(fields))
	}
	fields = fields[skip:]
	if len(args) > 0 && len(fields) == 1 && isSelector(args[0]) {
		return r.structParams(q, fields[0], args)
	}
	if len(fields) != len(args) {
		return fmt.Errorf("it takes %d arguments but passes %d to the database", len(fields), len(args))
	}
	for i, field := range fields {
		if ident, ok := args[i].(*ast.Ident); !ok || ident.Name != field.name {
			return fmt.Errorf("argument %s is not the query's parameter %d", field.name, i+1)
		}
		value, err := r.value(m.file, field.typ)
		if err != nil {
			return err
		}
		q.Params = append(q.Params, value)
	}
	return nil
}

func (r *Reader) structParams(q *Query, param field, args []ast.Expr) error {
	var err error
	q.ParamsStruct, q.ParamsPointer, err = structName(param.typ)
	if err != nil {
		return err
	}
	q.Params, err = r.fields(q.ParamsStruct, param.name, args)
	return err
}

// results reads the results in the order in which the method scans a row: that of the
// query's columns.
func (r *Reader) results(q *Query, m method) error {
	results := flatten(m.decl.Type.Results)
	if len(results) == 0 || len(results) > 2 {
		return fmt.Errorf("it has %d results", len(results))
	}
	if len(results) == 1 { // :exec
		return nil
	}
	if m.loops() {
		return errors.New("it returns several rows")
	}
	result := results[0]
	scan := m.find(func(call *ast.CallExpr) bool { return calls(call, "Scan") })
	if scan != nil && len(scan.Args) > 0 && isSelector(addressed(scan.Args[0])) {
		var err error
		if q.ResultStruct, q.ResultPointer, err = structName(result.typ); err != nil {
			return err
		}
		q.Results, err = r.fields(q.ResultStruct, "", scan.Args)
		return err
	}
	if scan != nil && len(scan.Args) != 1 {
		return fmt.Errorf("it scans %d columns without a struct", len(scan.Args))
	}
	value, err := r.value(m.file, result.typ)
	q.Results = []Value{value}
	return err
}

// fields reads a list of selectors, each of which must name a field of the struct.
func (r *Reader) fields(structName, variable string, selectors []ast.Expr) ([]Value, error) {
	decl, ok := r.structs[structName]
	if !ok {
		return nil, fmt.Errorf("type %s is not a struct of the package", structName)
	}
	declared := flatten(decl.typ.Fields)
	var values []Value
	for _, expr := range selectors {
		selector, ok := addressed(expr).(*ast.SelectorExpr)
		if !ok {
			return nil, fmt.Errorf("it uses a value that is not a field of %s", structName)
		}
		if base, ok := selector.X.(*ast.Ident); !ok || (variable != "" && base.Name != variable) {
			return nil, fmt.Errorf("field %s is not a field of %s", selector.Sel.Name, structName)
		}
		i := slices.IndexFunc(declared, func(f field) bool { return f.name == selector.Sel.Name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no field %s", structName, selector.Sel.Name)
		}
		value, err := r.value(decl.file, declared[i].typ)
		if err != nil {
			return nil, err
		}
		value.Field = selector.Sel.Name
		values = append(values, value)
	}
	return values, nil
}
