package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Database is what sqlc has made of the queries.
type Database struct {
	ImportPath string
	Name       string                                  // of the package: "idemdb"
	DBArgument bool                                    // queries take the connection as an argument
	Config     diag.Position                           // of sqlc's configuration, for what its options break
	Query      func(name string) (*model.Query, error) // the function of one query
}

// argument is what generated code hands to one parameter of a query.
type argument struct {
	parameter string // in SQL
	sqlType   string
	goType    string // of a scope column, sqlc's choice

	operand    model.Operand
	scopeField string // without an operand
}

// result is what generated code expects of one column of a query.
type result struct {
	column, sqlType, goType string
}

var (
	claimArguments = []argument{
		{"operation", "text", "string", model.ClaimOperation, ""},
		{"idempotency_key", "text", "string", model.ClaimKey, ""},
		{"fingerprint", "bytea", "[]byte", model.ClaimFingerprint, ""},
		{"fingerprint_version", "smallint", "int16", model.ClaimVersion, ""},
		{"replay_seconds", "bigint", "int64", model.ClaimWindowSeconds, ""},
	}
	keyArguments = []argument{
		{"operation", "text", "string", model.OperationName, ""},
		{"idempotency_key", "text", "string", model.IdempotencyKey, ""},
	}
	finishArguments = []argument{
		{"status", "smallint", "int16", model.RecordedStatus, ""},
		{"headers", "bytea", "[]byte", model.RecordedHeaders, ""},
		{"body", "bytea", "[]byte", model.RecordedBody, ""},
	}
	sweepArguments = []argument{
		{"swept_until", "bigint", "int64", model.SweptUntil, ""},
		{"batch_size", "bigint", "int64", model.BatchSize, ""},
	}
	rotateArguments = []argument{
		{"ahead_seconds", "bigint", "int64", model.AheadSeconds, ""},
	}
	purgeArguments = []argument{
		{"retention_seconds", "bigint", "int64", model.RetentionSeconds, ""},
		{"batch_size", "bigint", "int64", model.BatchSize, ""},
	}
	loadResults = []result{
		{"fingerprint", "bytea", "[]byte"},
		{"fingerprint_version", "smallint", "int16"},
		{"expired", "boolean", "bool"},
		{"status", "smallint", "int16"},
		{"headers", "bytea", "[]byte"},
		{"body", "bytea", "[]byte"},
	}
	sweepResults = []result{
		{"swept", "bigint", "int64"},
		{"swept_until", "bigint", "int64"},
	}
	rotateResults = []result{{"dropped", "bigint", "int64"}}
	purgeResults  = []result{{"the number of rows", "bigint", "int64"}}
)

// Scopes gives each scope of the contract its Go side: fields with the types that
// sqlc has chosen for the columns, and the calls of its queries. An error that is
// not in the list means that sqlc wrote something that is not understood. The
// scopes are complete only if the list holds no error; otherwise they are nil.
func Scopes(contract *model.Contract, db Database) ([]*model.GoScope, diag.List, error) {
	var list diag.List
	b := scopeBinder{db: db, list: &list}
	var scopes []*model.GoScope
	for _, scope := range contract.Scopes {
		bound, err := b.bind(scope, asks(contract, scope))
		if err != nil {
			return nil, list, err
		}
		scopes = append(scopes, bound)
	}
	list.Sort()
	if list.HasErrors() {
		return nil, list, nil
	}
	return scopes, list, nil
}

// asks reports whether a scope has columns that only the resolver can fill, and
// an operation that uses it.
func asks(contract *model.Contract, scope *model.Scope) bool {
	used := slices.ContainsFunc(contract.Operations, func(o *model.Operation) bool { return o.Scope == scope })
	return used && slices.ContainsFunc(scope.Columns, func(c model.Column) bool { return c.From == "" })
}

// scopeBinder binds the queries of scopes to the functions that sqlc made of them.
type scopeBinder struct {
	db   Database
	list *diag.List
}

func (b scopeBinder) bind(scope *model.Scope, asks bool) (*model.GoScope, error) {
	fields, imports, err := b.fields(scope)
	if err != nil {
		return nil, err
	}
	calls, err := b.calls(scope.Queries, columnArguments(scope.Columns, fields))
	if err != nil {
		return nil, err
	}
	var previous []*model.GoScope
	for _, table := range scope.Previous {
		calls, err := b.calls(table.Queries, nil)
		if err != nil {
			return nil, err
		}
		previous = append(previous, &model.GoScope{Scope: table.Scope, QueryCalls: calls})
	}
	return &model.GoScope{
		Scope: scope, Type: scope.GoName + "Scope", Fields: fields, Imports: imports, Asks: asks,
		QueryCalls: calls, PreviousTables: previous,
	}, nil
}

// calls binds a table's queries; those without a name are left nil. Columns are the
// arguments of queries that are about one key.
func (b scopeBinder) calls(queries model.Queries, columns []argument) (calls model.QueryCalls, err error) {
	for _, query := range []struct {
		call      **model.QueryCall
		name      string
		arguments []argument
		results   []result
	}{
		{&calls.Claim, queries.Claim, slices.Concat(columns, claimArguments), nil},
		{&calls.Load, queries.Load, slices.Concat(columns, keyArguments), loadResults},
		{&calls.Finish, queries.Finish, slices.Concat(finishArguments, columns, keyArguments), nil},
		{&calls.Sweep, queries.Sweep, sweepArguments, sweepResults},
		{&calls.Rotate, queries.Rotate, rotateArguments, rotateResults},
		{&calls.Purge, queries.Purge, purgeArguments, purgeResults},
	} {
		if query.name == "" {
			continue
		}
		if *query.call, err = b.call(query.name, query.arguments, query.results); err != nil {
			return calls, err
		}
	}
	return calls, nil
}

// fields are the fields of a scope's struct, which have the types of the claim's
// parameters, and the imports that these need.
func (b scopeBinder) fields(scope *model.Scope) (fields []model.GoField, imports []model.Import, err error) {
	claim := scope.Queries.Claim
	query, err := b.db.Query(claim)
	if err != nil {
		return nil, nil, err
	}
	for _, column := range scope.Columns {
		i := slices.IndexFunc(query.Params, func(v model.QueryValue) bool { return v.SQL == column.Name })
		if i < 0 {
			return nil, nil, fmt.Errorf("query %s has no parameter %s", claim, column.Name)
		}
		param := query.Params[i]
		fields = append(fields, model.GoField{
			Name: naming.Exported(column.Name), Type: param.Type, From: column.From,
			Param: paramName(naming.Exported(column.Name)),
			Ours:  slices.ContainsFunc(param.Imports, func(i model.Import) bool { return i.Path == b.db.ImportPath }),
		})
		for _, imported := range param.Imports {
			if !slices.Contains(imports, imported) {
				imports = append(imports, imported)
			}
		}
		if !equalByValue(param.Type) {
			b.list.Errorf(b.db.Config, "remove the override, or give it a type such as uuid.UUID or string",
				"column %s of scope %q becomes the Go type %s, whose values cannot be compared with ==", column.Name, scope.Name, param.Type)
		}
	}
	return fields, imports, nil
}

// equalByValue reports whether == of a type compares what is in it, as far as
// its text tells.
func equalByValue(typ string) bool {
	for _, prefix := range []string{"*", "[]", "map[", "any", "interface{"} {
		if strings.HasPrefix(typ, prefix) {
			return false
		}
	}
	return true
}

// columnArguments are the fields of a scope, which are in the order of its columns.
func columnArguments(columns []model.Column, fields []model.GoField) []argument {
	arguments := make([]argument, len(columns))
	for i, column := range columns {
		arguments[i] = argument{parameter: column.Name, sqlType: column.SQLType, goType: fields[i].Type, scopeField: fields[i].Name}
	}
	return arguments
}

// call binds one query: an argument to each of its parameters, and a field to each of
// its columns.
func (b scopeBinder) call(name string, arguments []argument, results []result) (*model.QueryCall, error) {
	query, err := b.db.Query(name)
	if err != nil {
		return nil, err
	}
	args, err := b.args(query, arguments)
	if err != nil {
		return nil, err
	}
	fields, err := b.results(query, results)
	if err != nil {
		return nil, err
	}
	return &model.QueryCall{
		Name:          name,
		Struct:        query.ParamsStruct,
		StructPointer: query.ParamsPointer,
		Args:          args,
		WholeBatch:    takesBatch(query),
		Row:           rowOf(query, results),
		Results:       fields,
		ResultPointer: query.ResultPointer,
	}, nil
}

// args returns the arguments of a query in the order of its parameters.
func (b scopeBinder) args(query *model.Query, arguments []argument) ([]model.Arg, error) {
	if len(query.Params) != len(arguments) {
		return nil, fmt.Errorf("query %s has %d parameters in the generated Go and %d in SQL", query.Name, len(query.Params), len(arguments))
	}
	var args []model.Arg
	for _, param := range query.Params {
		i := slices.IndexFunc(arguments, func(a argument) bool { return a.parameter == param.SQL })
		if i < 0 {
			return nil, fmt.Errorf("query %s has the unknown parameter %q", query.Name, param.SQL)
		}
		b.check(query.Name, "parameter "+param.SQL, arguments[i].sqlType, param.Type, arguments[i].goType)
		args = append(args, model.Arg{Field: param.Field, Operand: arguments[i].operand, ScopeField: arguments[i].scopeField})
	}
	return args, nil
}

// results returns the names of the fields that hold the columns of a query; none where
// nothing is made of them, and for a single value.
func (b scopeBinder) results(query *model.Query, results []result) (fields []string, err error) {
	if results == nil {
		return nil, nil
	}
	if len(query.Results) != len(results) {
		return nil, fmt.Errorf("query %s has %d columns in the generated Go and %d in SQL", query.Name, len(query.Results), len(results))
	}
	for i, value := range query.Results {
		b.check(query.Name, "column "+results[i].column, results[i].sqlType, value.Type, results[i].goType)
		if query.ResultStruct != "" {
			fields = append(fields, value.Field)
		}
	}
	return fields, nil
}

// check reports a type of sqlc's that generated code cannot hand over.
func (b scopeBinder) check(query, what, sqlType, is, wanted string) {
	if is == wanted {
		return
	}
	b.list.Errorf(b.db.Config,
		fmt.Sprintf("remove the override of %s, or limit it to columns of your own tables with column:", sqlType),
		"an override gives %s of query %s the Go type %s, and idemgen's code needs %s", what, query, is, wanted)
}
