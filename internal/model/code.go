package model

import "slices"

// Code is everything the decorator's template prints: the contract, joined with
// the names that oapi-codegen and sqlc have given to things.
type Code struct {
	Source      string     // the document's file name, for a comment: "orders.yaml"
	Package     string     // "orderapi"
	Framework   Framework  // what the strict server is made for
	Imports     [][]Import // groups: standard library, others, the consumer's own and the runtime's
	QueriesName string     // the name under which sqlc's package is imported: "idemdb"
	DBArgument  bool       // true: queries take the connection as an argument; false: New(db)
	Resolver    bool       // whether any scope asks the resolver
	Scopes      []*CodeScope
	Operations  []*CodeOperation
	Others      []*GoOther
	ParsesKeys  bool // the generated server parses the text of some key, and so may refuse it
}

// Import is one import specification.
type Import struct {
	Name string // "" where the package's own name is used
	Path string
}

// CodeScope is one scope in the decorator.
type CodeScope struct {
	*GoScope
	Keys     string       // "accountKeys", the type that runs the queries
	Fields   []GoField    // those of the GoScope, with types as the decorator spells them
	Resolve  string       // "accountScope", the method that asks the resolver
	Previous []*CodeTable // newest first
}

// CodeTable is a table that is swept.
type CodeTable struct {
	*GoScope
	Keys string // "accountKeys", the type that runs the queries
}

// Asked are the fields that only the resolver can fill.
func (s *CodeScope) Asked() []GoField {
	return slices.DeleteFunc(slices.Clone(s.Fields), func(f GoField) bool { return f.From != "" })
}

// Tables are the scope's table and its previous ones.
func (s *CodeScope) Tables() []*CodeTable {
	return append([]*CodeTable{{s.GoScope, s.Keys}}, s.Previous...)
}

// GoScope is one scope with what sqlc has made of its table's columns and queries.
type GoScope struct {
	*Scope
	Type    string    // "AccountScope"
	Fields  []GoField // one for each column, in order
	Imports []Import  // what the types of the fields need
	Asks    bool      // whether the resolver is asked for it
	QueryCalls

	PreviousTables []*GoScope // of Previous: only Sweep or Rotate, and Purge
}

// QueryCalls are the calls of a table's queries.
type QueryCalls struct {
	Claim  *QueryCall
	Load   *QueryCall
	Finish *QueryCall
	Sweep  *QueryCall // nil where responses are partitioned
	Rotate *QueryCall // nil where they are not
	Purge  *QueryCall
}

// GoField is one struct field.
type GoField struct {
	Name  string // "TenantID"
	Type  string // "uuid.UUID"
	From  string // "path.provider", or ""
	Param string // where the resolver returns it: "tenantID"
	Ours  bool   // Type is declared in sqlc's package, and so spelt after that
}

// QueryCall is one call of a function that sqlc generated.
type QueryCall struct {
	Name          string   // "ClaimAccountKey"
	Struct        string   // "ClaimAccountKeyParams", of sqlc's package; "" where the arguments are positional
	StructPointer bool     // the struct is passed by pointer
	Args          []Arg    // in the order of the query's parameters
	WholeBatch    bool     // the runtime's batch is converted to the struct, which has the same fields; else it is built of Args
	Row           Row      // what the row becomes, of a query that returns one
	Results       []string // names of the row's fields in the order of the query's columns; empty for a single value
	ResultPointer bool     // the row is returned as a pointer, nil or undefined with an error
}

// Row is the runtime's struct for the row of a query.
type Row struct {
	Type   RowType
	Fields []string // in the order of the query's columns
	Same   bool     // the row's struct has the same fields, so that it can be converted
}

// RowType is one of the runtime's structs for rows; "" for none.
type RowType string

// The runtime's structs for rows.
const (
	RecordRow     RowType = "record"
	SweptBatchRow RowType = "swept batch"
)

// Arg is one argument of a query: a value that the runtime hands over, or a scope's field.
type Arg struct {
	Field      string // the struct's field: "TenantID"; "" where positional
	Operand    Operand
	ScopeField string // "TenantID", without an Operand
}

// Operand is a value that the runtime hands to a query.
type Operand string

// The operands. Those of a claim are fields of its argument, as are those of a recorded
// response and of a batch.
const (
	ClaimOperation     Operand = "claim's operation"
	ClaimKey           Operand = "claim's key"
	ClaimFingerprint   Operand = "claim's fingerprint"
	ClaimVersion       Operand = "claim's fingerprint version"
	ClaimWindowSeconds Operand = "claim's window"

	OperationName  Operand = "operation"
	IdempotencyKey Operand = "key"

	RecordedStatus  Operand = "recorded status"
	RecordedHeaders Operand = "recorded headers"
	RecordedBody    Operand = "recorded body"

	SweptUntil       Operand = "swept until"
	RetentionSeconds Operand = "retention"
	BatchSize        Operand = "batch size"

	AheadSeconds Operand = "seconds ahead"
)

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
