// Package model holds what the generator has decided, as plain data: names are
// chosen, defaults applied and the order fixed. Nothing here reads a document or
// prints code.
package model

import (
	"math"
	"slices"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

// Contract is the document's promise: everything that follows from the
// annotations alone, before any Go has been generated.
type Contract struct {
	Document   string            // file name of the document, for comments: "orders.yaml"
	Owner      string            // import path of the generated server, which tells its tables from those of others
	Scopes     []*Scope          // by name
	Operations []*Operation      // annotated; by path, then method
	Others     []*OtherOperation // not annotated; by path, then method
	Accept     []Accept          // changes that the document accepts, in its order
	Root       diag.Position     // of the annotation at the document's root
}

// Accept is a change of the contract that the document accepts, in the words in
// which it is reported.
type Accept struct {
	Text string
	Pos  diag.Position
}

// Scope is one trusted identity that keys belong to, and the table that holds them.
type Scope struct {
	Name          string        // as declared: "account"
	GoName        string        // "Account", as in AccountScope
	Schema        string        // schema of the table, "" for the search path's
	Table         string        // "account_idempotency_keys"
	Index         string        // "account_idempotency_keys_replay_until_idx"
	Columns       []Column      // in key order
	LongestWindow time.Duration // the longest replay window of the scope's operations
	Queries       Queries
	Responses     *Responses  // nil where they are in the key table
	Previous      []*Previous // newest first
	Pos           diag.Position
	ColumnsPos    diag.Position // of the key columns
	ResponsesPos  diag.Position // of the key responses; Pos where it is left out
}

// Responses is the table of a scope's recorded responses where they are not in the
// key table. It is partitioned by day.
type Responses struct {
	Schema string // schema of the table, "" for the search path's
	Table  string // "account_idempotency_responses"
	Rotate string // the function that makes and drops its partitions: "rotate_account_idempotency_responses"
}

// RotatePrefix begins the name of the function that makes and drops the partitions of a
// response table; the table's own name follows. It is shorter than the suffix of a
// partition, and so always fits.
const RotatePrefix = "rotate_"

// partitionsAhead is for how long a rotation may fail before responses go to the
// default partition.
const partitionsAhead = 7 * 24 * time.Hour

// AheadSeconds is how far ahead the scope's partitions are made: the longest window
// and a week.
func (s *Scope) AheadSeconds() int64 {
	return int64((s.LongestWindow + partitionsAhead) / time.Second)
}

// Queries are the names of a scope's sqlc queries.
type Queries struct {
	Claim     string // "ClaimAccountKey"
	Load      string // "LoadAccountKey"
	Finish    string // "FinishAccountKey"
	Tombstone string // "TombstoneAccountKey"
	Sweep     string // "SweepAccountKeys"; "" where responses are partitioned
	Rotate    string // "RotateAccountResponses"; "" where they are not
	Purge     string // "PurgeAccountKeys"
	Status    string // "AccountKeyStatus"
}

// Column is one column of a scope.
type Column struct {
	Name      string // "tenant_id"
	Type      string // as annotated: "uuid", "int16", "int32", "int64" or "string"
	SQLType   string // "uuid", "smallint", "integer", "bigint" or "text"
	MaxLength int    // in characters, for text; else 0
	From      string // the request field that fills it: "path.provider"; "" for the resolver's
	Pos       diag.Position
}

// Operation is one annotated operation.
type Operation struct {
	Method      string // "POST"
	Path        string // "/orders/{order_id}/cancel"
	ID          string // operationId as written
	Name        string // what is stored in the key table
	Scope       *Scope
	ScopePos    diag.Position // where the annotation names it
	Mode        string        // Transaction
	Key         Key
	Fingerprint Fingerprint // of new records
	Versions    Versions    // what the annotation says about fingerprint versions
	Older       []OlderFingerprint
	Retired     []int    // versions whose numbers must not be used again, newest first
	Final       []string // "2XX", "402"
	NotFinal    []string // declared responses that Final does not cover, sorted; possibly "default"
	Window      time.Duration
	Headers     []string // response headers that are recorded, sorted, canonical
	Wait        time.Duration
	RetryAfter  time.Duration
	Mismatch    int // status codes
	InFlight    int
	Expired     int
	MaxBody     int64 // bytes
	Pos         diag.Position

	ContentTypes []string // of the request's body, as the document writes them, sorted; none without one
	BodyRequired bool
}

// Transaction is the mode in which the business function runs in the transaction
// that records its response.
const Transaction = "transaction"

// MaxVersion is the highest fingerprint version that the key table can hold.
const MaxVersion = math.MaxInt16

// Places of an idempotency key.
const (
	InHeader = "header"
	InBody   = "body"
)

// Key says where an operation's idempotency key comes from and what it looks like.
type Key struct {
	In        string // InHeader or InBody; "" is InHeader
	Name      string // as annotated: "Idempotency-Key"; in the body, a property of it
	Required  bool
	MinLength int
	MaxLength int
	Pattern   string // from the parameter's schema, "" for none
	Format    string // "uuid" or ""
	Pos       diag.Position
}

// InBody reports whether the key is a property of the body.
func (k Key) InBody() bool { return k.In == InBody }

// OtherOperation is an operation without annotation.
type OtherOperation struct {
	Method string
	Path   string
	ID     string
}

// Fingerprint is the set of declared fields of one operation, as a tree.
type Fingerprint struct {
	Version int
	Roots   []*Node  // body, cookie, header, path, query: in this order, where present; one body for each content type
	Ignored []string // canonical paths that were decided to be no part of the meaning, sorted
	Pos     diag.Position

	// Body is the content type whose body is meant, where the roots do not say and the
	// operation has several: the version is from when there was one.
	Body string
}

// HashContentType reports whether the content type of the body is part of the
// fingerprint: there are several, and something of them is declared.
func (f *Fingerprint) HashContentType() bool {
	return slices.ContainsFunc(f.Roots, func(root *Node) bool { return root.ContentType != "" })
}

// Versions is what an annotation says about the versions of its fingerprint.
type Versions struct {
	Pos      diag.Position    // of the version's number, or of the fingerprint where it is left out
	Since    time.Time        // the day from which no process writes older versions; zero where it is left out
	SincePos diag.Position    //
	Retired  []RetiredVersion // by number
}

// RetiredVersion is a version that the annotation calls retired.
type RetiredVersion struct {
	Version int
	Pos     diag.Position
}

// OlderFingerprint is a version under which records may still have been written.
// Its fields are those of the lock file. The operation has them newest first.
type OlderFingerprint struct {
	Fingerprint
	Remedy string // for fields that today's requests do not have in that form any more
}
