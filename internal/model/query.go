package model

// Query says how to call the function that sqlc wrote for one query.
//
// With DBArgument it is called New().Name(ctx, db, …), else New(db).Name(ctx, …).
// The rest of the arguments is one value of ParamsStruct, or, where that is
// empty, Params one by one.
type Query struct {
	Name          string
	DBArgument    bool
	ParamsStruct  string       // "ClaimAccountKeyParams", without the package; "" where the arguments are positional
	ParamsPointer bool         // the struct is passed by pointer
	Params        []QueryValue // in the order of $1, $2, …
	ResultStruct  string       // "LoadAccountKeyRow", without the package; "" for no result or a single value
	ResultPointer bool         // the struct is returned by pointer, which is not nil without an error
	Results       []QueryValue // in the order of the query's columns; a single one without a struct; none for :exec
}

// QueryValue is one parameter or result of a query.
type QueryValue struct {
	SQL     string   // of a parameter: the name in sqlc.arg(name); "" where the query does not name it
	Field   string   // the struct's field; "" without a struct
	Type    string   // Go source text, qualified by package name: "uuid.UUID", "*int16"
	Imports []Import // what Type needs
}
