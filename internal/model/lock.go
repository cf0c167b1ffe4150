package model

import (
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

// Lock is the content of idemgen.lock.yaml: the whole contract, as the last run
// left it.
type Lock struct {
	Tables     []LockTable     // by table name; none in a file of version 1
	Operations []LockOperation // by stored name
	Accepted   []string        // changes that the document has accepted, sorted
	Files      []string        // slash-separated, relative to the lock file, sorted
}

// LockTable is a scope's key table.
type LockTable struct {
	Table     string // SQL spelling, as in the schema: `account_idempotency_keys`, `"Billing"."Keys"`
	Scope     string
	Responses string // table of partitioned responses, SQL spelling; "" where they are in the key table
	Partition string // "day" with Responses
	Columns   []LockColumn
	Previous  []LockPrevious
}

// LockColumn is one column of a key table, with the type of the annotation.
type LockColumn struct {
	Name      string
	Type      string // "uuid", "int16", "int32", "int64" or "string"
	MaxLength int    // in characters, of a string; else 0
	From      string // the request field that fills it; "" for the resolver's
	Now       string // of a previous table: the column that has its values now, if it was renamed
}

// LockPrevious is a table that held a scope's keys before its columns changed.
type LockPrevious struct {
	Table   string // SQL spelling
	Columns []LockColumn
}

// LockOperation is what the lock remembers of one operation. Of one from a file of
// version 1 there are only name, scope, window and versions.
type LockOperation struct {
	Name       string // stored name
	Request    string // "POST /orders"
	Mode       string // "transaction"
	Scope      string
	Key        LockKey
	Final      []string // statuses and classes
	NotFinal   []string // declared ones that Final does not cover, sorted; possibly "default"
	Window     time.Duration
	Wait       time.Duration
	RetryAfter time.Duration
	Statuses   LockStatuses
	Headers    []string      // response headers that are replayed beside Content-Type, sorted
	MaxBody    int64         // bytes
	Versions   []LockVersion // newest first
}

// LockKey says where an operation's idempotency key is and what it looks like.
type LockKey struct {
	In        string // InHeader or InBody
	Name      string
	Required  bool
	MinLength int // in characters; 0 for no other than 1
	MaxLength int
	Pattern   string // "" for none
	Format    string // "uuid" or ""
}

// LockStatuses are the statuses of idemgen's own answers.
type LockStatuses struct{ Mismatch, InFlight, Expired int }

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

// RequestField is what a field that the lock has is in today's document.
type RequestField struct {
	Found   bool
	Kind    Kind
	Format  string
	Problem string // why it cannot be declared, after "it"; "" if it can
	Pos     diag.Position
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

// Span is a duration as annotations and the lock spell it: "72h", "1h30m", "500ms".
func Span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
