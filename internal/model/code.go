package model

// Code is everything the decorator's template prints: the contract, joined with
// the names that oapi-codegen and sqlc have given to things.
type Code struct {
	Package     string     // "orderapi"
	Framework   Framework  // what the strict server is made for
	Imports     [][]Import // groups: standard library, others, the consumer's own and the runtime's
	QueriesName string     // the name under which sqlc's package is imported: "idemdb"
	DBArgument  bool       // true: queries take the connection as an argument; false: New(db)
	Resolver    bool       // whether any scope asks the resolver
	Scopes      []*CodeScope
	Operations  []*CodeOperation
	Others      []*GoOther
	KeyHeaders  []string // distinct header names of all keys, sorted
	NeededKeys  []string // those without which the generated server refuses a request
}

// Tables are the tables that are swept: of each scope, and its previous ones.
func (c *Code) Tables() []*GoScope {
	var tables []*GoScope
	for _, scope := range c.Scopes {
		tables = append(append(tables, scope.GoScope), scope.PreviousTables...)
	}
	return tables
}

// Import is one import specification.
type Import struct {
	Name string // "" where the package's own name is used
	Path string
}

// CodeScope is one scope in the decorator.
type CodeScope struct {
	*GoScope
	Keys   string    // "accountKeys", the type that runs the queries
	Fields []GoField // those of the GoScope, with types as the decorator spells them
}

// GoScope is one scope with what sqlc has made of its table's columns and queries.
type GoScope struct {
	*Scope
	Type    string     // "AccountScope"
	Fields  []GoField  // one for each column, in order
	Imports []Import   // what the types of the fields need
	Asks    bool       // whether the resolver is asked for it
	Claim   *QueryCall // values: one for each column, then Operation, Key, Fingerprint, Version, Window
	Load    *QueryCall //
	Finish  *QueryCall //
	Sweep   *QueryCall // nil where responses are partitioned
	Rotate  *QueryCall // nil where they are not
	Purge   *QueryCall //

	PreviousTables []*GoScope // of Previous: only Sweep or Rotate, and Purge
}

// GoField is one struct field.
type GoField struct {
	Name string // "TenantID"
	Type string // "uuid.UUID"
	From string // "path.provider", or ""
	Ours bool   // Type is declared in sqlc's package, and so spelt after that
}

// QueryCall is one call of a function that sqlc generated.
type QueryCall struct {
	Name          string   // "ClaimAccountKey"
	Struct        string   // "ClaimAccountKeyParams", of sqlc's package; "" where the arguments are positional
	StructPointer bool     // the struct is passed by pointer
	Args          []Arg    // in the order of the query's parameters
	Results       []string // names of the row's fields in the order of the query's columns; empty for a single value
	ResultPointer bool     // the row is returned as a pointer, nil or undefined with an error
}

// Arg is one argument of a query.
type Arg struct {
	Field string // the struct's field: "TenantID"; "" where positional
	Value string // Go expression: "k.scope.TenantID"
}

// CodeOperation is one annotated operation in the decorator.
type CodeOperation struct {
	*GoOperation
	Route        string // the path as the framework's router is given it: "/orders/:id"
	Var          string // "createOrderOperation"
	ScopeType    *CodeScope
	KeyFunc      string // where the key is in the body, the function that gets it: "createOrderKey"; else ""
	Fingerprints []*CodeFingerprint
}

// CodeFingerprint is one version of an operation's fingerprint function.
type CodeFingerprint struct {
	*GoFingerprint
	Func string // "fingerprintCreateOrderV1"
}
