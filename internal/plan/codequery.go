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

// takesBatch reports whether the query's struct has the fields of one of the runtime's.
func takesBatch(query *model.Query) bool {
	return query.ParamsStruct != "" && slices.ContainsFunc(batchStructs, func(fields []model.QueryValue) bool {
		return sameFields(query.Params, fields)
	})
}

// rowOf returns what the row of a query becomes.
func rowOf(query *model.Query, results []result) model.Row {
	var names []string
	var fields []model.QueryValue
	for _, r := range results {
		names = append(names, naming.Exported(r.column))
		fields = append(fields, model.QueryValue{Field: naming.Exported(r.column), Type: r.goType})
	}
	row := model.Row{Fields: names, Same: query.ResultStruct != "" && sameFields(query.Results, fields)}
	switch len(results) {
	case len(loadResults):
		row.Type = model.RecordRow
	case len(sweepResults):
		row.Type = model.SweptBatchRow
	}
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
