package model

import (
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

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
	Others      []*CodeOther
	ParsesKeys  bool // the generated server parses the text of some key, and so may refuse it
}

// Import is one import specification.
type Import struct {
	Name string // "" where the package's own name is used
	Path string
}

// CodeScope is one scope in Go.
type CodeScope struct {
	*Scope
	Type    string     // "AccountScope"
	Keys    string     // "accountKeys", the type that runs the queries
	Fields  []GoField  // one for each column, in order
	Asked   []GoField  // those that only the resolver can fill
	Resolve string     // "accountScope", the method that asks the resolver
	Imports []Import   // what the types of the fields need
	Asks    bool       // whether the resolver is asked for it
	Claim   *QueryCall // values: one for each column, then Operation, Key, Fingerprint, Version, Window
	Load    *QueryCall //
	Finish  *QueryCall //
	Sweep   *QueryCall // nil where responses are partitioned
	Rotate  *QueryCall // nil where they are not
	Purge   *QueryCall //
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
	Struct        string   // "idemdb.ClaimAccountKeyParams"; "" where the arguments are positional
	StructPointer bool     // the struct is passed by pointer
	Args          []Arg    // in the order of the query's parameters
	Params        string   // the value that is converted to the struct as a whole: "batch"; "" where it is built of Args
	Row           Row      // what the row becomes, of a query that returns one
	Results       []string // names of the row's fields in the order of the query's columns; empty for a single value
	ResultPointer bool     // the row is returned as a pointer, nil or undefined with an error
}

// Row is the runtime's struct for the row of a query.
type Row struct {
	Type   string   // "idemrt.Record"
	Fields []string // in the order of the query's columns
	Same   bool     // the row's struct has the same fields, so that it can be converted
}

// Arg is one argument of a query.
type Arg struct {
	Field string // the struct's field: "TenantID"; "" where positional
	Value string // Go expression: "k.TenantID"
}

// CodeOperation is one annotated operation in Go.
type CodeOperation struct {
	*Operation
	GoName       string // "CreateOrder", the strict server's method
	Route        string // the path as the framework's router is given it: "/orders/:id"
	Var          string // "createOrderOperation"
	ScopeType    *CodeScope
	Request      string       // "CreateOrderRequestObject"
	Response     string       // "CreateOrderResponseObject"
	Visit        string       // "VisitCreateOrderResponse"
	KeyExpr      string       // "request.Params.IdempotencyKey", of type *string
	KeyHeader    string       // the key's header as the generated server spells it: "Idempotency-Key"
	KeyNeeded    bool         // the generated server refuses a request without the key
	ScopeFrom    []Assignment // what generated code puts into the scope from the request
	KeyFunc      string       // where the key is in the body, the function that gets it: "createOrderKey"; else ""
	KeyBodies    []KeyBody    // where it gets it from
	Fingerprints []*CodeFingerprint
}

// KeyBody is one body in which there may be a key.
type KeyBody struct {
	Access string // "request.Body", which may be nil
	Expr   string // of type *string: "request.Body.IdempotencyKey"
}

// Assignment fills one scope field from the request.
type Assignment struct {
	Field string // "Provider"
	Value string // "request.Provider"
}

// CodeOther is an operation without annotation in Go.
type CodeOther struct {
	*OtherOperation
	GoName   string
	Request  string
	Response string
}

// CodeFingerprint is one version of an operation's fingerprint function.
type CodeFingerprint struct {
	Func    string // "fingerprintCreateOrderV1"
	Version int
	Body    *CodeBody // nil where no declared field is in the body, or there are several
	Bodies  *CodeBodies
	Roots   []*CodeNode // but for those of Bodies
}

// CodeBody says how the function gets at a body that may be absent.
type CodeBody struct {
	Access string // "request.Body"
	Type   string // "CreateOrderJSONRequestBody", of which an absent body is the zero value

	Label string    // of one of several: its content type, where that counts; else ""
	Root  *CodeNode // of one of several: what is declared of it; nil for nothing
}

// CodeBodies are bodies of which at most one arrives.
type CodeBodies struct {
	Access []string    // of all that there are
	Needed bool        // a request without any of them is refused
	Cases  []*CodeBody // those that are told apart; none where nothing of them is declared
	Framed bool        // it counts that none has arrived
	Else   *CodeBody   // else what an absent body is the zero value of; nil for nothing
}

// CodeNode is one declared value in Go. Inside an optional value, a list or a map
// the value at hand is always called v, so that nodes nest without numbering.
type CodeNode struct {
	*Node
	Access   string      // Go expression: "body.ShipTo.City", "v.Quantity"
	Optional bool        // Access may be nil, and means absent then
	Nulls    bool        // Access is a nullable.Nullable, which also tells null
	Null     string      // what is written for a null that is told from absent; "" where null is absent
	Hash     string      // of a leaf: "h.Int(int64(*v))"
	Absent   string      // of an optional leaf, list or map: what is written when it is nil: "h.Int(1)", "h.Absent()"
	Range    string      // of a list or map: what is ranged over: "v", "*v" or Access
	Members  []*CodeNode // of an object
	Elem     *CodeNode   // of a list or map
}

// Held is the name of the value that a nullable.Nullable holds, which Go wants to
// be used.
func (n *CodeNode) Held() string {
	if n.Kind == Object && len(n.Members) == 0 {
		return "_"
	}
	return "v"
}

// Skips returns the framing paths that are absent when the optional object n is.
func (n *CodeNode) Skips() []string {
	leaves := n.Node.Leaves()
	paths := make([]string, len(leaves))
	for i, leaf := range leaves {
		paths[i] = leaf.Path
	}
	return paths
}

// Lock is the content of idemgen.lock.yaml.
type Lock struct {
	Operations []LockOperation
	Files      []string // slash-separated, relative to the lock file, sorted
}

// LockOperation is what the lock remembers of one operation.
type LockOperation struct {
	Name     string // stored name
	Scope    string
	Window   time.Duration
	Versions []LockVersion // newest first
}

// LockVersion is one version of an operation's fingerprint, expanded to leaves.
// Of a retired one only the number is left.
type LockVersion struct {
	Version int
	Retired bool
	Window  time.Duration // the longest one that records of the version may have
	Digest  string        // of Fields, and of how they are encoded
	Fields  []LockField   // by path
	Pos     diag.Position // in the lock file; of no meaning when it is written
}

// LockField is one declared leaf.
type LockField struct {
	Path      string   // "body.items[].quantity"
	Type      string   // "integer", "integer int32", "string date-time"
	Default   string   // JSON text, "" for none
	Unordered bool     // of a list: the order of its elements is ignored
	Normalize []string // of a string, in the order in which they apply
	Nullable  bool     // null is a value of its own

	ContentType string // of the body that it is in, where there are several; else ""
}
