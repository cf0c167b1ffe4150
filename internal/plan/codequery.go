package plan

import (
	"go/token"
	"slices"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// batchStructs are the runtime's structs of which every field is a parameter of one
// query: sqlc's struct can be converted from them where it has the same fields.
var batchStructs = [][]model.QueryValue{
	{{Field: "SweptUntil", Type: "int64"}, {Field: "BatchSize", Type: "int64"}},
	{{Field: "RetentionSeconds", Type: "int64"}, {Field: "BatchSize", Type: "int64"}},
}

// convertedParams returns the expression that is converted to the query's struct as a
// whole, or "" where the struct has other fields than the runtime's.
func convertedParams(query *model.Query) string {
	if query.ParamsStruct == "" {
		return ""
	}
	for _, fields := range batchStructs {
		if sameFields(query.Params, fields) {
			return "batch"
		}
	}
	return ""
}

// rowOf returns what the row of a query becomes.
func rowOf(query *model.Query, results []result) model.Row {
	var row model.Row
	fields := make([]model.QueryValue, len(results))
	for i, r := range results {
		fields[i] = model.QueryValue{Field: naming.Exported(r.column), Type: r.goType}
		row.Fields = append(row.Fields, fields[i].Field)
	}
	switch len(results) {
	case len(loadResults):
		row.Type = "idemrt.Record"
	case len(sweepResults):
		row.Type = "idemrt.SweptBatch"
	}
	row.Same = query.ResultStruct != "" && sameFields(query.Results, fields)
	return row
}

// sameFields reports whether two structs have fields of the same names and types in
// the same order, which is when Go converts one to the other.
func sameFields(a, b []model.QueryValue) bool {
	return slices.EqualFunc(a, b, func(a, b model.QueryValue) bool { return a.Field == b.Field && a.Type == b.Type })
}

// paramName is the name of a result of the resolver's method, in which ctx and err are
// taken.
func paramName(field string) string {
	name := naming.LowerFirst(field)
	if name == "ctx" || name == "err" || token.IsKeyword(name) {
		return name + "Column"
	}
	return name
}
