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
	goType    string // "" for a scope column, whose type is sqlc's choice
	value     string // Go expression
}

// result is what generated code expects of one column of a query.
type result struct {
	column, sqlType, goType string
}

var (
	claimArguments = []argument{
		{"operation", "text", "string", "c.Operation"},
		{"idempotency_key", "text", "string", "c.Key"},
		{"fingerprint", "bytea", "[]byte", "c.Fingerprint.Sum[:]"},
		{"fingerprint_version", "smallint", "int16", "c.Fingerprint.Version"},
		{"replay_seconds", "bigint", "int64", "c.WindowSeconds"},
	}
	keyArguments = []argument{
		{"operation", "text", "string", "operation"},
		{"idempotency_key", "text", "string", "key"},
	}
	finishArguments = []argument{
		{"status", "smallint", "int16", "r.Status"},
		{"headers", "bytea", "[]byte", "r.Headers"},
		{"body", "bytea", "[]byte", "r.Body"},
	}
	sweepArguments = []argument{
		{"swept_until", "bigint", "int64", "batch.SweptUntil"},
		{"batch_size", "bigint", "int64", "batch.BatchSize"},
	}
	rotateArguments = []argument{
		{"ahead_seconds", "bigint", "int64", "ahead"},
	}
	purgeArguments = []argument{
		{"retention_seconds", "bigint", "int64", "batch.RetentionSeconds"},
		{"batch_size", "bigint", "int64", "batch.BatchSize"},
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
	var scopes []*model.GoScope
	for _, scope := range contract.Scopes {
		b := &scopeBinder{db: db, list: &list, scope: &model.GoScope{Scope: scope, Type: scope.GoName + "Scope"}}
		if err := b.bind(); err != nil {
			return nil, list, err
		}
		b.scope.Asks = asks(contract, scope)
		scopes = append(scopes, b.scope)
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

// scopeBinder binds the queries of one scope.
type scopeBinder struct {
	db    Database
	list  *diag.List
	scope *model.GoScope
	types map[string]string // of the scope's columns
}

func (b *scopeBinder) bind() error {
	if err := b.fields(b.scope.Queries.Claim); err != nil {
		return err
	}
	if err := b.calls(b.columnArguments()); err != nil {
		return err
	}
	for _, previous := range b.scope.Previous {
		table := &scopeBinder{db: b.db, list: b.list, scope: &model.GoScope{Scope: previous.Scope}}
		if err := table.calls(nil); err != nil {
			return err
		}
		b.scope.PreviousTables = append(b.scope.PreviousTables, table.scope)
	}
	return nil
}

// calls binds the queries that there are. Columns are the arguments of those that are
// about one key.
func (b *scopeBinder) calls(columns []argument) error {
	queries := b.scope.Queries
	for _, query := range []struct {
		call      **model.QueryCall
		name      string
		arguments []argument
		results   []result
	}{
		{&b.scope.Claim, queries.Claim, slices.Concat(columns, claimArguments), nil},
		{&b.scope.Load, queries.Load, slices.Concat(columns, keyArguments), loadResults},
		{&b.scope.Finish, queries.Finish, slices.Concat(finishArguments, columns, keyArguments), nil},
		{&b.scope.Sweep, queries.Sweep, sweepArguments, sweepResults},
		{&b.scope.Rotate, queries.Rotate, rotateArguments, rotateResults},
		{&b.scope.Purge, queries.Purge, purgeArguments, purgeResults},
	} {
		if query.name == "" { // the scope has no such query
			continue
		}
		call, err := b.call(query.name, query.arguments, query.results)
		if err != nil {
			return err
		}
		*query.call = call
	}
	return nil
}

// fields gives the scope's struct the types of the claim's parameters.
func (b *scopeBinder) fields(claim string) error {
	query, err := b.db.Query(claim)
	if err != nil {
		return err
	}
	b.types = make(map[string]string)
	for _, column := range b.scope.Columns {
		i := slices.IndexFunc(query.Params, func(v model.QueryValue) bool { return v.SQL == column.Name })
		if i < 0 {
			return fmt.Errorf("query %s has no parameter %s", claim, column.Name)
		}
		param := query.Params[i]
		b.types[column.Name] = param.Type
		b.scope.Fields = append(b.scope.Fields, model.GoField{
			Name: naming.Exported(column.Name), Type: param.Type, From: column.From,
			Param: paramName(naming.Exported(column.Name)),
			Ours:  slices.ContainsFunc(param.Imports, func(i model.Import) bool { return i.Path == b.db.ImportPath }),
		})
		b.addImports(param.Imports)
		if !equalByValue(param.Type) {
			b.list.Errorf(b.db.Config, "remove the override, or give it a type such as uuid.UUID or string",
				"column %s of scope %q becomes the Go type %s, whose values cannot be compared with ==", column.Name, b.scope.Name, param.Type)
		}
	}
	return nil
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

func (b *scopeBinder) addImports(imports []model.Import) {
	for _, imported := range imports {
		if !slices.Contains(b.scope.Imports, imported) {
			b.scope.Imports = append(b.scope.Imports, imported)
		}
	}
}

func (b *scopeBinder) columnArguments() []argument {
	var arguments []argument
	for i, column := range b.scope.Columns {
		arguments = append(arguments, argument{
			parameter: column.Name,
			sqlType:   column.SQLType,
			goType:    b.types[column.Name],
			value:     "k." + b.scope.Fields[i].Name,
		})
	}
	return arguments
}

// call binds one query: an expression for each of its parameters, and a field
// for each of its columns.
func (b *scopeBinder) call(name string, arguments []argument, results []result) (*model.QueryCall, error) {
	query, err := b.db.Query(name)
	if err != nil {
		return nil, err
	}
	if len(query.Params) != len(arguments) {
		return nil, fmt.Errorf("query %s has %d parameters in the generated Go and %d in SQL", name, len(query.Params), len(arguments))
	}
	call := &model.QueryCall{
		Name:          name,
		Struct:        query.ParamsStruct,
		StructPointer: query.ParamsPointer,
		ResultPointer: query.ResultPointer,
	}
	for _, param := range query.Params {
		i := slices.IndexFunc(arguments, func(a argument) bool { return a.parameter == param.SQL })
		if i < 0 {
			return nil, fmt.Errorf("query %s has the unknown parameter %q", name, param.SQL)
		}
		b.check(name, "parameter "+param.SQL, arguments[i].sqlType, param.Type, arguments[i].goType)
		call.Args = append(call.Args, model.Arg{Field: param.Field, Value: arguments[i].value})
	}
	call.Params = convertedParams(query)
	if results == nil {
		return call, nil
	}
	if err := b.results(call, query, results); err != nil {
		return nil, err
	}
	call.Row = rowOf(query, results)
	return call, nil
}

func (b *scopeBinder) results(call *model.QueryCall, query *model.Query, results []result) error {
	if len(query.Results) != len(results) {
		return fmt.Errorf("query %s has %d columns in the generated Go and %d in SQL", query.Name, len(query.Results), len(results))
	}
	for i, value := range query.Results {
		b.check(query.Name, "column "+results[i].column, results[i].sqlType, value.Type, results[i].goType)
		if query.ResultStruct != "" {
			call.Results = append(call.Results, value.Field)
		}
	}
	return nil
}

// check reports a type of sqlc's that generated code cannot hand over.
func (b *scopeBinder) check(query, what, sqlType, is, wanted string) {
	if is == wanted {
		return
	}
	b.list.Errorf(b.db.Config,
		fmt.Sprintf("remove the override of %s, or limit it to columns of your own tables with column:", sqlType),
		"an override gives %s of query %s the Go type %s, and idemgen's code needs %s", what, query, is, wanted)
}
